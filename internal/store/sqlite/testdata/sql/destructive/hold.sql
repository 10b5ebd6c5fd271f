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
         "q"."OrderID" AS key3
  FROM "CustomerOrderToShip" AS q
  WHERE "q"."rowid" NOT IN (SELECT Row FROM "CustomerOrderToShip_Locks")
  ORDER BY "q"."QDateTime", "q"."rowid"
  LIMIT @n
) AS r ON TRUE;

INSERT INTO "CustomerOrderToShip_Locks" (Row, Session, Beat)
  SELECT q.rowid, @session, @now
  FROM "CustomerOrderToShip" AS q
  WHERE "q"."rowid" NOT IN (SELECT Row FROM "CustomerOrderToShip_Locks")
  ORDER BY "q"."QDateTime", "q"."rowid"
  LIMIT @n;
