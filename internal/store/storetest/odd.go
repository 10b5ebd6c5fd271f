package storetest

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// Odd is a table as others make them: its names, its types and its values. All of SQL
// in it is the engine's own text.
type Odd struct {
	Name    string
	Mapping model.Mapping
	Make    []string                        // the statements that make it
	Table   string                          // its name in SQL
	Quote   func(string) string             // a column's name in SQL
	Tokens  [2]string                       // two claims' tokens, as SQL; empty: the server makes them
	Seen    [2]string                       // how they are shown; empty: whatever the server made
	States  map[model.State]string          // as SQL; unknown: a value that the mapping does not name
	Lease   func(from time.Duration) string // a lease that ends in so long, as SQL
	First   string                          // the first instant that the lease can hold, as SQL; empty: none is tried
	Last    string                          // the last one
	Refused string                          // why no act is offered; empty: acts are
	Held    string                          // why no later lease is offered; empty: it is
	Beats   bool                            // a heartbeat replaces the token
}

// OddMapping is that of the document's five columns with a prefix before each name.
func OddMapping(table model.Table, prefix string) model.Mapping {
	m, err := profile.For(profile.Bare, "orders", table)
	if err != nil {
		panic(err) // it is built in
	}
	m.Keys[0].Name = prefix + m.Keys[0].Name
	for r, c := range m.Columns {
		c.Name = prefix + c.Name
		m.Columns[r] = c
	}
	return m
}

// OddBench is what a dialect's test brings for them.
type OddBench interface {
	// Odds lists the tables.
	Odds() []Odd
	// OddStand makes a place for one table, which goes with the test, and gives the store
	// opened there and a way past it.
	OddStand(t testing.TB, o Odd) (*store.DB, func(text string))
	// Operator acts as an operator would and gives the receipt.
	Operator(q *Losing) Act
}

// Act carries out an act on a row as it was seen at the server's time.
type Act func(ctx context.Context, a model.Action, row *model.Job, at time.Time) model.Receipt

// Losing is a queue whose next reply to an act may be lost after it was carried out.
type Losing struct {
	*store.Queue
	Lose bool
}

// Apply sends an act and loses the reply where that is wanted.
func (l *Losing) Apply(ctx context.Context, i model.Intent) ([]model.Change, time.Time, error) {
	changes, at, err := l.Queue.Apply(ctx, i)
	if l.Lose && err == nil {
		return nil, time.Time{}, &model.Fault{Class: model.FaultNetwork, Text: "cut after", Unsure: true}
	}
	return changes, at, err
}

// The rows of an odd table, by key.
const (
	oddReady = iota + 1
	oddLive
	oddOver
	oddFailed
	oddUnknown
	oddCorrupt
	oddFirst
	oddLast
	oddLost
	oddBeat
)

// odd is one odd table at work.
type odd struct {
	testing.TB
	Odd
	exec func(string)
	q    *Losing
	act  Act
	caps model.Caps
}

// RunOdd holds a dialect to what is promised of tables that others made: they are
// watched truly, and where acts are offered their receipts are true.
func RunOdd(t *testing.T, b OddBench) {
	for _, o := range b.Odds() {
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			db, exec := b.OddStand(t, o)
			for _, text := range o.Make {
				exec(text)
			}
			e := &odd{TB: t, Odd: o, exec: exec, q: &Losing{Queue: db.Queue(o.Mapping)}}
			e.act = b.Operator(e.q)
			var err error
			if e.caps, err = e.q.Probe(t.Context()); err != nil {
				t.Fatalf("probe: %v", err)
			}
			e.fill()
			e.figures()
			e.priorities()
			e.lists()
			if o.Refused != "" {
				e.refused()
				return
			}
			e.acts()
			e.proofs()
		})
	}
}

// put adds a row by plain INSERT; an empty value is NULL, and a token that the server
// makes is left to it.
func (e *odd) put(key int64, s model.State, token, lease string) {
	e.Helper()
	m := &e.Mapping
	columns, values := []string{m.Keys[0].Name, m.Column(model.RoleState).Name}, []string{strconv.FormatInt(key, 10), e.States[s]}
	if e.Tokens[0] != "" {
		columns, values = append(columns, m.Column(model.RoleToken).Name), append(values, cmp.Or(token, "NULL"))
	}
	columns, values = append(columns, m.Column(model.RoleLease).Name), append(values, cmp.Or(lease, "NULL"))
	for i, c := range columns {
		columns[i] = e.Quote(c)
	}
	e.exec("INSERT INTO " + e.Table + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")")
}

// beat changes the lease of a row, as its worker's heartbeat does.
func (e *odd) beat(key int64, lease string) {
	e.Helper()
	m := &e.Mapping
	e.exec("UPDATE " + e.Table + " SET " + e.Quote(m.Column(model.RoleLease).Name) + " = " + lease + " WHERE " + e.Quote(m.Keys[0].Name) + " = " + strconv.FormatInt(key, 10))
}

