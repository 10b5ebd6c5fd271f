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
