SELECT @now AS now,
       NULL AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         "q"."QDateTime" AS key,
         "q"."CustomerID" AS key2,
         "q"."OrderID" AS key3
  FROM "CustomerOrderToShip" AS q
  WHERE q.rowid IN (SELECT Row FROM "CustomerOrderToShip_Locks" WHERE Session = @session AND ActionId IS NULL)
    AND "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
  LIMIT 1
) AS r ON TRUE;

UPDATE "CustomerOrderToShip_Locks"
SET ActionId = @action, Actor = @actor, Reason = @reason
WHERE Row = (
  SELECT q.rowid
  FROM "CustomerOrderToShip" AS q
  WHERE q.rowid IN (SELECT Row FROM "CustomerOrderToShip_Locks" WHERE Session = @session AND ActionId IS NULL)
    AND "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
  LIMIT 1);
