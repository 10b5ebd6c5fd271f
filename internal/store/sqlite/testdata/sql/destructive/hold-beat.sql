SELECT @now AS now, count(*) AS held FROM "CustomerOrderToShip_Locks" WHERE Session = @session;

UPDATE "CustomerOrderToShip_Locks"
SET Beat = @now
WHERE Session = @session;
