SELECT @now AS now, figure.*, side.*
FROM (
  SELECT NULL AS clock,
         (SELECT count(*) FROM (SELECT 1 FROM "CustomerOrderToShip" LIMIT @cap + 1)) AS depth,
         (
           SELECT CASE WHEN few <= 100 THEN few ELSE high - low + 1 - (high - low + 1) / 32 * (
             WITH RECURSIVE place(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM place WHERE n < 31)
             SELECT count(*) FROM place WHERE NOT EXISTS (SELECT 1 FROM "CustomerOrderToShip" WHERE rowid = low + (high - low) / 64 * (2 * n + 1))) END
           FROM (
             SELECT low, high, (SELECT count(*) FROM (SELECT 1 FROM "CustomerOrderToShip" WHERE rowid >= low LIMIT 101)) AS few
             FROM (SELECT (SELECT min(rowid) FROM "CustomerOrderToShip") AS low, (SELECT max(rowid) FROM "CustomerOrderToShip") AS high))) AS rows,
         (SELECT count(*) FROM "CustomerOrderToShip_Locks" WHERE Beat > @now - 5000) AS locked,
         (SELECT count(*) FROM (SELECT 1 FROM "CustomerOrderToShip_Dead" LIMIT @cap + 1)) AS dead,
         (
           SELECT count(*)
           FROM (SELECT 1 FROM "CustomerOrderToShip" WHERE "QDateTime" > coalesce(@since, @now - 60000) AND "QDateTime" <= @now LIMIT @cap + 1)) AS arrived,
         NULL AS inserted,
         NULL AS deleted,
         (SELECT schema_version FROM pragma_schema_version) AS epoch
) AS figure
LEFT JOIN (
  SELECT * FROM (
  SELECT 1 AS present,
         'head' AS "end",
         "q"."QDateTime" AS key,
         "q"."CustomerID" AS key2,
         "q"."OrderID" AS key3
  FROM "CustomerOrderToShip" AS q
  ORDER BY "q"."QDateTime", "q"."rowid"
  LIMIT 1)
  UNION ALL
  SELECT * FROM (
  SELECT 1 AS present,
         'tail' AS "end",
         "q"."QDateTime" AS key,
         "q"."CustomerID" AS key2,
         "q"."OrderID" AS key3
  FROM "CustomerOrderToShip" AS q
  ORDER BY "q"."QDateTime" DESC, "q"."rowid" DESC
  LIMIT 1)
) AS side ON TRUE;
