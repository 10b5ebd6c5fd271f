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

// halt is how late a deadline is noticed by a process that stood still as a whole, as
// one does that was stopped or got no processor: then it says nothing about the server.
const halt = 200 * time.Millisecond

// runner runs statements: a connection a call, a deadline, a watchdog that
// abandons what does not answer, the whole reply read before anything is
// believed, the connection thrown away after any error.
type runner struct {
	dialect             Dialect
	unit                Unit
	read, work, control *pool
	held                *pool // nil: the engine's rows are held by a lock table

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
	args, err := r.bind(s, a)
	if err != nil {
		return nil, &model.Fault{Class: model.FaultReshaped, Op: string(s.Op), Text: text.Clean(err.Error())}
	}
	return r.guarded(ctx, s, r.pool(s.Kind), func(ctx context.Context, sent *atomic.Bool, used *atomic.Pointer[sql.DB]) ([]Row, error) {
		return r.call(ctx, s, args, sent, used)
	})
}

// call is one way to the server: sent is set before the first byte that could change
// anything leaves, used is the pool whose connection it took.
type call func(ctx context.Context, sent *atomic.Bool, used *atomic.Pointer[sql.DB]) ([]Row, error)

// guarded makes a call for a statement and answers by the deadline, whatever the
// driver does. p is the pool that is thrown away when the call hangs. A question is
// asked once more when the process stood still over its deadline.
func (r *runner) guarded(ctx context.Context, s Stmt, p *pool, c call) ([]Row, error) {
	rows, late, err := r.once(ctx, s, p, c)
	var f *model.Fault
	if errors.As(err, &f) && f.Class == model.FaultHung && s.Kind == Watch && late > halt && ctx.Err() == nil {
		rows, _, err = r.once(ctx, s, p, c)
	}
	return rows, err
}

// once makes one call. late is how long after the deadline its end was seen.
func (r *runner) once(ctx context.Context, s Stmt, p *pool, c call) (rows []Row, late time.Duration, err error) {
	begun := time.Now()
	s.Within = limit(ctx, s)
	ctx, cancel := context.WithTimeout(ctx, s.Within)
	if r.abandoned.Load() >= MaxAbandoned {
		cancel()
		return nil, 0, &model.Fault{
			Class: model.FaultHung, Op: string(s.Op),
			Text: fmt.Sprintf("%d earlier calls have not come back", MaxAbandoned),
			Cure: "wait for the server to answer them, or restart leasetop",
		}
	}
	var (
		done = make(chan answer, 1)
		sent atomic.Bool
		used atomic.Pointer[sql.DB]
	)
	r.statements.Add(1)
	go func() {
		defer cancel()
		rows, err := c(ctx, &sent, &used)
		done <- answer{rows, r.fault(ctx, s, err, sent.Load())} // before cancel, which would look like the deadline
	}()
	select {
	case got := <-done:
		return got.rows, time.Since(begun) - s.Within, got.err
	case <-ctx.Done():
	}
	late = time.Since(begun) - s.Within
	if got, ok := r.lastChance(done); ok {
		return got.rows, late, got.err
	}
	r.abandon(p, done, used.Load())
	return nil, late, &model.Fault{
		Class: model.FaultHung, Op: string(s.Op), Unsure: sent.Load() && s.Kind != Watch, Text: unanswered(ctx, s),
	}
}

// limit is how long a statement may take: as long as it says or its kind has, and no
// longer than its caller waits.
func limit(ctx context.Context, s Stmt) time.Duration {
	d := WatchDeadline
	if s.Kind != Watch {
		d = ControlDeadline
	}
	if s.Within > 0 {
		d = s.Within
	}
	if end, ok := ctx.Deadline(); ok {
		d = min(d, time.Until(end))
	}
	return d
}

// unanswered says how long a statement was waited for.
func unanswered(ctx context.Context, s Stmt) string {
	if errors.Is(ctx.Err(), context.Canceled) {
		return "it was given up before it was answered"
	}
	return "no answer within " + s.Within.Round(100*time.Millisecond).String()
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
func (r *runner) abandon(p *pool, done <-chan answer, db *sql.DB) {
	r.abandoned.Add(1)
	p.replace(db)
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

// probeFault is why a probe failed: a question that met a fault says itself which it
// was; what is wrong with the answers is a fault of the probe.
func (r *runner) probeFault(ctx context.Context, err error) error {
	var f *model.Fault
	if errors.As(err, &f) && f.Op != "" {
		return f
	}
	return r.fault(ctx, Stmt{Op: "probe"}, err, false)
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
		f.Class, f.Text = model.FaultHung, unanswered(ctx, s)
	}
	f.Text, f.Cure = text.Clean(f.Text), text.Clean(f.Cure)
	late, ok := r.dialect.(Late)
	f.Unsure = sent && s.Kind != Watch && (f.Code == 0 || ok && late.Late(s, err))
	return f
}
