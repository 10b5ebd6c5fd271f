-- A viewer reads every column but the payload, which needs
-- GRANT SELECT ON [dbo].[QueueDemo] ([Payload]) TO [QueueDemo_Viewer];
GRANT SELECT ON [dbo].[QueueDemo] ([JobId], [State], [Priority], [ClaimToken], [LeaseUntil], [ClaimedBy], [Attempts], [MaxAttempts], [TotalClaims], [EnqueuedAt], [AvailableAt], [ClaimedAt], [HeartbeatAt], [CompletedAt], [LastError], [OperationId]) TO [QueueDemo_Viewer];
GRANT VIEW DEFINITION ON [dbo].[QueueDemo] TO [QueueDemo_Viewer];
GRANT SELECT ON [dbo].[QueueDemo_History] TO [QueueDemo_Viewer];
GRANT SELECT ON [dbo].[QueueDemo_Control] TO [QueueDemo_Viewer];
GRANT EXECUTE ON [dbo].[QueueDemo_Enqueue] TO [QueueDemo_Worker];
GRANT EXECUTE ON [dbo].[QueueDemo_Claim] TO [QueueDemo_Worker];
GRANT EXECUTE ON [dbo].[QueueDemo_Heartbeat] TO [QueueDemo_Worker];
GRANT EXECUTE ON [dbo].[QueueDemo_Complete] TO [QueueDemo_Worker];
GRANT EXECUTE ON [dbo].[QueueDemo_Fail] TO [QueueDemo_Worker];
GRANT EXECUTE ON [dbo].[QueueDemo_Release] TO [QueueDemo_Worker];
GRANT EXECUTE ON [dbo].[QueueDemo_Recover] TO [QueueDemo_Worker];
GRANT EXECUTE ON [dbo].[QueueDemo_Promote] TO [QueueDemo_Worker];
GRANT EXECUTE ON [dbo].[QueueDemo_Reclaim] TO [QueueDemo_Operator];
GRANT EXECUTE ON [dbo].[QueueDemo_ForceReclaim] TO [QueueDemo_Operator];
GRANT EXECUTE ON [dbo].[QueueDemo_Extend] TO [QueueDemo_Operator];
GRANT EXECUTE ON [dbo].[QueueDemo_Grant] TO [QueueDemo_Operator];
GRANT EXECUTE ON [dbo].[QueueDemo_DeadLetter] TO [QueueDemo_Operator];
GRANT EXECUTE ON [dbo].[QueueDemo_DeadLetterUnclaimed] TO [QueueDemo_Operator];
GRANT EXECUTE ON [dbo].[QueueDemo_Requeue] TO [QueueDemo_Operator];
GRANT EXECUTE ON [dbo].[QueueDemo_RequeueUnclaimed] TO [QueueDemo_Operator];
GRANT EXECUTE ON [dbo].[QueueDemo_Brake] TO [QueueDemo_Operator];
GRANT EXECUTE ON [dbo].[QueueDemo_ReleaseBrake] TO [QueueDemo_Operator];

