SELECT @now AS now,
       NULL AS clock,
       r.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS present,
         @now AS key,
         "q"."CustomerID" AS key2,
         "q"."OrderID" AS key3,
         (SELECT count(*) - 1 FROM "CustomerOrderToShip_Dead" AS q WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
    AND q.ActionId IS @token) AS alike
  FROM "CustomerOrderToShip_Dead" AS q
  WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
    AND q.ActionId IS @token
  LIMIT 1
) AS r ON TRUE;

INSERT INTO "CustomerOrderToShip" ("QDateTime", "CustomerID", "OrderID")
  SELECT @now, "q"."CustomerID", "q"."OrderID"
  FROM "CustomerOrderToShip_Dead" AS q
  WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
    AND q.ActionId IS @token
  LIMIT 1;

DELETE FROM "CustomerOrderToShip_Dead"
WHERE rowid = (
  SELECT q.rowid
  FROM "CustomerOrderToShip_Dead" AS q
  WHERE "q"."QDateTime" IS @key
    AND "q"."CustomerID" IS @key2
    AND "q"."OrderID" IS @key3
    AND q.ActionId IS @token
  LIMIT 1);
