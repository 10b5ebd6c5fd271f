SELECT @now AS now,
       NULL AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         "q"."QDateTime" AS key,
         "q"."CustomerID" AS key2,
         "q"."OrderID" AS key3,
         count(*) AS copies,
         sum(("q"."rowid" IN (SELECT Row FROM "CustomerOrderToShip_Locks" WHERE Beat > @now - 5000))) AS locked
  FROM "CustomerOrderToShip" AS q
  WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
  HAVING count(*) > 0
) AS r ON TRUE;
