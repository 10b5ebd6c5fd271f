SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS state,
         "ClaimToken" AS token,
         CAST("LeaseUntil" AS TEXT) AS lease,
         NULL AS available,
         NULL AS enqueued,
         NULL AS claimed,
         NULL AS heartbeat,
         NULL AS ended,
         NULL AS worker,
         NULL AS attempts,
         NULL AS max_attempts,
         NULL AS total_claims,
         NULL AS priority,
         NULL AS error,
         NULL AS operation
  FROM "QueueDemo"
  WHERE "State" = 'F'
  ORDER BY "JobId" DESC
  LIMIT @limit
) AS job ON TRUE;
