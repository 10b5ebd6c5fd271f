package sqlserver

import (
	"cmp"
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// rowSchemaText makes what is missing of a destructive queue. The clustered index
// is not unique: a row is its values, and equal rows are normal.
const rowSchemaText = `SET NOCOUNT ON;
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
    {columns}
);
{order}
-- The dead letters: the same columns, and when, why and who. OUTPUT INTO refuses a
-- table with a trigger, a foreign key or a check: it has none.
IF OBJECT_ID({dead_text}) IS NULL
CREATE TABLE {dead} (
    {columns},
    [DeadAt] datetime2(3) NOT NULL,
    [Reason] nvarchar(2000) NULL,
    [Actor] nvarchar(128) NULL,
    [Login] nvarchar(128) NULL,
    [ActionId] uniqueidentifier NULL
);

IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID({dead_text}) AND i.[name] LIKE N'IX_DeadAt%')
CREATE CLUSTERED INDEX [IX_DeadAt] ON {dead} ([DeadAt]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID({dead_text}) AND i.[name] LIKE N'IX_Action%')
CREATE INDEX [IX_Action] ON {dead} ([ActionId]);

COMMIT TRANSACTION;`

// rowSchema is the statement that makes a destructive queue and its dead letters.
func rowSchema(m *model.Mapping) (store.Stmt, error) {
	if m.Lane.Dead.IsZero() {
		return store.Stmt{}, errors.New("the mapping names no table of dead letters: write dead_letters")
	}
	columns := make([]sqltext.Part, len(m.Keys))
	for i, c := range m.Keys {
		columns[i] = sqltext.Fill("{name} {type} NOT NULL", sqltext.Holes{"name": ident(c.Name), "type": sqltext.Declared(c.Declared)})
	}
	h := sqltext.Holes{
		"table": tableName(m.Table), "table_text": literal(quoted(m.Table)), "dead": tableName(m.Lane.Dead),
		"dead_text": literal(quoted(m.Lane.Dead)), "columns": sqltext.List(",\n    ", columns...), "order": sqltext.Part{},
	}
	if by := m.Column(model.RoleEnqueued); !by.IsZero() {
		h["order"] = sqltext.Fill(`
-- The order of dequeue, from either end.
IF NOT EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID({table_text}) AND i.[name] LIKE N'IX_Order%')
CREATE CLUSTERED INDEX [IX_Order] ON {table} ({by});
`, sqltext.Holes{"table": h["table"], "table_text": h["table_text"], "by": ident(by.Name)})
	}
	text, err := sqltext.Fill(rowSchemaText, h).Text()
	if err != nil {
		return store.Stmt{}, err
	}
	return store.Stmt{
		Op: "schema", Texts: []string{text}, Kind: store.Control, Proved: onBabelfish,
		Right: "CREATE TABLE in the database, ALTER on schema " + cmp.Or(m.Table.Schema, defaultSchema),
	}, nil
}
