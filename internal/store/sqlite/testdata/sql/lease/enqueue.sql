INSERT INTO "QueueDemo"
  ("State", "Payload", "Priority", "Attempts", "MaxAttempts", "TotalClaims", "AvailableAt", "EnqueuedAt", "OperationId")
  SELECT CASE WHEN coalesce(value ->> '$.delay_ms', 0) > 0 THEN 'S' ELSE 'R' END,
         value ->> '$.payload',
         coalesce(value ->> '$.priority', 100),
         0,
         coalesce(value ->> '$.max_attempts', 5),
         0,
         @now + max(coalesce(value ->> '$.delay_ms', 0), 0),
         @now,
         coalesce(value ->> '$.operation', upper(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))
  FROM json_each(@jobs)
  ORDER BY json_each.key
  RETURNING @now AS now, "JobId" AS key;
