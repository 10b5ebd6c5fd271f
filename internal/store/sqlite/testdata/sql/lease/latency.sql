WITH tail AS MATERIALIZED (
  SELECT * FROM "QueueDemo_History" WHERE Seq < 9223372036854775807 ORDER BY Seq DESC LIMIT @window
), done AS (
  SELECT At - ClaimedAt AS took,
         row_number() OVER (ORDER BY At - ClaimedAt) AS place,
         count(*) OVER () AS whole
  FROM tail
  WHERE At > @now - @over_ms AND Kind = 'completed' AND ClaimedAt IS NOT NULL
)
SELECT @now AS now,
       count(*) AS n,
       min(iif(place * 100 >= whole * 50, took, NULL)) AS p50_ms,
       min(iif(place * 100 >= whole * 95, took, NULL)) AS p95_ms,
       min(iif(place * 100 >= whole * 99, took, NULL)) AS p99_ms,
       (SELECT max(coalesce(min(At), 0), @now - @over_ms) FROM tail) AS since
FROM done;
