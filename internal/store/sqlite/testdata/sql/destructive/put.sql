INSERT INTO "CustomerOrderToShip"
  ("QDateTime", "CustomerID", "OrderID")
  SELECT coalesce(value ->> '$.key', @now),
         value ->> '$.key2',
         value ->> '$.key3'
  FROM json_each(@jobs)
  ORDER BY json_each.key
  RETURNING @now AS now, 1 AS present, NULL AS clock, "QDateTime" AS key,
         "CustomerID" AS key2,
         "OrderID" AS key3;
