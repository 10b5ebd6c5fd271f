SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         'D' AS new_state,
         "ClaimToken" AS old_token,
         "ClaimToken" AS new_token,
         "LeaseUntil" AS old_lease,
         NULL AS new_lease,
         "Attempts" AS attempts,
         "ClaimedBy" AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W'
) AS job ON TRUE;

INSERT INTO "QueueDemo_History"
  (At, Kind, JobId, Attempt, OldState, NewState, OldToken, NewToken, OldLease, NewLease, Worker, ClaimedAt, ActionId, Actor, Login, Reason)
  SELECT @now, 'completed', "JobId", "Attempts",
         "State", 'D',
         "ClaimToken", "ClaimToken",
         "LeaseUntil", NULL,
         "ClaimedBy", "ClaimedAt",
         NULL, NULL, NULL, NULL
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W';

UPDATE "QueueDemo"
SET "State" = 'D',
    "LeaseUntil" = NULL,
    "CompletedAt" = @now
WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W';
