SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         "State" AS new_state,
         "ClaimToken" AS old_token,
         "ClaimToken" AS new_token,
         CAST("LeaseUntil" AS TEXT) AS old_lease,
         strftime('%Y-%m-%dT%H:%M:%f', ((@now + @by_s * 1000) / 1000 * 1000 + @mark_ms) / 1000.0, 'unixepoch') AS new_lease,
         NULL AS attempts,
         NULL AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token COLLATE NOCASE
    AND "State" = 'W'
    AND CAST(round(unixepoch("LeaseUntil", 'subsec') * 1000) AS INTEGER) < (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms
) AS job ON TRUE;

UPDATE "QueueDemo"
SET "LeaseUntil" = strftime('%Y-%m-%dT%H:%M:%f', ((@now + @by_s * 1000) / 1000 * 1000 + @mark_ms) / 1000.0, 'unixepoch')
WHERE "JobId" = @key
    AND "ClaimToken" = @token COLLATE NOCASE
    AND "State" = 'W'
    AND CAST(round(unixepoch("LeaseUntil", 'subsec') * 1000) AS INTEGER) < (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms;
