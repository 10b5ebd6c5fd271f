SELECT @now AS now, count(*) AS held FROM "CustomerOrderToShip_Locks" WHERE Session = @session;

DELETE FROM "CustomerOrderToShip_Locks"
WHERE Session = @session;
