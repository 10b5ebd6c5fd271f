SELECT @now AS now, job.*, 1 AS whole
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS state,
         "ClaimToken" AS token,
         "LeaseUntil" AS lease,
         "AvailableAt" AS available,
         "EnqueuedAt" AS enqueued,
         "ClaimedAt" AS claimed,
         "HeartbeatAt" AS heartbeat,
         "CompletedAt" AS ended,
         "ClaimedBy" AS worker,
         "Attempts" AS attempts,
         "MaxAttempts" AS max_attempts,
         "TotalClaims" AS total_claims,
         "Priority" AS priority,
         "LastError" AS error,
         "OperationId" AS operation
  FROM "QueueDemo"
  WHERE "OperationId" IN (@operation, upper(@operation), lower(@operation))
  ORDER BY "JobId"
  LIMIT @limit
) AS job ON TRUE;
