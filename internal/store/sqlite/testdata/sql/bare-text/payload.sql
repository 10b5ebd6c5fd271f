SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT CAST(substr("Payload", 1, @max) AS TEXT) AS payload,
         octet_length("Payload") AS bytes
  FROM "QueueDemo"
  WHERE "JobId" = @key
) AS job ON TRUE;
