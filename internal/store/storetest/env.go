package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// aLease is the lease of the cases that do not care.
const aLease = time.Minute

// env is one case at work: a table of its own and a queue bound to it.
type env struct {
	testing.TB
	ctx    context.Context
	stand  Stand
	shape  Shape
	wanted model.Mapping
	db     *store.DB
	q      *store.Queue
	can    func(store.Op) (bool, string)
	caps   model.Caps
	ids    atomic.Int64
}

func newEnv(t testing.TB, b Bench, s Shape) *env {
	t.Helper()
	e := &env{TB: t, ctx: t.Context(), shape: s, stand: b.Stand(t), can: b.Can}
	e.wanted = e.stand.Make(t, s)
	e.db = e.stand.Open(t)
	e.q = e.db.Queue(e.wanted)
	var err error
	if e.caps, err = e.q.Probe(e.ctx); err != nil {
		t.Fatalf("probe: %v", err)
	}
	return e
}

// m is the mapping as the probe bound it.
func (e *env) m() *model.Mapping { return e.q.Mapping() }

// guid makes a fresh GUID, upper case, in order.
func (e *env) guid() string {
	return fmt.Sprintf("0E5E70B5-0000-4000-8000-%012X", e.ids.Add(1))
}

// token is a GUID as a token of the table.
func (e *env) token(guid string) model.Token { return model.TokenOf(model.GUIDValue(guid)) }

func (e *env) seed(s Seed) model.Key { e.Helper(); return e.stand.Insert(e, e.m(), s) }

// held seeds a row in work with a lease that ends in d.
func (e *env) held(d time.Duration) (model.Key, model.Token) {
	e.Helper()
	g := e.guid()
	k := e.seed(Seed{State: model.Working, Token: g, Lease: new(d), Attempts: 1, TotalClaims: 1, Worker: "seed"})
	return k, e.token(g)
}

func (e *env) advance(d time.Duration) { e.Helper(); e.stand.Advance(e, e.m(), d) }

// row reads a row that must be there.
func (e *env) row(k model.Key) *model.Job {
	e.Helper()
	j, _, err := e.q.Inspect(e.ctx, k)
	if err != nil {
		e.Fatalf("inspect %s: %v", k, err)
	}
	if j == nil {
		e.Fatalf("inspect %s: no such row", k)
	}
	return j
}

// now is the server's time.
func (e *env) now() time.Time {
	e.Helper()
	_, at, err := e.q.Inspect(e.ctx, model.KeyOf(e.nobody()))
	if err != nil {
		e.Fatalf("inspect: %v", err)
	}
	return at
}

// nobody is a key value that no row has.
func (e *env) nobody() model.Value {
	switch e.m().Keys[0].Type {
	case model.Int:
		return model.IntValue(987654321)
	case model.GUID:
		return model.GUIDValue("DEADBEEF-0000-4000-8000-000000000000")
	case model.Binary:
		return model.Value{Type: model.Binary, Text: "0xDEADBEEF"}
	case model.Null, model.Text, model.Time, model.Fraction, model.Opaque:
	}
	return model.Value{Type: e.m().Keys[0].Type, Text: "DEADBEEF-0000-4000-8000-000000000000"}
}

// claim claims up to n jobs with a fresh token.
func (e *env) claim(n int) []model.Claim {
	e.Helper()
	c, err := e.q.Claim(e.ctx, e.guid(), "tester", n, aLease)
	if err != nil {
		e.Fatalf("claim: %v", err)
	}
	return c
}

// claimOne claims the one job that must be there.
func (e *env) claimOne() model.Claim {
	e.Helper()
	c := e.claim(1)
	if len(c) != 1 {
		e.Fatalf("claimed %d jobs, want one", len(c))
	}
	return c[0]
}

// one is the one change that a step must have made.
func (e *env) one(c []model.Change, err error) model.Change {
	e.Helper()
	if err != nil {
		e.Fatalf("step: %v", err)
	}
	if len(c) != 1 {
		e.Fatalf("changed %d rows, want one", len(c))
	}
	return c[0]
}

// none is a step that must have changed nothing.
func (e *env) none(c []model.Change, err error) {
	e.Helper()
	if err != nil {
		e.Fatalf("step: %v", err)
	}
	if len(c) != 0 {
		e.Fatalf("changed %v, want nothing", c)
	}
}

// apply sends an act about a row as it is seen now.
func (e *env) apply(a model.Action, k model.Key, seen model.Token) (string, []model.Change, error) {
	e.Helper()
	id := e.guid()
	c, _, err := e.q.Apply(e.ctx, model.Intent{
		Action: a, Key: k, Seen: model.Seen{State: model.Working, Token: seen},
		ActionID: id, Actor: "ops@jump", Reason: "stuck since noon",
	})
	return id, c, err
}

// is fails the case where two values differ.
func is[T comparable](e *env, what string, got, want T) {
	e.Helper()
	if got != want {
		e.Errorf("%s = %v, want %v", what, got, want)
	}
}

// around fails the case where a time is further from the wanted one than the
// server's clock can have run.
func (e *env) around(what string, got model.Instant, want time.Time) {
	e.Helper()
	if d := got.At.Sub(want).Abs(); got.IsZero() || d > e.stand.Slack() {
		e.Errorf("%s = %s, want %s", what, got.Raw, want)
	}
}

// faulty fails the case where an error is not a fault of the class.
func (e *env) faulty(err error, class model.FaultClass) {
	e.Helper()
	var f *model.Fault
	if !errors.As(err, &f) {
		e.Fatalf("error %v, want a fault", err)
	}
	if f.Class != class {
		e.Fatalf("fault %v is %s, want %s", f, f.Class, class)
	}
}

// leaseTable reports whether the table has the shipped schema's columns.
func (e *env) leaseTable() bool { return e.shape.Profile == "lease" }

// events reads a job's history, newest first.
func (e *env) events(k model.Key) []model.Event {
	e.Helper()
	evs, _, err := e.q.History(e.ctx, k, 50)
	if err != nil {
		e.Fatalf("history: %v", err)
	}
	return evs
}

// recorded is the newest event of a job, whose kind is wanted.
func (e *env) recorded(k model.Key, kind model.EventKind) model.Event {
	e.Helper()
	evs := e.events(k)
	if len(evs) == 0 {
		e.Fatalf("no history of %s", k)
	}
	is(e, "kind of the newest event", evs[0].Kind, kind)
	return evs[0]
}
