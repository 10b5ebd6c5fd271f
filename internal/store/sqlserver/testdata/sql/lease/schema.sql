SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 5000;

BEGIN TRANSACTION;

DECLARE @granted int;
EXEC @granted = sp_getapplock
    @Resource = N'leasetop schema', @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 5000;
IF @granted < 0
    THROW 50000, 'another session is making a schema of leasetop: try again', 1;

IF OBJECT_ID(N'[dbo].[QueueDemo]') IS NULL
CREATE TABLE [dbo].[QueueDemo] (
    [JobId] bigint IDENTITY(1, 1) NOT NULL PRIMARY KEY CLUSTERED,
    [State] char(1) NOT NULL DEFAULT 'R',
    [Priority] smallint NOT NULL DEFAULT 100,
    [ClaimToken] uniqueidentifier NULL,
    [LeaseUntil] datetime2(3) NULL,
    [AvailableAt] datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(),
    [EnqueuedAt] datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(),
    [ClaimedAt] datetime2(3) NULL,
    [HeartbeatAt] datetime2(3) NULL,
    [CompletedAt] datetime2(3) NULL,
    [ClaimedBy] nvarchar(128) NULL,
    [Attempts] int NOT NULL DEFAULT 0,
    [MaxAttempts] int NOT NULL DEFAULT 5,
    [TotalClaims] int NOT NULL DEFAULT 0,
    [LastError] nvarchar(2000) NULL,
    [OperationId] uniqueidentifier NOT NULL DEFAULT NEWID(),
    [Payload] nvarchar(max) NOT NULL
);

-- Claims, the list of ready jobs and the oldest job of each priority.
IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(N'[dbo].[QueueDemo]') AND i.[name] LIKE N'IX_Claim%')
CREATE INDEX [IX_Claim] ON [dbo].[QueueDemo] ([State], [Priority], [AvailableAt], [JobId]);

-- The promotion of scheduled jobs that are due.
IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(N'[dbo].[QueueDemo]') AND i.[name] LIKE N'IX_Due%')
CREATE INDEX [IX_Due] ON [dbo].[QueueDemo] ([State], [AvailableAt], [JobId]);

-- Finding a job by its operation id, done jobs too. The id never changes, so that
-- no claim pays for it.
IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(N'[dbo].[QueueDemo]') AND i.[name] LIKE N'IX_Operation%')
CREATE INDEX [IX_Operation] ON [dbo].[QueueDemo] ([OperationId]);

-- One row when an attempt ends and one for each act of an operator. OUTPUT INTO
-- refuses a table with a trigger, a foreign key or a check: it has none.
IF OBJECT_ID(N'[dbo].[QueueDemo_History]') IS NULL
CREATE TABLE [dbo].[QueueDemo_History] (
    [Seq] bigint IDENTITY(1, 1) NOT NULL PRIMARY KEY CLUSTERED,
    [At] datetime2(3) NOT NULL,
    [Kind] varchar(16) NOT NULL,
    [JobId] bigint NOT NULL,
    [Attempt] int NULL,
    [OldState] char(1) NULL,
    [NewState] char(1) NULL,
    [OldToken] uniqueidentifier NULL,
    [NewToken] uniqueidentifier NULL,
    [OldLease] datetime2(3) NULL,
    [NewLease] datetime2(3) NULL,
    [Worker] nvarchar(128) NULL,
    [ClaimedAt] datetime2(3) NULL,
    [ActionId] uniqueidentifier NULL,
    [Actor] nvarchar(128) NULL,
    [Login] nvarchar(128) NULL,
    [Reason] nvarchar(2000) NULL
);

IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(N'[dbo].[QueueDemo_History]') AND i.[name] LIKE N'IX_Job%')
CREATE INDEX [IX_Job] ON [dbo].[QueueDemo_History] ([JobId], [Seq]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(N'[dbo].[QueueDemo_History]') AND i.[name] LIKE N'IX_At%')
CREATE INDEX [IX_At] ON [dbo].[QueueDemo_History] ([At]) INCLUDE ([Kind]);

-- The brake: one row, which every claim reads. A table without it has no brake.
IF OBJECT_ID(N'[dbo].[QueueDemo_Control]') IS NULL
CREATE TABLE [dbo].[QueueDemo_Control] (
    [Id] tinyint NOT NULL PRIMARY KEY CLUSTERED,
    [Braked] bit NOT NULL DEFAULT 0,
    [At] datetime2(3) NULL,
    [Actor] nvarchar(128) NULL,
    [Login] nvarchar(128) NULL,
    [Reason] nvarchar(2000) NULL,
    [ActionId] uniqueidentifier NULL
);

IF NOT EXISTS (SELECT 1 FROM [dbo].[QueueDemo_Control] AS b WHERE b.[Id] = 1)
INSERT INTO [dbo].[QueueDemo_Control] ([Id]) VALUES (1);

COMMIT TRANSACTION;
