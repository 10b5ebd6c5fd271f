WITH tail AS MATERIALIZED (
  SELECT * FROM "QueueDemo_History" WHERE Seq < 9223372036854775807 ORDER BY Seq DESC LIMIT @window
)
SELECT @now AS now, line.*, (SELECT max(coalesce(min(At), 0), @now - @over_ms) FROM tail) AS since
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT 1 AS there,
         worker,
         sum(lease) AS leases,
         sum(late) AS expired,
         max(seen) AS seen,
         min(claimed) AS claimed,
         sum(done) AS done,
         sum(failed) AS failed
  FROM (
    SELECT * FROM (
      SELECT "ClaimedBy" AS worker,
             1 AS lease,
             "LeaseUntil" < @now AS late,
             coalesce("HeartbeatAt", "ClaimedAt") AS seen,
             "ClaimedAt" AS claimed,
             0 AS done,
             0 AS failed
      FROM "QueueDemo"
      WHERE "State" = 'W'
      LIMIT @cap + 1)
    UNION ALL
    SELECT Worker, 0, 0, iif(Kind <> 'expired', At, NULL), NULL, Kind = 'completed', Kind IN ('failed', 'expired')
    FROM tail
    WHERE At > @now - @over_ms AND Kind IN ('completed', 'failed', 'expired', 'released')
  )
  GROUP BY worker
  ORDER BY expired DESC, leases DESC, worker
  LIMIT @limit
) AS line ON TRUE;
