WITH RECURSIVE step(priority, n) AS (
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
    SELECT "JobId" FROM "QueueDemo" WHERE "State" = 'R' AND "Priority" = step.priority ORDER BY "Priority", "AvailableAt", "JobId" LIMIT 1)
)
SELECT @now AS now, figure.*, worst.*, oldest.*
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
         coalesce((SELECT max(rowid) FROM "QueueDemo") - (SELECT min(rowid) FROM "QueueDemo") + 1, 0) AS rows,
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
LEFT JOIN oldest ON TRUE;
