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
  WHERE "State" = 'W'
    AND "LeaseUntil" < @now - @grace_ms
  ORDER BY "LeaseUntil", "JobId"
  LIMIT @limit
) AS job ON TRUE;

INSERT INTO "QueueDemo_History"
  (At, Kind, JobId, Attempt, OldState, NewState, OldToken, NewToken, OldLease, NewLease, Worker, ClaimedAt, ActionId, Actor, Login, Reason)
  SELECT @now, 'expired', "JobId", "Attempts",
         "State", CASE WHEN "Attempts" >= "MaxAttempts" THEN 'F' ELSE 'S' END,
         "ClaimToken", @new_token,
         "LeaseUntil", NULL,
         "ClaimedBy", "ClaimedAt",
         NULL, NULL, NULL, 'lease expired, no word from the worker'
  FROM "QueueDemo"
  WHERE "State" = 'W'
    AND "LeaseUntil" < @now - @grace_ms
  ORDER BY "LeaseUntil", "JobId"
  LIMIT @limit;

UPDATE "QueueDemo"
SET "State" = CASE WHEN "Attempts" >= "MaxAttempts" THEN 'F' ELSE 'S' END,
    "ClaimToken" = @new_token,
    "LeaseUntil" = NULL,
    "LastError" = 'lease expired, no word from the worker',
    "AvailableAt" = CASE WHEN "Attempts" >= "MaxAttempts" THEN @now ELSE @now + min(@max_ms, (@base_ms << min(max("Attempts" - 1, 0), 24))) * @jitter_pct / 100 END,
    "CompletedAt" = CASE WHEN "Attempts" >= "MaxAttempts" THEN @now ELSE NULL END
WHERE "JobId" IN (
  SELECT "JobId"
  FROM "QueueDemo"
  WHERE "State" = 'W'
    AND "LeaseUntil" < @now - @grace_ms
  ORDER BY "LeaseUntil", "JobId"
  LIMIT @limit);
