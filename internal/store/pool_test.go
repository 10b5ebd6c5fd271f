package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

// lines is a driver that counts the connections that are open.
type lines struct{ open atomic.Int64 }

func (l *lines) Connect(context.Context) (driver.Conn, error) {
	l.open.Add(1)
	return line{l}, nil
}
func (l *lines) Driver() driver.Driver { return nil }

type line struct{ l *lines }

func (line) Prepare(string) (driver.Stmt, error) { return nil, driver.ErrSkip }
func (line) Begin() (driver.Tx, error)           { return nil, driver.ErrSkip }
func (c line) Close() error {
	c.l.open.Add(-1)
	return nil
}

// TestAPoolThatIsThrownAwayLeavesNothingOpen holds that, beside the connection of the
// call that hangs, those go that were held for the next calls.
func TestAPoolThatIsThrownAwayLeavesNothingOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lines
		p := newPool(func() (*sql.DB, error) { return sql.OpenDB(&l), nil }, Unit{Hold: true}, 2)
		var used atomic.Pointer[sql.DB]
		hangs, err := p.acquire(t.Context(), &used)
		if err != nil {
			t.Fatal(err)
		}
		other, err := p.acquire(t.Context(), &used)
		if err != nil {
			t.Fatal(err)
		}
		p.release(other, false)
		p.replace(used.Load())
		synctest.Wait()
		if n := l.open.Load(); n != 1 {
			t.Errorf("%d connections are open beside the call that hangs, want that one", n)
		}
		p.release(hangs, true)
		synctest.Wait()
		if n := l.open.Load(); n != 0 {
			t.Errorf("%d connections are open when it has come back", n)
		}
	})
}
