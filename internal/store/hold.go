package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Where the engine has no row locks, a session says every HoldBeat that it lives,
// and rows of one that has said nothing for HoldExpires are free again, as those
// of a broken connection are on a server.
const (
	HoldBeat    = time.Second
	HoldExpires = 5 * time.Second
)

// Held is rows that a session has dequeued and keeps locked until it commits or
// rolls back. On a server that is one transaction on one connection; elsewhere it
// is emulated by a lock table. Its methods are for one goroutine.
type Held struct {
	q       *Queue
	b       *binding
	rows    []model.Claim
	session string

	conn *session // a server's own transaction
	tx   *sql.Tx
	from *sql.DB
	cut  Discarder // ends what hangs on the connection; nil: the driver has no such thing

	quiet context.CancelFunc // emulated: ends the beats
	beats sync.WaitGroup
	over  bool
}

// Hold dequeues up to n rows and keeps them locked. session is an id that nobody
// else uses. A nil Held means "nothing for me now".
func (q *Queue) Hold(ctx context.Context, session string, n int) (*Held, error) {
	b, err := q.binding(ctx)
	if err != nil {
		return nil, err
	}
	s, ok := b.stmts[OpHold]
	if !ok {
		return nil, &model.Fault{Class: model.FaultReshaped, Op: string(OpHold), Text: b.why(OpHold)}
	}
	h := &Held{q: q, b: b, session: session}
	a := Args{"n": model.IntValue(int64(n)), "session": model.TextValue(session)}
	var rows []Row
	if q.db.run.held == nil {
		rows, err = q.db.run.run(ctx, s, a)
	} else {
		rows, err = h.begin(ctx, s, a)
	}
	if err != nil {
		return nil, err
	}
	h.rows = q.decoder(b).taken(rows)
	if len(h.rows) == 0 {
		return nil, h.Rollback(ctx)
	}
	if h.tx == nil {
		var beats context.Context
		beats, h.quiet = context.WithCancel(context.WithoutCancel(ctx))
		h.beats.Go(func() { h.beat(beats) })
	}
	return h, nil
}

// Rows are what is held, in the order in which they were dequeued.
func (h *Held) Rows() []model.Claim { return h.rows }

// begin opens the transaction and deletes within it.
func (h *Held) begin(ctx context.Context, s Stmt, a Args) ([]Row, error) {
	r := h.q.db.run
	args, err := r.bind(s, a)
	if err != nil {
		return nil, &model.Fault{Class: model.FaultReshaped, Op: string(s.Op), Text: text.Clean(err.Error())}
	}
	return r.guarded(ctx, s, r.held, func(ctx context.Context, sent *atomic.Bool, used *atomic.Pointer[sql.DB]) ([]Row, error) {
		conn, err := r.held.acquire(ctx, used)
		if err != nil {
			return nil, err
		}
		cut := conn.discarder() // later a call that hangs could be in the way
		// The transaction outlives this call: no context of it may roll it back.
		tx, err := conn.conn.BeginTx(context.WithoutCancel(ctx), nil)
		if err != nil {
			r.held.release(conn, true)
			return nil, err
		}
		sent.Store(true)
		out, err := queryAll(ctx, tx, s.Texts[0], args)
		if err == nil {
			err = ctx.Err() // too late: nobody waits for these rows any more
		}
		if err != nil {
			go r.held.sever(conn, tx, cut)
			return nil, err
		}
		h.conn, h.tx, h.from, h.cut = conn, tx, used.Load(), cut
		return out, nil
	})
}

// sever throws a connection away in the middle of its transaction; the server rolls
// that back. database/sql keeps the connection for itself as long as the transaction
// is open, and the driver as long as a call is at work on it: the socket is closed
// first, which ends that call, and nothing more is sent. It may wait for a driver
// that hangs all the same, so that nobody must wait for it.
func (p *pool) sever(s *session, tx *sql.Tx, cut Discarder) {
	if cut != nil {
		cut.Discard()
	}
	tx.Rollback() //nolint:errcheck // the connection goes with it
	p.release(s, true)
}

