SELECT @now AS now, job.*, brake.Braked AS braked, brake.At AS brake_at, brake.Actor AS brake_actor,
       brake.Login AS brake_login, brake.Reason AS brake_reason
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         @token AS token,
         @now + @lease_ms AS lease,
         "Attempts" + 1 AS attempts,
         "MaxAttempts" AS max_attempts,
         "OperationId" AS operation,
         "Payload" AS payload
  FROM "QueueDemo"
  WHERE "State" = 'R'
    AND "Attempts" < "MaxAttempts"
    AND NOT EXISTS (SELECT 1 FROM "QueueDemo_Control" WHERE Id = 1 AND Braked = 1)
  ORDER BY "Priority", "AvailableAt", "JobId"
  LIMIT @n
) AS job ON TRUE
LEFT JOIN "QueueDemo_Control" AS brake ON brake.Id = 1;

UPDATE "QueueDemo"
SET "State" = 'W',
    "ClaimToken" = @token,
    "LeaseUntil" = @now + @lease_ms,
    "Attempts" = "Attempts" + 1,
    "ClaimedAt" = @now,
    "HeartbeatAt" = NULL,
    "CompletedAt" = NULL,
    "ClaimedBy" = @worker,
    "TotalClaims" = "TotalClaims" + 1
WHERE "JobId" IN (
  SELECT "JobId"
  FROM "QueueDemo"
  WHERE "State" = 'R'
    AND "Attempts" < "MaxAttempts"
    AND NOT EXISTS (SELECT 1 FROM "QueueDemo_Control" WHERE Id = 1 AND Braked = 1)
  ORDER BY "Priority", "AvailableAt", "JobId"
  LIMIT @n);
