package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// Scratches lists the file's scratch tables.
func (d *Dialect) Scratches() (store.Stmt, error) {
	s, err := stmt(sqltext.Raw(`SELECT @now AS now, made.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT NULL AS schema, name
  FROM sqlite_schema
  WHERE type = 'table' AND name LIKE 'leasetop\_scratch\_%' ESCAPE '\'
) AS made ON TRUE`))
	s.Op, s.Kind, s.Right = "scratches", store.Watch, "to read the file"
	return s, err
}

// DropScratch drops a scratch table.
func (d *Dialect) DropScratch(t model.Table) (store.Stmt, error) {
	s, err := stmt(sqltext.Fill("DROP TABLE IF EXISTS {table}", sqltext.Holes{"table": ident(t.Schema, t.Name)}))
	s.Op, s.Kind, s.Right = "drop", store.Work, "to write the file and its folder"
	return s, err
}
