SELECT @now AS now,
       count(*) FILTER (WHERE doomed) AS deleted,
       max(place) AS last,
       count(*) >= @n AS more
FROM (
  SELECT "JobId" AS place, "State" = 'D' AS doomed
  FROM "QueueDemo"
  WHERE "JobId" > coalesce(@after, -9223372036854775808) AND "JobId" <= @upto
  ORDER BY "JobId"
  LIMIT @n);

DELETE FROM "QueueDemo"
WHERE "JobId" IN (SELECT place FROM (
  SELECT "JobId" AS place, "State" = 'D' AS doomed
  FROM "QueueDemo"
  WHERE "JobId" > coalesce(@after, -9223372036854775808) AND "JobId" <= @upto
  ORDER BY "JobId"
  LIMIT @n) WHERE doomed);
