SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         "State" AS new_state,
         "ClaimToken" AS old_token,
         "ClaimToken" AS new_token,
         "LeaseUntil" AS old_lease,
         CASE WHEN "LeaseUntil" >= @now + @lease_ms THEN "LeaseUntil" ELSE @now + @lease_ms END AS new_lease,
         NULL AS attempts,
         NULL AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token COLLATE NOCASE
    AND "State" = 'W'
) AS job ON TRUE;

UPDATE "QueueDemo"
SET "LeaseUntil" = CASE WHEN "LeaseUntil" >= @now + @lease_ms THEN "LeaseUntil" ELSE @now + @lease_ms END
WHERE "JobId" = @key
    AND "ClaimToken" = @token COLLATE NOCASE
    AND "State" = 'W';
