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
         ActionId AS action,
         count(*) AS copies
  FROM "CustomerOrderToShip_Dead" AS q
  WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
    AND q.ActionId IS @token
  HAVING count(*) > 0
) AS r ON TRUE;
