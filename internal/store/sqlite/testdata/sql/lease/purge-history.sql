SELECT @now AS now,
       count(*) FILTER (WHERE doomed) AS deleted,
       max(place) AS last,
       count(*) FILTER (WHERE doomed) >= @n AS more
FROM (
  SELECT Seq AS place, At < @until AS doomed
  FROM "QueueDemo_History"
  WHERE Seq > -9223372036854775808
  ORDER BY Seq
  LIMIT @n);

DELETE FROM "QueueDemo_History"
WHERE Seq IN (SELECT place FROM (
  SELECT Seq AS place, At < @until AS doomed
  FROM "QueueDemo_History"
  WHERE Seq > -9223372036854775808
  ORDER BY Seq
  LIMIT @n) WHERE doomed);
