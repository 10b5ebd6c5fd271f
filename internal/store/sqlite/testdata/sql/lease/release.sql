SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         'R' AS new_state,
         "ClaimToken" AS old_token,
         @new_token AS new_token,
         "LeaseUntil" AS old_lease,
         NULL AS new_lease,
         max("Attempts" - 1, 0) AS attempts,
         "ClaimedBy" AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W'
) AS job ON TRUE;

INSERT INTO "QueueDemo_History"
  (At, Kind, JobId, Attempt, OldState, NewState, OldToken, NewToken, OldLease, NewLease, Worker, ClaimedAt, ActionId, Actor, Login, Reason)
  SELECT @now, 'released', "JobId", "Attempts",
         "State", 'R',
         "ClaimToken", @new_token,
         "LeaseUntil", NULL,
         "ClaimedBy", "ClaimedAt",
         NULL, NULL, NULL, NULL
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W';

UPDATE "QueueDemo"
SET "State" = 'R',
    "ClaimToken" = @new_token,
    "LeaseUntil" = NULL,
    "Attempts" = max("Attempts" - 1, 0),
    "AvailableAt" = @now
WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W';
