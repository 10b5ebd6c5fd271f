SELECT @now AS now, brake.Braked AS braked, brake.At AS brake_at, brake.Actor AS brake_actor,
       brake.Login AS brake_login, brake.Reason AS brake_reason
FROM (SELECT 1) AS always
LEFT JOIN "QueueDemo_Control" AS brake ON brake.Id = 1;
