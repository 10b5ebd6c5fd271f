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
         (SELECT count(*) FROM (SELECT 1 FROM "QueueDemo" WHERE "State" = 'W' AND "LeaseUntil" < @now LIMIT @cap + 1)) AS expired,
         (
           SELECT count(*)
           FROM (SELECT "ClaimToken" AS token, "LeaseUntil" AS lease FROM "QueueDemo" WHERE "State" = 'W' LIMIT @cap + 1)
           WHERE token IS NULL OR lease IS NULL) AS corrupt,
         (SELECT count(*) FROM (SELECT 1 FROM "QueueDemo" WHERE "State" = 'F' LIMIT @cap + 1)) AS failed,
         (
           SELECT CASE WHEN few <= 100 THEN few ELSE high - low + 1 - (high - low + 1) / 32 * (
             WITH RECURSIVE place(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM place WHERE n < 31)
             SELECT count(*) FROM place WHERE NOT EXISTS (SELECT 1 FROM "QueueDemo" WHERE rowid = low + (high - low) / 64 * (2 * n + 1))) END
           FROM (
             SELECT low, high, (SELECT count(*) FROM (SELECT 1 FROM "QueueDemo" WHERE rowid >= low LIMIT 101)) AS few
             FROM (SELECT (SELECT min(rowid) FROM "QueueDemo") AS low, (SELECT max(rowid) FROM "QueueDemo") AS high))) AS rows,
         coalesce((SELECT max(rowid) FROM "QueueDemo"), 0) AS enqueued,
         NULL AS completed,
         (SELECT schema_version FROM pragma_schema_version) AS epoch
) AS figure
LEFT JOIN (
  SELECT "JobId" AS worst_key,
         "LeaseUntil" AS worst_lease
  FROM "QueueDemo"
  WHERE "State" = 'W' AND "LeaseUntil" < @now
  ORDER BY "LeaseUntil"
  LIMIT 1
) AS worst ON TRUE
LEFT JOIN oldest ON TRUE;
