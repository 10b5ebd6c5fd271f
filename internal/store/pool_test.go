package store

import (
	"database/sql"
	"errors"
	"sync/atomic"
	"testing"
)

// TestClosedPoolOpensNothing holds that a call which comes back after Close finds
// no new connections: they would outlive the process's own tidying up.
func TestClosedPoolOpensNothing(t *testing.T) {
	opened := 0
	p := newPool(func() (*sql.DB, error) { opened++; return nil, errors.New("not reached after close") }, Unit{}, 1)
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
	var used atomic.Pointer[sql.DB]
	if _, err := p.acquire(t.Context(), &used); !errors.Is(err, sql.ErrConnDone) || opened != 0 {
		t.Errorf("acquire after close: %v, opened %d times", err, opened)
	}
}
