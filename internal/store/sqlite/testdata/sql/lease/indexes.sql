SELECT @now AS now,
       on_history, "index", clustered, "unique", disabled, page_locks, row_locks, filter, "column", descending
FROM (SELECT 1)
LEFT JOIN (
  SELECT 0 AS on_history, 'PRIMARY KEY' AS "index", 1 AS clustered, 1 AS "unique", 0 AS disabled, 0 AS page_locks, 1 AS row_locks,
         NULL AS filter, name AS "column", 0 AS descending, -1 AS seq, 0 AS seqno
  FROM pragma_table_info('QueueDemo')
  WHERE pk = 1 AND upper(type) = 'INTEGER'
  UNION ALL
  SELECT 0, list.name, 0, list."unique", 0, 0, 1,
         CASE WHEN list.partial THEN (SELECT substr(sql, instr(upper(sql), ' WHERE ') + 7) FROM sqlite_schema WHERE name = list.name) END,
         coalesce(info.name, ''), info."desc", list.seq, info.seqno
  FROM pragma_index_list('QueueDemo') AS list
  JOIN pragma_index_xinfo(list.name) AS info ON info.key = 1
  UNION ALL
  SELECT 1 AS on_history, 'PRIMARY KEY' AS "index", 1 AS clustered, 1 AS "unique", 0 AS disabled, 0 AS page_locks, 1 AS row_locks,
         NULL AS filter, name AS "column", 0 AS descending, -1 AS seq, 0 AS seqno
  FROM pragma_table_info('QueueDemo_History')
  WHERE pk = 1 AND upper(type) = 'INTEGER'
  UNION ALL
  SELECT 1, list.name, 0, list."unique", 0, 0, 1,
         CASE WHEN list.partial THEN (SELECT substr(sql, instr(upper(sql), ' WHERE ') + 7) FROM sqlite_schema WHERE name = list.name) END,
         coalesce(info.name, ''), info."desc", list.seq, info.seqno
  FROM pragma_index_list('QueueDemo_History') AS list
  JOIN pragma_index_xinfo(list.name) AS info ON info.key = 1
) ON TRUE
ORDER BY on_history, seq, seqno;
