CREATE TABLE IF NOT EXISTS "QueueDemo" (
  "JobId" INTEGER PRIMARY KEY AUTOINCREMENT,
  "State" TEXT NOT NULL DEFAULT 'R',
  "Priority" INTEGER NOT NULL DEFAULT 100,
  "ClaimToken" TEXT,
  "LeaseUntil" INTEGER,
  "AvailableAt" INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  "EnqueuedAt" INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  "ClaimedAt" INTEGER,
  "HeartbeatAt" INTEGER,
  "CompletedAt" INTEGER,
  "ClaimedBy" TEXT,
  "Attempts" INTEGER NOT NULL DEFAULT 0,
  "MaxAttempts" INTEGER NOT NULL DEFAULT 5,
  "TotalClaims" INTEGER NOT NULL DEFAULT 0,
  "LastError" TEXT,
  "OperationId" TEXT NOT NULL DEFAULT (upper(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  "Payload" TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS "QueueDemo_History" (
  Seq       INTEGER PRIMARY KEY,
  At        INTEGER NOT NULL,
  Kind      TEXT    NOT NULL,
  JobId     INTEGER NOT NULL,
  Attempt   INTEGER,
  OldState  TEXT,
  NewState  TEXT,
  OldToken  TEXT,
  NewToken  TEXT,
  OldLease  INTEGER,
  NewLease  INTEGER,
  Worker    TEXT,
  ClaimedAt INTEGER,
  ActionId  TEXT,
  Actor     TEXT,
  Login     TEXT,
  Reason    TEXT
) STRICT;

CREATE TABLE IF NOT EXISTS "QueueDemo_Control" (
  Id       INTEGER PRIMARY KEY,
  Braked   INTEGER NOT NULL DEFAULT 0,
  At       INTEGER,
  Actor    TEXT,
  Login    TEXT,
  Reason   TEXT,
  ActionId TEXT
) STRICT;

INSERT OR IGNORE INTO "QueueDemo_Control" (Id) VALUES (1);

CREATE INDEX IF NOT EXISTS "IX_QueueDemo_Ready"
  ON "QueueDemo" ("Priority", "AvailableAt", "JobId") WHERE "State" = 'R';

CREATE INDEX IF NOT EXISTS "IX_QueueDemo_Working"
  ON "QueueDemo" ("LeaseUntil", "JobId") WHERE "State" = 'W';

CREATE INDEX IF NOT EXISTS "IX_QueueDemo_Scheduled"
  ON "QueueDemo" ("AvailableAt", "JobId") WHERE "State" = 'S';

CREATE INDEX IF NOT EXISTS "IX_QueueDemo_Failed"
  ON "QueueDemo" ("CompletedAt", "JobId") WHERE "State" = 'F';

CREATE INDEX IF NOT EXISTS "IX_QueueDemo_Operation"
  ON "QueueDemo" ("OperationId");

CREATE INDEX IF NOT EXISTS "IX_QueueDemo_History_Job"
  ON "QueueDemo_History" (JobId, Seq);

CREATE INDEX IF NOT EXISTS "IX_QueueDemo_History_Completed"
  ON "QueueDemo_History" (At) WHERE Kind = 'completed';
