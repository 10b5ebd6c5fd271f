package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Flaw is a known mistake in the statements of a queue. A drill runs with one to
// show that it finds it, a lesson to show what comes of it; nothing else does.
type Flaw string

// The flaws. Each is one condition or one value that the shipped statements have
// and many a queue in the field lacks.
const (
	FlawSelectThenUpdate     Flaw = "select-then-update"      // a claim reads first and then updates by key: OpTake
	FlawCompletionByKey      Flaw = "completion-by-key"       // complete does not name the token
	FlawHeartbeatByKey       Flaw = "heartbeat-by-key"        // heartbeat does not name the token
	FlawFailureByKey         Flaw = "failure-by-key"          // fail does not name the token
	FlawReleaseByKey         Flaw = "release-by-key"          // release does not name the token
	FlawTokenCleared         Flaw = "token-cleared"           // fail, release and recover write NULL instead of a new token
	FlawCompletionClears     Flaw = "completion-clears-token" // a done row forgets who completed it
	FlawUnconditionalRecover Flaw = "unconditional-recovery"  // recover does not look at the lease
	FlawNoBound              Flaw = "no-bound"                // claim, fail and recover know no bound
	FlawRecoveryCounts       Flaw = "recover-counts-attempt"  // recover adds to the attempts too
	FlawReleaseCounts        Flaw = "release-counts-attempt"  // release does not take its attempt back
	FlawExpiryRefuses        Flaw = "expiry-refuses"          // complete wants the lease to be running
	FlawHeartbeatShortens    Flaw = "heartbeat-shortens"      // heartbeat sets the lease, whatever it was
	FlawBlindReclaim         Flaw = "blind-reclaim"           // reclaim by key alone
	FlawBrakeIgnored         Flaw = "brake-ignored"           // claim does not read the brake
	FlawEarlyPromotion       Flaw = "early-promotion"         // promote does not look at the time
	FlawScheduledAsReady     Flaw = "scheduled-as-ready"      // what is not due lies among what is ready, and a claim walks over it
)

// FlawDequeueUnordered is a flaw of a destructive queue: dequeue and hold take rows
// without an order.
const FlawDequeueUnordered Flaw = "dequeue-without-order"

// RowFlaws lists every flaw of destructive queues.
func RowFlaws() []Flaw { return []Flaw{FlawDequeueUnordered} }

// Flaws lists every flaw of lease queues.
func Flaws() []Flaw {
	return []Flaw{
		FlawSelectThenUpdate, FlawCompletionByKey, FlawHeartbeatByKey, FlawFailureByKey, FlawReleaseByKey, FlawTokenCleared,
		FlawCompletionClears, FlawUnconditionalRecover, FlawNoBound, FlawRecoveryCounts, FlawReleaseCounts, FlawExpiryRefuses,
		FlawHeartbeatShortens, FlawBlindReclaim, FlawBrakeIgnored, FlawEarlyPromotion, FlawScheduledAsReady,
	}
}

// OpTake is the second half of a claim that reads first: it takes the row of a key
// whatever became of it since. Only FlawSelectThenUpdate has it.
const OpTake Op = "take"

// TakeSpec is the spec of OpTake; Specs does not list it.
func TakeSpec() Spec {
	claim := SpecOf(OpClaim)
	return Spec{Op: OpTake, Kind: Work, Keyed: true, Params: []string{"token", "lease_ms", "worker"}, Columns: claim.Columns}
}

// Spoiler is what a dialect has beside Dialect that can also render the mistakes.
type Spoiler interface {
	// Wrong renders an operation with a flaw; ok is false where the flaw leaves that
	// operation as it is.
	Wrong(f Flaw, op Op, m *model.Mapping, c *model.Caps) (s Stmt, ok bool, err error)
}

// Flawed binds a scratch table with a flaw. It refuses every other table: these
// statements destroy what a queue promises.
func (d *DB) Flawed(m model.Mapping, f Flaw) (*Queue, error) {
	if !IsScratch(m.Table) {
		return nil, &model.Fault{Class: model.FaultTarget, Text: fmt.Sprintf("%s is no scratch table: only such are run with a known mistake", m.Table)}
	}
	if _, ok := d.run.dialect.(Spoiler); !ok {
		return nil, &model.Fault{Class: model.FaultTarget, Text: d.Engine() + " has no statements with known mistakes"}
	}
	return &Queue{db: d, wanted: m, flaw: f}, nil
}

// spoil replaces the statements that the queue's flaw is about.
func (q *Queue) spoil(b *binding) error {
	b.absent[OpTake] = errors.New("no queue takes a row by its key alone, but for one with that mistake")
	s, ok := q.db.run.dialect.(Spoiler)
	if q.flaw == "" || !ok {
		return nil
	}
	var changed int
	for _, spec := range append(SpecsOf(q.wanted.Family), TakeSpec()) {
		stmt, ok, err := s.Wrong(q.flaw, spec.Op, b.mapping, &b.caps)
		if err != nil {
			return &model.Fault{Class: model.FaultTarget, Op: string(spec.Op), Text: err.Error()}
		}
		if ok {
			b.stmts[spec.Op] = stmt
			changed++
		}
	}
	if changed == 0 {
		return &model.Fault{Class: model.FaultTarget, Text: fmt.Sprintf("there is no known mistake %q", q.flaw)}
	}
	return nil
}

// AssumedFlaws lists the statements of a flaw as Assumed lists the sound ones; no
// connection is made.
func AssumedFlaws(d Dialect, m *model.Mapping, f Flaw) ([]model.Statement, error) {
	s, ok := d.(Spoiler)
	if !ok {
		return nil, errors.New(d.Engine() + " has no statements with known mistakes")
	}
	caps := model.Caps{Engine: d.Engine(), Ours: !m.History.IsZero(), Form: map[string]string{}}
	var out []model.Statement
	for _, spec := range append(SpecsOf(m.Family), TakeSpec()) {
		stmt, ok, err := s.Wrong(f, spec.Op, m, &caps)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, stmt.show(nil))
		}
	}
	return out, nil
}

// First reads the first n ready jobs in the order of claims, and holds nothing: the
// first half of the mistake of FlawSelectThenUpdate.
func (q *Queue) First(ctx context.Context, n int) ([]*model.Job, error) {
	p, _, err := q.jobs(ctx, OpReady, model.ViewReady, Args{"limit": model.IntValue(int64(n))})
	return p.Jobs, err
}

// Take takes the job of a key that was seen ready before, whatever became of it
// since: the mistake of FlawSelectThenUpdate.
func (q *Queue) Take(ctx context.Context, k model.Key, token, worker string, lease time.Duration) ([]model.Claim, error) {
	b, rows, err := q.keyed(ctx, OpTake, k, Args{
		"token": model.GUIDValue(token), "worker": model.TextValue(worker), "lease_ms": model.IntValue(lease.Milliseconds()),
	})
	if err != nil {
		return nil, err
	}
	return q.decoder(b).claims(rows, lease), nil
}

// ScratchPrefix begins the name of every scratch table, so that leftovers can be
// told from what matters to somebody.
const ScratchPrefix = "leasetop_scratch_"

// IsScratch reports whether a table is one that a drill or a lesson made.
func IsScratch(t model.Table) bool { return strings.HasPrefix(t.Name, ScratchPrefix) }