// fill makes the rows that figures and lists are held against.
func (e *odd) fill() {
	a, b := e.Tokens[0], e.Tokens[1]
	e.put(oddReady, model.Ready, "", "")
	e.put(oddLive, model.Working, a, e.Lease(time.Hour))
	e.put(oddOver, model.Working, b, e.Lease(-5*time.Minute))
	if e.States[model.Failed] != "" {
		e.put(oddFailed, model.Failed, "", "")
	}
	if e.States[model.StateUnknown] != "" {
		e.put(oddUnknown, model.StateUnknown, "", "")
	}
	e.put(oddCorrupt, model.Working, a, "")
	if e.First != "" {
		e.put(oddFirst, model.Working, a, e.First)
		e.put(oddLast, model.Working, b, e.Last)
	}
}

// figures holds the pulse to the rows: a value that no mapping names is counted in no
// state.
func (e *odd) figures() {
	p, at, err := e.q.Pulse(e.Context(), model.PulseAsk{})
	if err != nil || at.IsZero() {
		e.Fatalf("pulse at %s: %v", at, err)
	}
	want := struct{ ready, working, expired, corrupt, failed int64 }{1, 3, 1, 1, 0}
	if e.First != "" {
		want.working, want.expired = 5, 2
	}
	if e.States[model.Failed] != "" {
		want.failed = 1
	}
	for _, c := range []struct {
		name string
		got  model.Count
		want int64
	}{{"ready", p.Ready, want.ready}, {"working", p.Working, want.working}, {"expired", p.Expired, want.expired}, {"corrupt", p.Corrupt, want.corrupt}, {"failed", p.Failed, want.failed}} {
		if c.want > 0 && (c.got.N != c.want || c.got.Trust != model.Exact) {
			e.Errorf("%s = %+v, want %d", c.name, c.got, c.want)
		}
	}
}

// lists holds the pages and the single rows to what was put there.
func (e *odd) lists() {
	page, at, err := e.q.Page(e.Context(), model.ViewWorking)
	if err != nil {
		e.Fatalf("page: %v", err)
	}
	for _, j := range page.Jobs {
		if j.State != model.Working {
			e.Errorf("%s is %s in the list of jobs in work", j.Key, j.State)
		}
	}
	for i, key := range []int64{oddLive, oddOver} {
		j := e.job(key)
		if e.Seen[i] != "" && j.Token.String() != e.Seen[i] || e.Mapping.Has(model.RoleToken) && j.Token.IsZero() {
			e.Errorf("token %s, want %s", j.Token, e.Seen[i])
		}
		if j.Expired(at) != (key == oddOver) || j.Lease.At.IsZero() || j.Lease.At.Sub(at).Abs() > 2*time.Hour {
			e.Errorf("row %d: lease %s, expired %v at %s", key, j.Lease.At, j.Expired(at), at)
		}
	}
	if e.States[model.StateUnknown] != "" {
		if j := e.job(oddUnknown); j.State != model.StateUnknown || j.RawState.Text == "" {
			e.Errorf("a value that the mapping does not name is read as %s, shown as %q", j.State, j.RawState.Text)
		}
	}
	if !e.job(oddCorrupt).Corrupt() {
		e.Error("a job in work without a lease is not corrupt")
	}
	if e.First != "" {
		if first, last := e.job(oddFirst), e.job(oddLast); !first.Expired(at) || last.Expired(at) {
			e.Errorf("leases %s and %s: expired %v and %v", first.Lease.Raw, last.Lease.Raw, first.Expired(at), last.Expired(at))
		}
	}
}

// job reads a row that must be there.
func (e *odd) job(key int64) *model.Job {
	e.Helper()
	j, _ := e.look(key)
	return j
}

func (e *odd) look(key int64) (*model.Job, time.Time) {
	e.Helper()
	j, at, err := e.q.Inspect(e.Context(), model.KeyOf(model.IntValue(key)))
	if err != nil || j == nil {
		e.Fatalf("inspect %d: %v, %v", key, j, err)
	}
	return j, at
}

// refused holds a table whose token no act could replace to saying so everywhere.
func (e *odd) refused() {
	if v := e.caps.Allows(model.CanControl); v.OK || !strings.Contains(v.Why, e.Refused) {
		e.Errorf("control: %+v, want %q", v, e.Refused)
	}
	sendable, absent, err := e.q.Statements(e.Context())
	if err != nil {
		e.Fatal(err)
	}
	told := false
	for _, s := range sendable {
		if s.Op == string(store.OpReclaim) && s.Danger == "" {
			e.Error("a reclaim would be sent")
		}
		told = told || s.Op == string(store.OpReclaim) && strings.Contains(s.Danger, e.Refused)
	}
	for _, s := range absent {
		told = told || s.Op == string(store.OpReclaim) && strings.Contains(s.Text, e.Refused)
	}
	if !told {
		e.Errorf("the list of statements does not say why no reclaim is sent: %v", absent)
	}
	j, at := e.look(oddOver)
	if r := e.act(e.Context(), model.Reclaim, j, at); r.Outcome != model.Refused || !strings.Contains(r.Message, e.Refused) {
		e.Errorf("reclaim: %s %s, want %q", r.Outcome, r.Message, e.Refused)
	}
	_, _, err = e.q.Apply(e.Context(), model.Intent{
		Action: model.Reclaim, Key: j.Key, ActionID: "0E5E70B5-0000-4000-8000-000000000001", Seen: model.Seen{State: j.State, Token: j.Token, Lease: j.Lease},
	})
	if err == nil || e.job(oddOver).State != model.Working {
		e.Errorf("the store sent it all the same: %v", err)
	}
}
