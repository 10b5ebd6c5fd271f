CREATE TABLE IF NOT EXISTS "CustomerOrderToShip" (
  "QDateTime" INTEGER NOT NULL,
  "CustomerID" INTEGER NOT NULL,
  "OrderID" INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS "IX_CustomerOrderToShip_Order"
  ON "CustomerOrderToShip" ("QDateTime");

CREATE TABLE IF NOT EXISTS "CustomerOrderToShip_Dead" (
  "QDateTime" INTEGER NOT NULL,
  "CustomerID" INTEGER NOT NULL,
  "OrderID" INTEGER NOT NULL,
  DeadAt INTEGER NOT NULL,
  Reason TEXT,
  Actor TEXT,
  Login TEXT,
  ActionId TEXT
) STRICT;

CREATE INDEX IF NOT EXISTS "IX_CustomerOrderToShip_Dead_DeadAt"
  ON "CustomerOrderToShip_Dead" (DeadAt);

CREATE INDEX IF NOT EXISTS "IX_CustomerOrderToShip_Dead_Action"
  ON "CustomerOrderToShip_Dead" (ActionId);

CREATE TABLE IF NOT EXISTS "CustomerOrderToShip_Locks" (
  Row INTEGER PRIMARY KEY,
  Session TEXT NOT NULL,
  Beat INTEGER NOT NULL,
  ActionId TEXT,
  Actor TEXT,
  Reason TEXT
) STRICT;

CREATE INDEX IF NOT EXISTS "IX_CustomerOrderToShip_Locks_Session"
  ON "CustomerOrderToShip_Locks" (Session);
