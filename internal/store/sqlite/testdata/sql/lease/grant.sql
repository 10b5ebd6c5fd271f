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
         "Attempts" AS attempts,
         "ClaimedBy" AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W'
    AND "LeaseUntil" < @now
    AND "Attempts" >= "MaxAttempts"
) AS job ON TRUE;

INSERT INTO "QueueDemo_History"
  (At, Kind, JobId, Attempt, OldState, NewState, OldToken, NewToken, OldLease, NewLease, Worker, ClaimedAt, ActionId, Actor, Login, Reason)
  SELECT @now, 'reclaimed', "JobId", "Attempts",
         "State", 'R',
         "ClaimToken", @action,
         "LeaseUntil", NULL,
         "ClaimedBy", "ClaimedAt",
         @action, @actor, NULL, @reason
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W'
    AND "LeaseUntil" < @now
    AND "Attempts" >= "MaxAttempts";

UPDATE "QueueDemo"
SET "State" = 'R',
    "ClaimToken" = @action,
    "LeaseUntil" = NULL,
    "AvailableAt" = @now,
    "MaxAttempts" = "Attempts" + 1
WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W'
    AND "LeaseUntil" < @now
    AND "Attempts" >= "MaxAttempts";
