SELECT @now AS now,
       count(*) FILTER (WHERE doomed) AS deleted,
       max(place) AS last,
       count(*) >= @n AS more
FROM (
  SELECT "JobId" AS place, TRUE AS doomed
  FROM "QueueDemo"
  WHERE "State" = 'F' AND "CompletedAt" < @until
  ORDER BY "CompletedAt", "JobId"
  LIMIT @n);

DELETE FROM "QueueDemo"
WHERE "JobId" IN (SELECT place FROM (
  SELECT "JobId" AS place, TRUE AS doomed
  FROM "QueueDemo"
  WHERE "State" = 'F' AND "CompletedAt" < @until
  ORDER BY "CompletedAt", "JobId"
  LIMIT @n) WHERE doomed);
