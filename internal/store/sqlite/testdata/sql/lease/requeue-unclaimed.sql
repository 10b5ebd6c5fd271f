SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         'R' AS new_state,
         "ClaimToken" AS old_token,
         @action AS new_token,
         "LeaseUntil" AS old_lease,
         NULL AS new_lease,
         0 AS attempts,
         "ClaimedBy" AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" IS NULL
    AND "State" = 'F'
) AS job ON TRUE;

INSERT INTO "QueueDemo_History"
  (At, Kind, JobId, Attempt, OldState, NewState, OldToken, NewToken, OldLease, NewLease, Worker, ClaimedAt, ActionId, Actor, Login, Reason)
  SELECT @now, 'requeued', "JobId", "Attempts",
         "State", 'R',
         "ClaimToken", @action,
         "LeaseUntil", NULL,
         "ClaimedBy", "ClaimedAt",
         @action, @actor, NULL, @reason
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" IS NULL
    AND "State" = 'F';

UPDATE "QueueDemo"
SET "State" = 'R',
    "ClaimToken" = @action,
    "LeaseUntil" = NULL,
    "Attempts" = 0,
    "AvailableAt" = @now,
    "CompletedAt" = NULL
WHERE "JobId" = @key
    AND "ClaimToken" IS NULL
    AND "State" = 'F';
