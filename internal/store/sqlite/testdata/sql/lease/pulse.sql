WITH RECURSIVE step(priority, n) AS (
  SELECT NULL, 0
  UNION ALL
  SELECT min("Priority"), 1 FROM "QueueDemo" WHERE "State" = 'R'
  UNION ALL
  SELECT (SELECT min("Priority") FROM "QueueDemo" WHERE "State" = 'R' AND "Priority" > step.priority), n + 1
  FROM step
  WHERE priority IS NOT NULL AND n < 8
), oldest AS (
  SELECT "JobId" AS key,
         step.priority AS priority,
         "AvailableAt" AS available
  FROM step
  CROSS JOIN "QueueDemo" ON "JobId" = (
    SELECT "JobId" FROM "QueueDemo" WHERE "State" = 'R' AND "Priority" IS step.priority ORDER BY "Priority", "AvailableAt", "JobId" LIMIT 1)
  WHERE n = 0 OR step.priority IS NOT NULL
)
SELECT @now AS now, figure.*, worst.*, oldest.*, brake.Braked AS braked, brake.At AS brake_at, brake.Actor AS brake_actor,
       brake.Login AS brake_login, brake.Reason AS brake_reason
FROM (
  SELECT (SELECT count(*) FROM (SELECT 1 FROM "QueueDemo" WHERE "State" = 'S' LIMIT @cap + 1)) AS scheduled,
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
         coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'QueueDemo' COLLATE NOCASE), 0) AS enqueued,
         (
           SELECT count(*)
           FROM (
             SELECT 1 FROM "QueueDemo_History"
             WHERE Kind = 'completed' AND At > coalesce(@since, @now - 60000) AND At <= @now
             LIMIT @cap + 1)) AS completed,
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
LEFT JOIN oldest ON TRUE
LEFT JOIN "QueueDemo_Control" AS brake ON brake.Id = 1;
