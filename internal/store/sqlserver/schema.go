package sqlserver

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// schemaText makes what is missing, in one transaction that a lock of the
// application's own lets only one session run at a time. Nothing that is there is
// changed. Babelfish puts the table's name behind an index's.
const schemaText = `SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 5000;

BEGIN TRANSACTION;

DECLARE @granted int;
EXEC @granted = sp_getapplock
    @Resource = N'leasetop schema', @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 5000;
IF @granted < 0
    THROW 50000, 'another session is making a schema of leasetop: try again', 1;

IF OBJECT_ID({table_text}) IS NULL
CREATE TABLE {table} (
    {key} bigint IDENTITY(1, 1) NOT NULL PRIMARY KEY CLUSTERED,
    {state} {code} NOT NULL DEFAULT {ready},
    {priority} smallint NOT NULL DEFAULT 100,
    {token} uniqueidentifier NULL,
    {lease} datetime2(3) NULL,
    {available} datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(),
    {enqueued} datetime2(3) NOT NULL DEFAULT SYSUTCDATETIME(),
    {claimed} datetime2(3) NULL,
    {heartbeat} datetime2(3) NULL,
    {ended} datetime2(3) NULL,
    {worker} nvarchar(128) NULL,
    {attempts} int NOT NULL DEFAULT 0,
    {max_attempts} int NOT NULL DEFAULT 5,
    {total_claims} int NOT NULL DEFAULT 0,
    {error} nvarchar(2000) NULL,
    {operation} uniqueidentifier NOT NULL DEFAULT NEWID(),
    {payload} nvarchar(max) NOT NULL
);

-- Claims, the list of ready jobs and the oldest job of each priority.
IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID({table_text}) AND i.[name] LIKE N'IX_Claim%')
CREATE INDEX [IX_Claim] ON {table} ({state}, {priority}, {available}, {key});

-- The promotion of scheduled jobs that are due.
IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID({table_text}) AND i.[name] LIKE N'IX_Due%')
CREATE INDEX [IX_Due] ON {table} ({state}, {available}, {key});

-- Finding a job by its operation id, done jobs too. The id never changes, so that
-- no claim pays for it.
IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID({table_text}) AND i.[name] LIKE N'IX_Operation%')
CREATE INDEX [IX_Operation] ON {table} ({operation});

-- One row when an attempt ends and one for each act of an operator. OUTPUT INTO
-- refuses a table with a trigger, a foreign key or a check: it has none.
IF OBJECT_ID({history_text}) IS NULL
CREATE TABLE {history} (
    [Seq] bigint IDENTITY(1, 1) NOT NULL PRIMARY KEY CLUSTERED,
    [At] datetime2(3) NOT NULL,
    [Kind] varchar(16) NOT NULL,
    [JobId] bigint NOT NULL,
    [Attempt] int NULL,
    [OldState] {code} NULL,
    [NewState] {code} NULL,
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

IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID({history_text}) AND i.[name] LIKE N'IX_Job%')
CREATE INDEX [IX_Job] ON {history} ([JobId], [Seq]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID({history_text}) AND i.[name] LIKE N'IX_At%')
CREATE INDEX [IX_At] ON {history} ([At]) INCLUDE ([Kind]);

-- The brake: one row, which every claim reads. A table without it has no brake.
IF OBJECT_ID({brake_text}) IS NULL
CREATE TABLE {brake} (
    [Id] tinyint NOT NULL PRIMARY KEY CLUSTERED,
    [Braked] bit NOT NULL DEFAULT 0,
    [At] datetime2(3) NULL,
    [Actor] nvarchar(128) NULL,
    [Login] nvarchar(128) NULL,
    [Reason] nvarchar(2000) NULL,
    [ActionId] uniqueidentifier NULL
);

IF NOT EXISTS (SELECT 1 FROM {brake} AS b WHERE b.[Id] = 1)
INSERT INTO {brake} ([Id]) VALUES (1);

COMMIT TRANSACTION;`

// Schema is the statement that makes the shipped tables and their indexes.
func (Dialect) Schema(m *model.Mapping) (store.Stmt, error) {
	if m.IsDestructive() {
		return rowSchema(m)
	}
	if t := m.Column(model.RoleToken); t.Type != model.GUID {
		return store.Stmt{}, fmt.Errorf("leasetop ships a schema with a token of type uniqueidentifier; the mapping of %s has %s", displayName(m.Table), t.Declared)
	}
	h := sqltext.Holes{
		"table": tableName(m.Table), "table_text": literal(quoted(m.Table)),
		"history": tableName(m.History), "history_text": literal(quoted(m.History)),
		"brake": tableName(m.Brake), "brake_text": literal(quoted(m.Brake)),
		"ready": sqltext.Code(m.States[model.Ready].Text), "code": sqltext.Declared(m.Column(model.RoleState).Declared),
	}
	for _, r := range model.Roles() {
		c := m.Column(r)
		if c.IsZero() || m.History.IsZero() || m.Brake.IsZero() {
			return store.Stmt{}, fmt.Errorf("leasetop ships a schema for the profile lease; the mapping of %s is %s", displayName(m.Table), m.Profile)
		}
		h[string(r)] = ident(c.Name)
	}
	text, err := inClock(m, sqltext.Fill(schemaText, h)).Text()
	if err != nil {
		return store.Stmt{}, err
	}
	return store.Stmt{
		Op: "schema", Texts: []string{text}, Kind: store.Control,
		Right:  "CREATE TABLE in the database, ALTER on schema " + cmp.Or(m.Table.Schema, defaultSchema),
		Locks:  "READ COMMITTED, one transaction; Sch-M on what is made, and the application lock leasetop schema, for which it waits 5 s",
		Proved: onBabelfish,
	}, nil
}

// literal is a text in the statement itself, for a name that a function reads:
// a schema must be fit to print and to run by hand, so it has no parameters.
func literal(s string) sqltext.Part {
	return sqltext.Speller(func(s string) string { return "N'" + strings.ReplaceAll(s, "'", "''") + "'" }).Literal(s)
}
