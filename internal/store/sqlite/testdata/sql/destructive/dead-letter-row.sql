DELETE FROM "CustomerOrderToShip_Locks"
WHERE Beat <= @now - 5000;

SELECT @now AS now,
       NULL AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         "q"."QDateTime" AS key,
         "q"."CustomerID" AS key2,
         "q"."OrderID" AS key3,
         (SELECT count(*) - 1 FROM "CustomerOrderToShip" AS q WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
    AND "q"."rowid" NOT IN (SELECT Row FROM "CustomerOrderToShip_Locks")) AS alike
  FROM "CustomerOrderToShip" AS q
  WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
    AND "q"."rowid" NOT IN (SELECT Row FROM "CustomerOrderToShip_Locks")
  LIMIT 1
) AS r ON TRUE;

INSERT INTO "CustomerOrderToShip_Dead" ("QDateTime", "CustomerID", "OrderID", DeadAt, Reason, Actor, ActionId)
  SELECT "q"."QDateTime", "q"."CustomerID", "q"."OrderID", @now, @reason, @actor, @action
  FROM "CustomerOrderToShip" AS q
  WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
    AND "q"."rowid" NOT IN (SELECT Row FROM "CustomerOrderToShip_Locks")
  LIMIT 1;

DELETE FROM "CustomerOrderToShip"
WHERE rowid = (
  SELECT q.rowid
  FROM "CustomerOrderToShip" AS q
  WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
    AND "q"."rowid" NOT IN (SELECT Row FROM "CustomerOrderToShip_Locks")
  LIMIT 1);
