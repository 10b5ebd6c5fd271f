SELECT @now AS now, x.*
FROM (SELECT 1)
LEFT JOIN (
  SELECT * FROM (
    SELECT "JobId" AS key, 'working-without-token' AS rule, count(*) OVER () AS rows, NULL AS value, NULL AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'W' LIMIT @cap)
    WHERE "ClaimToken" IS NULL
    ORDER BY "JobId"
    LIMIT 1)
  UNION ALL
  SELECT * FROM (
    SELECT "JobId" AS key, 'working-without-lease' AS rule, count(*) OVER () AS rows, NULL AS value, NULL AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'W' LIMIT @cap)
    WHERE "LeaseUntil" IS NULL
    ORDER BY "JobId"
    LIMIT 1)
  UNION ALL
  SELECT * FROM (
    SELECT "JobId" AS key, 'scheduled-without-time' AS rule, count(*) OVER () AS rows, NULL AS value, NULL AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'S' LIMIT @cap)
    WHERE "AvailableAt" IS NULL
    ORDER BY "JobId"
    LIMIT 1)
  UNION ALL
  SELECT * FROM (
    SELECT "JobId" AS key, 'failed-without-time' AS rule, count(*) OVER () AS rows, NULL AS value, NULL AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'F' LIMIT @cap)
    WHERE "CompletedAt" IS NULL
    ORDER BY "JobId"
    LIMIT 1)
  UNION ALL
  SELECT * FROM (
    SELECT "JobId" AS key, 'attempts-over-bound' AS rule, count(*) OVER () AS rows, NULL AS value, NULL AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'W' LIMIT @cap)
    WHERE "Attempts" > "MaxAttempts"
    ORDER BY "JobId"
    LIMIT 1)
  UNION ALL
  SELECT * FROM (
    SELECT "JobId" AS key, 'ready-at-bound' AS rule, count(*) OVER () AS rows, NULL AS value, NULL AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'R' LIMIT @cap)
    WHERE "Attempts" >= "MaxAttempts"
    ORDER BY "JobId"
    LIMIT 1)
  UNION ALL
  SELECT * FROM (
    SELECT NULL AS key, 'token-of-several-claims' AS rule, count(*) OVER () AS rows, "ClaimToken" AS value, NULL AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'W' LIMIT @cap)
    WHERE "ClaimToken" IS NOT NULL
    GROUP BY "ClaimToken"
    HAVING min("ClaimedAt") <> max("ClaimedAt") OR min("ClaimedBy") <> max("ClaimedBy")
    ORDER BY "ClaimToken"
    LIMIT 1)
  UNION ALL
  SELECT * FROM (
    SELECT NULL AS key, 'newest' AS rule, NULL AS rows, 'claimed' AS value, @now - max("ClaimedAt") AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'W' LIMIT @cap))
  WHERE ms IS NOT NULL
  UNION ALL
  SELECT * FROM (
    SELECT NULL AS key, 'newest' AS rule, NULL AS rows, 'heartbeat' AS value, @now - max("HeartbeatAt") AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'W' LIMIT @cap))
  WHERE ms IS NOT NULL
  UNION ALL
  SELECT * FROM (
    SELECT NULL AS key, 'newest' AS rule, NULL AS rows, 'enqueued' AS value, @now - max("EnqueuedAt") AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'R' LIMIT @cap))
  WHERE ms IS NOT NULL
  UNION ALL
  SELECT * FROM (
    SELECT "JobId" AS key, 'done-with-lease' AS rule, count(*) OVER () AS rows, NULL AS value, NULL AS ms
    FROM (SELECT * FROM "QueueDemo" WHERE "State" = 'D' LIMIT @cap)
    WHERE "LeaseUntil" IS NOT NULL
    ORDER BY "JobId"
    LIMIT 1)
  UNION ALL
  SELECT NULL AS key, 'state' AS rule, NULL AS rows, coalesce(CAST("State" AS TEXT), 'NULL') AS value, NULL AS ms
  FROM "QueueDemo"
  GROUP BY "State"
) AS x ON TRUE;
