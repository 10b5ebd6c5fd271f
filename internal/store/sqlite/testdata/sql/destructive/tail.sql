SELECT @now AS now,
       NULL AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         ("q"."rowid" IN (SELECT Row FROM "CustomerOrderToShip_Locks" WHERE Beat > @now - 5000)) AS locked,
         "q"."QDateTime" AS key,
         "q"."CustomerID" AS key2,
         "q"."OrderID" AS key3
  FROM "CustomerOrderToShip" AS q
  ORDER BY "q"."QDateTime" DESC, "q"."rowid" DESC
  LIMIT @limit
) AS r ON TRUE;
