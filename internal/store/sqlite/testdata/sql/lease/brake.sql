INSERT INTO "QueueDemo_History"
  (At, Kind, JobId, ActionId, Actor, Reason)
  SELECT @now, 'braked', 0, @action, @actor, @reason
  FROM "QueueDemo_Control"
  WHERE Id = 1 AND Braked = 0;

UPDATE "QueueDemo_Control"
SET Braked = 1,
    At = @now,
    Actor = @actor,
    Login = NULL,
    Reason = @reason,
    ActionId = @action
WHERE Id = 1 AND Braked = 0;

SELECT @now AS now, brake.Braked AS braked, brake.At AS brake_at, brake.Actor AS brake_actor,
       brake.Login AS brake_login, brake.Reason AS brake_reason,
       EXISTS (SELECT 1 FROM "QueueDemo_History" WHERE JobId = 0 AND ActionId = @action) AS mine
FROM (SELECT 1) AS always
LEFT JOIN "QueueDemo_Control" AS brake ON brake.Id = 1;
