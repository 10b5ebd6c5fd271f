IF DATABASE_PRINCIPAL_ID(N'QueueDemo_Viewer') IS NULL
    CREATE ROLE [QueueDemo_Viewer];
IF DATABASE_PRINCIPAL_ID(N'QueueDemo_Operator') IS NULL
    CREATE ROLE [QueueDemo_Operator];
IF DATABASE_PRINCIPAL_ID(N'QueueDemo_Worker') IS NULL
    CREATE ROLE [QueueDemo_Worker];
ALTER ROLE [QueueDemo_Viewer] ADD MEMBER [QueueDemo_Operator];
ALTER ROLE [QueueDemo_Viewer] ADD MEMBER [QueueDemo_Worker];

