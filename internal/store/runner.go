package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Deadlines where the caller's context has none.
const (
	WatchDeadline   = 2 * time.Second
	ControlDeadline = 10 * time.Second
)

// MaxAbandoned is how many calls may hang at once. Each keeps a goroutine and a
// connection, and its statement may still run; past it, calls are refused until
// one comes back. Those already on their way then may still add to it.
const MaxAbandoned = 16

// runner runs statements: a connection a call, a deadline, a watchdog that
// abandons what does not answer, the whole reply read before anything is
// believed, the connection thrown away after any error.
type runner struct {
	dialect             Dialect
	unit                Unit
	read, work, control *pool

	statements atomic.Int64
	abandoned  atomic.Int64
}

type answer struct {
	rows []Row
	err  error
}

func (r *runner) pool(k Kind) *pool {
	switch k {
	case Work:
		return r.work
	case Control:
		return r.control
	case Watch:
	}
	return r.read
}

// run runs one statement and answers by the deadline, whatever the driver does.
// The error is always a *model.Fault.
func (r *runner) run(ctx context.Context, s Stmt, a Args) ([]Row, error) {
	limit := WatchDeadline
	if s.Kind != Watch {
		limit = ControlDeadline
	}
	if s.Within > 0 {
		limit = s.Within
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	if r.abandoned.Load() >= MaxAbandoned {
		cancel()
		return nil, &model.Fault{
			Class: model.FaultHung, Op: string(s.Op),
			Text: fmt.Sprintf("%d earlier calls have not come back", MaxAbandoned),
			Cure: "wait for the server to answer them, or restart leasetop",
		}
	}
	args, err := r.bind(s, a)
	if err != nil {
		cancel()
		return nil, &model.Fault{Class: model.FaultReshaped, Op: string(s.Op), Text: text.Clean(err.Error())}
	}
	var (
		done = make(chan answer, 1)
		sent atomic.Bool
		used atomic.Pointer[sql.DB]
	)
	r.statements.Add(1)
	go func() {
		defer cancel()
		rows, err := r.call(ctx, s, args, &sent, &used)
		done <- answer{rows, r.fault(ctx, s, err, sent.Load())} // before cancel, which would look like the deadline
	}()
	select {
	case got := <-done:
		return got.rows, got.err
	case <-ctx.Done():
	}
	if got, ok := r.lastChance(done); ok {
		return got.rows, got.err
	}
	r.abandon(s, done, used.Load())
	return nil, &model.Fault{
		Class: model.FaultHung, Op: string(s.Op), Unsure: sent.Load() && s.Kind != Watch,
		Text: "no answer within the deadline",
	}
}

// lastChance waits the engine's grace for a call that is past its deadline.
func (r *runner) lastChance(done <-chan answer) (answer, bool) {
	t := time.NewTimer(max(r.unit.Grace, time.Millisecond))
	defer t.Stop()
	select {
	case got := <-done:
		return got, true
	case <-t.C:
		return answer{}, false
	}
}

// abandon leaves a call behind: its pool is replaced, so that the next call does
// not wait for it, and it is counted until it comes back.
func (r *runner) abandon(s Stmt, done <-chan answer, db *sql.DB) {
	r.abandoned.Add(1)
	r.pool(s.Kind).replace(db)
	go func() {
		<-done
		r.abandoned.Add(-1)
	}()
}

func (r *runner) bind(s Stmt, a Args) ([]any, error) {
	args := make([]any, 0, len(s.Params)+1)
	for _, p := range s.Params {
		v, err := r.dialect.Bind(p, a.of(p))
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		args = append(args, sql.Named(p.Name, v))
	}
	return args, nil
}

// call runs the statement's texts on one connection. sent is set before the first
// byte that could change anything leaves.
func (r *runner) call(ctx context.Context, s Stmt, args []any, sent *atomic.Bool, used *atomic.Pointer[sql.DB]) (rows []Row, err error) {
	p := r.pool(s.Kind)
	sess, err := p.acquire(ctx, used)
	if err != nil {
		return nil, err
	}
	defer func() { p.release(sess, err != nil) }()

	bracket := r.unit.Begin != "" && s.Kind != Watch
	wait := ctx
	if bracket {
		if err := sess.insist(ctx, wait, r.unit.Begin, r.unit); err != nil {
			return nil, err
		}
		// From here on a cancelled call could have been applied all the same: it is
		// run to its end, which an embedded engine reaches by itself.
		ctx = context.WithoutCancel(ctx)
	}
	if r.unit.Now != nil {
		v, err := r.dialect.Bind(Param{Name: "now"}, r.unit.Now())
		if err != nil {
			return nil, err
		}
		args = append(args, sql.Named("now", v))
	}
	sent.Store(true)
	for i, t := range s.Texts {
		got, err := sess.query(ctx, t, args)
		if err != nil {
			if bracket {
				sess.query(ctx, r.unit.Rollback, nil) //nolint:errcheck // the connection is thrown away next
			}
			return nil, err
		}
		if i == s.Answer {
			rows = got
		}
	}
	if bracket {
		if err := sess.insist(ctx, wait, r.unit.Commit, r.unit); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// fault classifies an error and cleans its text. A server's own answer is sure;
// silence and a broken connection after sending are not.
func (r *runner) fault(ctx context.Context, s Stmt, err error, sent bool) error {
	if err == nil {
		return nil
	}
	var f *model.Fault
	if !errors.As(err, &f) {
		f = r.dialect.Fault(err)
	}
	f.Op = string(s.Op)
	if f.Code == 0 && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		f.Class, f.Text = model.FaultHung, "no answer within the deadline"
	}
	f.Text, f.Cure = text.Clean(f.Text), text.Clean(f.Cure)
	late, ok := r.dialect.(Late)
	f.Unsure = sent && s.Kind != Watch && (f.Code == 0 || ok && late.Late(s, err))
	return f
}
