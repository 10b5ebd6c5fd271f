SELECT @now AS now, event.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT JobId AS key,
         At AS at,
         Kind AS kind,
         ActionId AS action,
         Actor AS actor,
         Login AS login,
         Reason AS reason,
         OldState AS old_state,
         NewState AS new_state,
         OldToken AS old_token,
         NewToken AS new_token,
         OldLease AS old_lease,
         NewLease AS new_lease,
         Attempt AS attempts,
         Worker AS worker,
         Seq AS seq
  FROM (SELECT * FROM "QueueDemo_History" WHERE Seq < 9223372036854775807 ORDER BY Seq DESC LIMIT @window)
  WHERE Worker = @worker
  ORDER BY Seq DESC
  LIMIT @limit
) AS event ON TRUE;
