SELECT @now AS now, job.*, (EXISTS (SELECT 1 FROM "QueueDemo" WHERE "State" = 'S' LIMIT 1 OFFSET @window) OR EXISTS (SELECT 1 FROM "QueueDemo" WHERE "State" = 'R' LIMIT 1 OFFSET @window) OR EXISTS (SELECT 1 FROM "QueueDemo" WHERE "State" = 'W' LIMIT 1 OFFSET @window)) AS cut
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
    SELECT * FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'S' LIMIT @window)
    UNION ALL
    SELECT * FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'R' LIMIT @window)
    UNION ALL
    SELECT * FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'W' LIMIT @window)
  )
  WHERE ("TotalClaims" > 1 OR "Attempts" > 0 AND "State" <> 'W')
  ORDER BY "TotalClaims" DESC, "JobId"
  LIMIT @limit
) AS job ON TRUE;
