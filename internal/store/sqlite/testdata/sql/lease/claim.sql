SELECT @now AS now, job.*
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
  ORDER BY "Priority", "AvailableAt", "JobId"
  LIMIT @n
) AS job ON TRUE;

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
  ORDER BY "Priority", "AvailableAt", "JobId"
  LIMIT @n);