// queryAll runs a text within a transaction and reads its answer to the end.
func queryAll(ctx context.Context, tx *sql.Tx, text string, args []any) (out []Row, err error) {
	rows, err := tx.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	return scanAll(rows)
}

// Bury makes a dead letter of a row that is held, in the same transaction: it is
// one only if Commit succeeds.
func (h *Held) Bury(ctx context.Context, k model.Key, actionID, actor, reason string) error {
	a, err := burialArgs(k, actionID, actor, reason)
	if err != nil {
		return err
	}
	s, ok := h.b.stmts[OpBuryHeld]
	if !ok {
		return &model.Fault{Class: model.FaultReshaped, Op: string(OpBuryHeld), Text: h.b.why(OpBuryHeld)}
	}
	a["session"] = model.TextValue(h.session)
	if h.tx == nil {
		_, err = h.q.db.run.run(ctx, s, a)
		return err
	}
	args, err := h.q.db.run.bind(s, a)
	if err != nil {
		return &model.Fault{Class: model.FaultReshaped, Op: string(s.Op), Text: text.Clean(err.Error())}
	}
	return h.within(ctx, s, func(ctx context.Context) error {
		_, err := queryAll(ctx, h.tx, s.Texts[0], args)
		return err
	})
}

// Commit ends the rows for good. An Unsure fault means that nobody knows: they
// are gone, or they are back.
func (h *Held) Commit(ctx context.Context) error { return h.end(ctx, OpHoldCommit) }

// Abandon leaves the rows as a process that dies does: nothing more is sent for
// them. A server gives them back when the connection breaks; where locks are
// emulated they are free after HoldExpires.
func (h *Held) Abandon() {
	if h.over {
		return
	}
	h.over = true
	if h.tx != nil {
		go h.q.db.run.held.sever(h.conn, h.tx, h.cut)
		return
	}
	if h.quiet != nil {
		h.quiet()
		h.beats.Wait()
	}
}

// Rollback gives all rows back untouched.
func (h *Held) Rollback(ctx context.Context) error { return h.end(ctx, OpHoldUndo) }

func (h *Held) end(ctx context.Context, op Op) error {
	if h.over {
		return nil
	}
	h.over = true
	if h.tx != nil {
		return h.endTx(ctx, op)
	}
	if h.quiet != nil {
		h.quiet()
		h.beats.Wait()
	}
	if len(h.rows) == 0 {
		return nil
	}
	_, rows, err := h.q.run(ctx, op, Args{"session": model.TextValue(h.session)})
	if err != nil {
		return err
	}
	if n := rows[0].Int("held").N; op == OpHoldCommit && n < int64(len(h.rows)) {
		return &model.Fault{
			Class: model.FaultRaced, Op: string(op),
			Text: fmt.Sprintf("the session was silent too long: %d of its %d rows were free again before it committed", int64(len(h.rows))-n, len(h.rows)),
		}
	}
	return nil
}

// endTx ends a server's transaction and gives the connection back.
func (h *Held) endTx(ctx context.Context, op Op) error {
	err := h.within(ctx, Stmt{Op: op, Kind: Work}, func(context.Context) error {
		if op == OpHoldCommit {
			return h.tx.Commit()
		}
		return h.tx.Rollback()
	})
	if err != nil {
		go h.q.db.run.held.sever(h.conn, h.tx, h.cut)
		return err
	}
	h.q.db.run.held.release(h.conn, false)
	return nil
}

// within makes a call on the transaction's own connection.
func (h *Held) within(ctx context.Context, s Stmt, call func(context.Context) error) error {
	r := h.q.db.run
	_, err := r.guarded(ctx, s, r.held, func(ctx context.Context, sent *atomic.Bool, used *atomic.Pointer[sql.DB]) ([]Row, error) {
		used.Store(h.from)
		sent.Store(true)
		return nil, call(ctx)
	})
	return err
}

// beat says that the session lives, until it ends.
func (h *Held) beat(ctx context.Context) {
	t := time.NewTicker(HoldBeat)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		h.q.run(ctx, OpHoldBeat, Args{"session": model.TextValue(h.session)}) //nolint:errcheck // the next one, or the commit, tells
	}
}
