SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         'R' AS new_state,
         "ClaimToken" AS old_token,
         "ClaimToken" AS new_token,
         "LeaseUntil" AS old_lease,
         "LeaseUntil" AS new_lease,
         "Attempts" AS attempts,
         "ClaimedBy" AS worker
  FROM "QueueDemo"
  WHERE "State" = 'S'
    AND "AvailableAt" <= @now
  ORDER BY "AvailableAt", "JobId"
  LIMIT @limit
) AS job ON TRUE;

UPDATE "QueueDemo"
SET "State" = 'R'
WHERE "JobId" IN (
  SELECT "JobId"
  FROM "QueueDemo"
  WHERE "State" = 'S'
    AND "AvailableAt" <= @now
  ORDER BY "AvailableAt", "JobId"
  LIMIT @limit);
