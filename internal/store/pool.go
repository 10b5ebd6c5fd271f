package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// pool is one set of connections that can be thrown away as a whole: a call that
// hangs for ever keeps its connection, and with it a place in the pool.
type pool struct {
	open func() (*sql.DB, error)
	unit Unit

	mu   sync.Mutex
	done bool // closed for good: a call that comes back late opens nothing anew
	db   *sql.DB
	idle []*session // only where unit.Hold: connections with their statements
	turn chan struct{}
}

// newPool makes a pool that opens nothing yet. Where connections are held, places
// is how many.
func newPool(open func() (*sql.DB, error), u Unit, places int) *pool {
	return &pool{open: open, unit: u, turn: make(chan struct{}, places)}
}

// session is one connection with the statements prepared on it.
type session struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	turn  chan struct{} // whose place the session holds; nil: it has no place
}

func (p *pool) get() (*sql.DB, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return nil, sql.ErrConnDone
	}
	if p.db == nil {
		db, err := p.open()
		if err != nil {
			return nil, err
		}
		p.db = db
	}
	return p.db, nil
}

// replace drops the pool that a call was abandoned in; the next call opens a new
// one. The old one is closed aside, since closing may wait for the hung call. What is
// held idle is closed with it: database/sql takes it for in use, and would leave it open.
func (p *pool) replace(old *sql.DB) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.db != old || old == nil {
		return
	}
	idle := p.idle
	p.db, p.idle, p.turn = nil, nil, make(chan struct{}, cap(p.turn))
	go func() {
		for _, s := range idle {
			s.drop()
		}
		old.Close() //nolint:errcheck // nothing is left to be done about a dead pool
	}()
}

func (p *pool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
	for _, s := range p.idle {
		s.drop()
	}
	p.idle = nil
	if p.db == nil {
		return nil
	}
	err := p.db.Close()
	p.db = nil
	return err
}

// acquire gives a connection for one call. used is set before anything can hang:
// a login that never answers takes a place in the pool too.
func (p *pool) acquire(ctx context.Context, used *atomic.Pointer[sql.DB]) (*session, error) {
	db, err := p.get()
	if err != nil {
		return nil, err
	}
	used.Store(db)
	if !p.unit.Hold {
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil, err
		}
		return &session{conn: conn}, nil
	}
	p.mu.Lock()
	turn := p.turn
	p.mu.Unlock()
	select {
	case turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	for s := p.take(turn); s != nil; s = p.take(turn) {
		if s.stands() {
			return s, nil
		}
		s.drop()
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		<-turn
		return nil, err
	}
	return &session{conn: conn, turn: turn, stmts: map[string]*sql.Stmt{}}, nil
}

// take gives an idle connection of the pool that turn belongs to, nil when there
// is none.
func (p *pool) take(turn chan struct{}) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turn != turn || len(p.idle) == 0 {
		return nil
	}
	s := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return s
}

// keep puts a connection back, unless its pool was closed or thrown away.
func (p *pool) keep(s *session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done || p.turn != s.turn {
		return false
	}
	p.idle = append(p.idle, s)
	return true
}

// release gives the connection back, or throws it away after an error: what an
// error leaves behind on a connection cannot be trusted.
func (p *pool) release(s *session, failed bool) {
	switch {
	case s.turn == nil && !failed:
		s.conn.Close() //nolint:errcheck // returns the connection to its pool
		return
	case failed || !p.keep(s):
		s.drop()
	}
	if s.turn != nil {
		<-s.turn
	}
}

// stands reports whether a connection that was held may be used again.
func (s *session) stands() bool {
	stands := true
	err := s.conn.Raw(func(c any) error { // not ErrBadConn: it closes the connection before its statements
		if st, ok := c.(Standing); ok {
			stands = st.Stands()
		}
		return nil
	})
	return err == nil && stands
}

// drop closes the connection itself instead of returning it to the pool.
func (s *session) drop() {
	for _, st := range s.stmts {
		st.Close() //nolint:errcheck // the connection goes with it
	}
	if d := s.discarder(); d != nil {
		d.Discard()
	}
	s.conn.Raw(func(any) error { return driver.ErrBadConn }) //nolint:errcheck // the error is the order to discard
	s.conn.Close()                                           //nolint:errcheck // already discarded
}

// Standing is what a driver's connection may have beside driver.Conn: Stands is asked
// before a connection that was held is used again, and is false when what it has open
// is not what its address names any more.
type Standing interface{ Stands() bool }

// Discarder is what a driver's connection may have beside driver.Conn: Discard is
// told before the connection is closed for good after an error, when something of
// the driver may still be at work on it, and ends that. It may be told twice.
type Discarder interface{ Discard() }

// discarder is the driver's connection where it can be told; nil: it cannot.
func (s *session) discarder() (d Discarder) {
	s.conn.Raw(func(c any) error { //nolint:errcheck // then there is nobody to be told
		d, _ = c.(Discarder)
		return nil
	})
	return d
}

func (s *session) query(ctx context.Context, text string, args []any) ([]Row, error) {
	rows, err := s.rows(ctx, text, args)
	if err != nil {
		return nil, err
	}
	out, err := scanAll(rows)
	if cerr := rows.Close(); err == nil {
		err = cerr
	}
	return out, err
}

func (s *session) rows(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	// What explains a plan is made when it is prepared, and would go on explaining
	// the plan before an index was made.
	if s.stmts == nil || strings.HasPrefix(text, "EXPLAIN ") {
		return s.conn.QueryContext(ctx, text, args...)
	}
	st, ok := s.stmts[text]
	if !ok {
		var err error
		if st, err = s.conn.PrepareContext(ctx, text); err != nil {
			return nil, err
		}
		s.stmts[text] = st
	}
	return st.QueryContext(ctx, args...)
}

// insist runs the text that opens or commits a unit. While another process holds
// the lock that it needs it tries again after a short random pause, until wait
// ends: fairer than the engine's own waiting, and cancellable. Then the engine's
// own error says what was waited for.
func (s *session) insist(ctx, wait context.Context, text string, u Unit) error {
	var busy error
	for {
		_, err := s.query(ctx, text, nil)
		switch {
		case err == nil:
			return nil
		case u.Busy != nil && u.Busy(err):
			busy = err
		case busy != nil && ctx.Err() != nil:
			return busy
		default:
			return err
		}
		t := time.NewTimer(time.Duration(rand.Int64N(int64(2*time.Millisecond)) + 1)) //nolint:gosec // spreads waiters, guards nothing
		select {
		case <-t.C:
		case <-wait.Done():
			t.Stop()
			return err
		}
	}
}
