SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         'R' AS new_state,
         "ClaimToken" AS old_token,
         @action AS new_token,
         CAST("LeaseUntil" AS TEXT) AS old_lease,
         NULL AS new_lease,
         0 AS attempts,
         NULL AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" IS NULL
    AND "State" = 'F'
) AS job ON TRUE;

UPDATE "QueueDemo"
SET "State" = 'R',
    "ClaimToken" = @action,
    "LeaseUntil" = NULL
WHERE "JobId" = @key
    AND "ClaimToken" IS NULL
    AND "State" = 'F';
