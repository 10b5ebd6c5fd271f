SELECT @now AS now,
       'SQLite' AS edition, 0 AS online, NULL AS versions, NULL AS snapshot, NULL AS optimized, NULL AS offset_min,
       NULL AS identity, NULL AS identity_type, NULL AS identity_last,
       (SELECT count(*) FROM pragma_table_info('QueueDemo') WHERE name = 'JobId' COLLATE NOCASE AND "notnull" = 0 AND pk = 0) AS nullable_keys,
       (
           SELECT CASE WHEN few <= 100 THEN few ELSE high - low + 1 - (high - low + 1) / 32 * (
             WITH RECURSIVE place(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM place WHERE n < 31)
             SELECT count(*) FROM place WHERE NOT EXISTS (SELECT 1 FROM "QueueDemo" WHERE rowid = low + (high - low) / 64 * (2 * n + 1))) END
           FROM (
             SELECT low, high, (SELECT count(*) FROM (SELECT 1 FROM "QueueDemo" WHERE rowid >= low LIMIT 101)) AS few
             FROM (SELECT (SELECT min(rowid) FROM "QueueDemo") AS low, (SELECT max(rowid) FROM "QueueDemo") AS high))) AS rows,
       NULL AS events,
       (SELECT CASE WHEN count(*) = 1 THEN min(name) END FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'QueueDemo' COLLATE NOCASE) AS own_trigger,
       NULL AS triggers, NULL AS "trigger", NULL AS foreign_keys, NULL AS foreign_key, NULL AS foreign_schema, NULL AS foreign_table,
       NULL AS checks, NULL AS "check",
       NULL AS may_insert, NULL AS may_update, NULL AS may_recall, NULL AS may_record, NULL AS sees_sessions;
