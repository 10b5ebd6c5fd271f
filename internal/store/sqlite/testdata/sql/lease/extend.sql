SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT "JobId" AS key,
         "State" AS old_state,
         "State" AS new_state,
         "ClaimToken" AS old_token,
         "ClaimToken" AS new_token,
         "LeaseUntil" AS old_lease,
         (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms AS new_lease,
         "Attempts" AS attempts,
         "ClaimedBy" AS worker
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W'
    AND "LeaseUntil" < (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms
) AS job ON TRUE;

INSERT INTO "QueueDemo_History"
  (At, Kind, JobId, Attempt, OldState, NewState, OldToken, NewToken, OldLease, NewLease, Worker, ClaimedAt, ActionId, Actor, Login, Reason)
  SELECT @now, 'extended', "JobId", "Attempts",
         "State", "State",
         "ClaimToken", "ClaimToken",
         "LeaseUntil", (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms,
         "ClaimedBy", "ClaimedAt",
         @action, @actor, NULL, @reason
  FROM "QueueDemo"
  WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W'
    AND "LeaseUntil" < (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms;

UPDATE "QueueDemo"
SET "LeaseUntil" = (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms
WHERE "JobId" = @key
    AND "ClaimToken" = @token
    AND "State" = 'W'
    AND "LeaseUntil" < (@now + @by_s * 1000) / 1000 * 1000 + @mark_ms;
