SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         CASE WHEN "Attempts" >= "MaxAttempts" THEN 'F' ELSE 'S' END AS new_state,
         "ClaimToken" AS old_token,
         @new_token AS new_token,
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
  SELECT @now, 'failed', "JobId", "Attempts",
         "State", CASE WHEN "Attempts" >= "MaxAttempts" THEN 'F' ELSE 'S' END,
         "ClaimToken", @new_token,
         "LeaseUntil", NULL,
         "ClaimedBy", "ClaimedAt",
         NULL, NULL, NULL, @error
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W';

UPDATE "QueueDemo"
SET "State" = CASE WHEN "Attempts" >= "MaxAttempts" THEN 'F' ELSE 'S' END,
    "ClaimToken" = @new_token,
    "LeaseUntil" = NULL,
    "LastError" = @error,
    "AvailableAt" = CASE WHEN "Attempts" >= "MaxAttempts" THEN @now ELSE @now + @delay_ms END,
    "CompletedAt" = CASE WHEN "Attempts" >= "MaxAttempts" THEN @now ELSE NULL END
WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W';
