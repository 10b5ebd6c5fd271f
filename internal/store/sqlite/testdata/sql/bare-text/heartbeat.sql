SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         "State" AS new_state,
         "ClaimToken" AS old_token,
         "ClaimToken" AS new_token,
         CAST("LeaseUntil" AS TEXT) AS old_lease,
         CASE WHEN CAST(round(unixepoch("LeaseUntil", 'subsec') * 1000) AS INTEGER) >= @now + @lease_ms THEN CAST("LeaseUntil" AS TEXT) ELSE strftime('%Y-%m-%dT%H:%M:%f', (@now + @lease_ms) / 1000.0, 'unixepoch') END AS new_lease,
         NULL AS attempts,
         NULL AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token COLLATE NOCASE
    AND "State" = 'W'
) AS job ON TRUE;

UPDATE "QueueDemo"
SET "LeaseUntil" = CASE WHEN CAST(round(unixepoch("LeaseUntil", 'subsec') * 1000) AS INTEGER) >= @now + @lease_ms THEN CAST("LeaseUntil" AS TEXT) ELSE strftime('%Y-%m-%dT%H:%M:%f', (@now + @lease_ms) / 1000.0, 'unixepoch') END
WHERE "JobId" = @key
    AND "ClaimToken" = @token COLLATE NOCASE
    AND "State" = 'W';
