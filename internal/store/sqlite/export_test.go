package sqlite

import (
	"database/sql"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// broken is the dialect with its statements changed.
type broken struct {
	*Dialect
	edit func(*store.Stmt)
}

func (b broken) Statement(op store.Op, m *model.Mapping, c *model.Caps) (store.Stmt, error) {
	s, err := b.Dialect.Statement(op, m, c)
	if err == nil {
		b.edit(&s)
	}
	return s, err
}

// OpenBroken opens a file with statements that a test has changed.
func OpenBroken(o Options, edit func(*store.Stmt)) *store.DB {
	d := New(o)
	write := func() (*sql.DB, error) { return d.file.pool(true, 1) }
	return store.Open(broken{d, edit}, store.Pools{
		Read: func() (*sql.DB, error) { return d.file.pool(false, readers) },
		Work: write, Control: write,
	})
}
