package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
)

// inspect reads one job by its key.
func inspect(t table) (store.Stmt, error) { return t.jobsWhere(t.thisKey(), sqltext.Part{}) }
