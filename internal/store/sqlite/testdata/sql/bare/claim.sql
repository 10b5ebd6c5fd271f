SELECT @now AS now, job.*, NULL AS braked, NULL AS brake_at, NULL AS brake_actor, NULL AS brake_login, NULL AS brake_reason
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         @token AS token,
         @now + @lease_ms AS lease,
         NULL AS attempts,
         NULL AS max_attempts,
         NULL AS operation,
         "Payload" AS payload
  FROM "QueueDemo"
  WHERE "State" = 'R'
  ORDER BY "JobId"
  LIMIT @n
) AS job ON TRUE;

UPDATE "QueueDemo"
SET "State" = 'W',
    "ClaimToken" = @token,
    "LeaseUntil" = @now + @lease_ms
WHERE "JobId" IN (
  SELECT "JobId"
  FROM "QueueDemo"
  WHERE "State" = 'R'
  ORDER BY "JobId"
  LIMIT @n);
