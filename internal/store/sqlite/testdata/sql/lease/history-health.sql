SELECT @now AS now, x.*
FROM (SELECT 1)
LEFT JOIN (
  SELECT * FROM (
    SELECT 'step-back' AS rule, count(*) OVER () AS rows, CAST(Seq AS TEXT) AS value, before - At AS ms
    FROM (
      SELECT Seq, At, max(At) OVER (ORDER BY Seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM (SELECT Seq, At FROM "QueueDemo_History" ORDER BY Seq DESC LIMIT @limit))
    WHERE before > At + 10000
    ORDER BY ms DESC
    LIMIT 1)
  UNION ALL
  SELECT 'oldest', NULL, NULL, @now - At
  FROM (SELECT At FROM "QueueDemo_History" ORDER BY Seq LIMIT 1)
) AS x ON TRUE;
