INSERT INTO "CustomerOrderToShip_Dead" ("QDateTime", "CustomerID", "OrderID", DeadAt, Reason, Actor, ActionId)
  VALUES (@key, @key2, @key3, @now, @reason, @actor, @action)
  RETURNING @now AS now, 1 AS present, NULL AS clock, "QDateTime" AS key,
         "CustomerID" AS key2,
         "OrderID" AS key3;
