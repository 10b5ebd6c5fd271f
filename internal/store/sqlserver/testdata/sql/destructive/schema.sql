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
    [QDateTime] datetime NOT NULL,
    [CustomerID] int NOT NULL,
    [OrderID] int NOT NULL
);

-- The order of dequeue, from either end.
IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(N'[dbo].[QueueDemo]') AND i.[name] LIKE N'IX_Order%')
CREATE CLUSTERED INDEX [IX_Order] ON [dbo].[QueueDemo] ([QDateTime]);

-- The dead letters: the same columns, and when, why and who. OUTPUT INTO refuses a
-- table with a trigger, a foreign key or a check: it has none.
IF OBJECT_ID(N'[dbo].[QueueDemo_Dead]') IS NULL
CREATE TABLE [dbo].[QueueDemo_Dead] (
    [QDateTime] datetime NOT NULL,
    [CustomerID] int NOT NULL,
    [OrderID] int NOT NULL,
    [DeadAt] datetime2(3) NOT NULL,
    [Reason] nvarchar(2000) NULL,
    [Actor] nvarchar(128) NULL,
    [Login] nvarchar(128) NULL,
    [ActionId] uniqueidentifier NULL
);

IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(N'[dbo].[QueueDemo_Dead]') AND i.[name] LIKE N'IX_DeadAt%')
CREATE CLUSTERED INDEX [IX_DeadAt] ON [dbo].[QueueDemo_Dead] ([DeadAt]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(N'[dbo].[QueueDemo_Dead]') AND i.[name] LIKE N'IX_Action%')
CREATE INDEX [IX_Action] ON [dbo].[QueueDemo_Dead] ([ActionId]);

COMMIT TRANSACTION;
