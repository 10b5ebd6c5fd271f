SELECT @now AS now,
       NULL AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         "q"."QDateTime" AS key,
         "q"."CustomerID" AS key2,
         "q"."OrderID" AS key3,
         DeadAt AS at,
         Reason AS reason,
         Actor AS actor,
         Login AS login,
         ActionId AS action
  FROM "CustomerOrderToShip_Dead" AS q
  ORDER BY DeadAt DESC, rowid DESC
  LIMIT @limit
) AS r ON TRUE;
