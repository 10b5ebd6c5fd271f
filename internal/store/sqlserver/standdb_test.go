package sqlserver

import (
	"context"
	"database/sql"
	"os"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// rawDB is a plain connection past the store.
func rawDB(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	cfg, sign, err := parse(dsn, Options{Password: os.Getenv("LEASETOP_PASSWORD")})
	if err != nil {
		t.Fatal(err)
	}
	db, err := pool(cfg, sign, nil, 2, false)()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// patience is how long a statement may take there: a test server may be small, and
// it is asked for answers, not for speed.
const patience = time.Minute

// patient is the dialect with deadlines for a slow server.
type patient struct{ Dialect }

func (d patient) Statement(op store.Op, m *model.Mapping, c *model.Caps) (store.Stmt, error) {
	s, err := d.Dialect.Statement(op, m, c)
	s.Within = patience
	return s, err
}

// Probe asks with patience.
func (d patient) Probe(ctx context.Context, ask store.Ask, m *model.Mapping) (*model.Mapping, model.Caps, error) {
	return d.Dialect.Probe(ctx, func(ctx context.Context, s store.Stmt, a store.Args) ([]store.Row, error) {
		s.Within = patience
		return ask(ctx, s, a)
	}, m)
}

// openDB is Open with patience.
func openDB(t testing.TB, dsn string) *store.DB {
	t.Helper()
	cfg, sign, err := parse(dsn, Options{Password: os.Getenv("LEASETOP_PASSWORD")})
	if err != nil {
		t.Fatal(err)
	}
	db := store.Open(patient{}, store.Pools{
		Read: pool(cfg, sign, nil, readers, false), Work: pool(cfg, sign, nil, workers, true), Control: pool(cfg, sign, nil, controls, true),
		Held: pool(cfg, sign, nil, 4, true),
	})
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}
