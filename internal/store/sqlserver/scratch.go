package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// Scratches lists the database's scratch tables, in whatever schema.
func (Dialect) Scratches() (store.Stmt, error) {
	text, err := sqltext.Fill(`{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       t.[schema],
       t.[name]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN (
    SELECT SCHEMA_NAME(o.[schema_id]) AS [schema], o.[name]
    FROM sys.tables AS o
    WHERE o.[name] LIKE N'leasetop\_scratch\_%' ESCAPE N'\'
) AS t
    ON 1 = 1;`, sqltext.Holes{"head": sqltext.Raw(headCommitted)}).Text()
	return store.Stmt{
		Op: "scratches", Texts: []string{text}, Kind: store.Watch, Right: "to see the tables' metadata",
	}, err
}

// DropScratch drops a scratch table.
func (Dialect) DropScratch(t model.Table) (store.Stmt, error) {
	text, err := sqltext.Fill(`{head}
DROP TABLE IF EXISTS {table};`, sqltext.Holes{"head": sqltext.Raw(headWork), "table": tableName(t)}).Text()
	return store.Stmt{
		Op: "drop", Texts: []string{text}, Kind: store.Work, Right: "ALTER on the schema of " + displayName(t),
	}, err
}
