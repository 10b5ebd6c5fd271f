INSERT INTO "QueueDemo"
  ("State", "Payload")
  SELECT 'R',
         value ->> '$.payload'
  FROM json_each(@jobs)
  ORDER BY json_each.key
  RETURNING @now AS now, "JobId" AS key;
