WITH RECURSIVE oldest AS (
  SELECT "JobId" AS key,
         NULL AS priority,
         NULL AS available
  FROM "QueueDemo"
  WHERE "State" = 'R'
  ORDER BY "JobId"
  LIMIT 1
)
SELECT @now AS now, figure.*, worst.*, oldest.*, NULL AS braked, NULL AS brake_at, NULL AS brake_actor, NULL AS brake_login, NULL AS brake_reason
FROM (
  SELECT NULL AS scheduled,
         (SELECT count(*) FROM (SELECT 1 FROM "QueueDemo" WHERE "State" = 'R' LIMIT @cap + 1)) AS ready,
         (SELECT count(*) FROM (SELECT 1 FROM "QueueDemo" WHERE "State" = 'W' LIMIT @cap + 1)) AS working,
         (SELECT count(*) FROM (SELECT 1 FROM "QueueDemo" WHERE "State" = 'W' AND CAST(round(unixepoch("LeaseUntil", 'subsec') * 1000) AS INTEGER) < @now LIMIT @cap + 1)) AS expired,
         (
           SELECT count(*)
           FROM (SELECT "ClaimToken" AS token, "LeaseUntil" AS lease FROM "QueueDemo" WHERE "State" = 'W' LIMIT @cap + 1)
           WHERE token IS NULL OR lease IS NULL) AS corrupt,
         (SELECT count(*) FROM (SELECT 1 FROM "QueueDemo" WHERE "State" = 'F' LIMIT @cap + 1)) AS failed,
         NULL AS rows,
         NULL AS enqueued,
         NULL AS completed,
         (SELECT schema_version FROM pragma_schema_version) AS epoch
) AS figure
LEFT JOIN (
  SELECT "JobId" AS worst_key,
         CAST("LeaseUntil" AS TEXT) AS worst_lease
  FROM "QueueDemo"
  WHERE "State" = 'W' AND CAST(round(unixepoch("LeaseUntil", 'subsec') * 1000) AS INTEGER) < @now
  ORDER BY CAST(round(unixepoch("LeaseUntil", 'subsec') * 1000) AS INTEGER)
  LIMIT 1
) AS worst ON TRUE
LEFT JOIN oldest ON TRUE;
