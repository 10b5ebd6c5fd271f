SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         "State" AS new_state,
         "ClaimToken" AS old_token,
         "ClaimToken" AS new_token,
         "LeaseUntil" AS old_lease,
         (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms AS new_lease,
         NULL AS attempts,
         NULL AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token COLLATE NOCASE
    AND "State" = 'W'
    AND "LeaseUntil" < (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms
) AS job ON TRUE;

UPDATE "QueueDemo"
SET "LeaseUntil" = (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms
WHERE "JobId" = @key
    AND "ClaimToken" = @token COLLATE NOCASE
    AND "State" = 'W'
    AND "LeaseUntil" < (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms;
