SELECT @now AS now, count(*) AS held FROM "CustomerOrderToShip_Locks" WHERE Session = @session;

INSERT INTO "CustomerOrderToShip_Dead" ("QDateTime", "CustomerID", "OrderID", DeadAt, Reason, Actor, ActionId)
  SELECT "q"."QDateTime", "q"."CustomerID", "q"."OrderID", @now, l.Reason, l.Actor, l.ActionId
  FROM "CustomerOrderToShip" AS q
  JOIN "CustomerOrderToShip_Locks" AS l ON l.Row = q.rowid
  WHERE l.Session = @session AND l.ActionId IS NOT NULL;

DELETE FROM "CustomerOrderToShip"
WHERE rowid IN (SELECT Row FROM "CustomerOrderToShip_Locks" WHERE Session = @session);

DELETE FROM "CustomerOrderToShip_Locks"
WHERE Session = @session;
