SELECT @now AS now, job.*, NOT (EXISTS (SELECT 1 FROM "QueueDemo" WHERE "State" = 'W' LIMIT 1 OFFSET @window)) AS whole
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
  FROM (
    SELECT * FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'W' LIMIT @window)
  )
  WHERE "ClaimedBy" = @worker
  ORDER BY "JobId"
  LIMIT @limit
) AS job ON TRUE;
