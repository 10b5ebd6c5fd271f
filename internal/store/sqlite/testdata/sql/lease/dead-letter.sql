SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         'F' AS new_state,
         "ClaimToken" AS old_token,
         @action AS new_token,
         "LeaseUntil" AS old_lease,
         NULL AS new_lease,
         "Attempts" AS attempts,
         "ClaimedBy" AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = @state
) AS job ON TRUE;

INSERT INTO "QueueDemo_History"
  (At, Kind, JobId, Attempt, OldState, NewState, OldToken, NewToken, OldLease, NewLease, Worker, ClaimedAt, ActionId, Actor, Login, Reason)
  SELECT @now, 'dead-lettered', "JobId", "Attempts",
         "State", 'F',
         "ClaimToken", @action,
         "LeaseUntil", NULL,
         "ClaimedBy", "ClaimedAt",
         @action, @actor, NULL, @reason
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = @state;

UPDATE "QueueDemo"
SET "State" = 'F',
    "ClaimToken" = @action,
    "LeaseUntil" = NULL,
    "LastError" = @reason,
    "AvailableAt" = @now,
    "CompletedAt" = @now
WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = @state;
