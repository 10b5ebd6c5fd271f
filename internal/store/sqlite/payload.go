package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// payload reads the beginning of a job's payload and its whole length in bytes,
// which SQLite knows without reading it.
func payload(t table) (store.Stmt, error) {
	if !t.m.Has(model.RolePayload) {
		return store.Stmt{}, errors.New("the mapping names no payload column")
	}
	return stmt(sqltext.Fill(`SELECT @now AS now, job.*
FROM (SELECT 1) AS always
LEFT JOIN (
  SELECT CAST(substr({payload}, 1, @max) AS TEXT) AS payload,
         octet_length({payload}) AS bytes
  FROM {table}
  WHERE {where}
) AS job ON TRUE`, sqltext.Holes{"payload": t.col(model.RolePayload), "table": t.name(), "where": t.thisKey()}))
}
