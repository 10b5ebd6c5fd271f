package storetest

import (
	"slices"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func healthCases() []testCase {
	needs := []store.Op{store.OpHealth}
	return []testCase{
		{name: "sound", needs: needs, run: soundRows},
		{name: "broken rows", needs: needs, run: brokenRows},
		{name: "broken rows of the whole schema", needs: needs, lease: true, run: brokenLeaseRows},
		{name: "done rows", needs: []store.Op{store.OpHealthScan}, run: doneRows},
		{name: "catalog", needs: []store.Op{store.OpCatalog, store.OpIndexes}, run: catalogOf},
		{name: "history", needs: []store.Op{store.OpHistoryHealth, store.OpClaim}, lease: true, run: pastOf},
	}
}

// health reads the symptoms by rule.
func (e *env) health(scan bool) map[string]model.Symptom {
	e.Helper()
	found, at, err := e.q.Health(e.ctx, scan)
	if err != nil {
		e.Fatalf("health: %v", err)
	}
	if at.IsZero() {
		e.Error("the answer has no time")
	}
	out := map[string]model.Symptom{}
	for _, s := range found {
		rule := s.Rule
		if rule == model.SymptomState || rule == model.SymptomNewest {
			rule += " " + s.Value
		}
		out[rule] = s
	}
	return out
}

// rules are what was found beside states and times.
func rules(found map[string]model.Symptom) []string {
	var out []string
	for _, s := range found {
		if s.Rule != model.SymptomState && s.Rule != model.SymptomNewest {
			out = append(out, s.Rule)
		}
	}
	slices.Sort(out)
	return out
}

func soundRows(e *env) {
	if got := rules(e.health(false)); len(got) > 0 {
		e.Errorf("an empty table has %v", got)
	}
	e.seed(Seed{})
	e.held(time.Minute)
	e.seed(Seed{State: model.Done, Token: e.guid()})
	found := e.health(false)
	if got := rules(found); len(got) > 0 {
		e.Errorf("sound rows have %v", got)
	}
	for _, s := range []model.State{model.Ready, model.Working, model.Done} {
		if _, ok := found[model.SymptomState+" "+e.m().States[s].Text]; !ok {
			e.Errorf("the state %s is not among %v", s, found)
		}
	}
}

func brokenRows(e *env) {
	tokenless := e.seed(Seed{State: model.Working, Lease: new(time.Minute)})
	e.seed(Seed{State: model.Working, Lease: new(time.Minute)})
	leaseless := e.seed(Seed{State: model.Working, Token: e.guid()})
	found := e.health(false)
	is(e, "rows without a token", found[model.SymptomNoToken].Count, model.Count{N: 2, Trust: model.Exact})
	is(e, "the first of them", found[model.SymptomNoToken].Key, tokenless)
	is(e, "rows without a lease", found[model.SymptomNoLease].Count, model.Count{N: 1, Trust: model.Exact})
	is(e, "the first of them", found[model.SymptomNoLease].Key, leaseless)
}

func brokenLeaseRows(e *env) {
	used := e.seed(Seed{Attempts: 3, MaxAttempts: model.NumberOf(3)})
	over := e.seed(Seed{State: model.Working, Token: e.guid(), Lease: new(time.Minute), Attempts: 4, MaxAttempts: model.NumberOf(3)})
	failed := e.seed(Seed{State: model.Failed, Token: e.guid()})
	both := e.guid()
	for _, worker := range []string{"a", "b"} {
		e.seed(Seed{State: model.Working, Token: both, Lease: new(time.Minute), Worker: worker})
	}
	batch := e.guid()
	for range 2 { // rows of one claim share its token
		e.seed(Seed{State: model.Working, Token: batch, Lease: new(time.Minute), Worker: "c"})
	}
	found := e.health(false)
	is(e, "used up", found[model.SymptomUsedUp].Key, used)
	is(e, "over the bound", found[model.SymptomOverBound].Key, over)
	is(e, "without a time", found[model.SymptomNoEnd].Key, failed)
	is(e, "shared", found[model.SymptomShared].Value, both)
	is(e, "shared tokens", found[model.SymptomShared].Count.N, 1)
	if _, ok := found[model.SymptomNewest+" enqueued"]; !ok {
		e.Errorf("no time of the newest ready row in %v", found)
	}
}

func doneRows(e *env) {
	e.seed(Seed{State: model.Done, Token: e.guid()})
	if got := rules(e.health(true)); len(got) > 0 {
		e.Errorf("a done row that keeps its token has %v", got)
	}
	k := e.seed(Seed{State: model.Done, Token: e.guid(), Lease: new(time.Minute)})
	found := e.health(true)
	is(e, "done with a lease", found[model.SymptomDoneLease].Key, k)
	is(e, "done with a lease", found[model.SymptomDoneLease].Count.N, 1)
}

func catalogOf(e *env) {
	c, err := e.q.Catalog(e.ctx)
	if err != nil {
		e.Fatalf("catalog: %v", err)
	}
	if c.Edition == "" {
		e.Error("it does not say which edition it is")
	}
	all, err := e.q.Indexes(e.ctx)
	if err != nil {
		e.Fatalf("indexes: %v", err)
	}
	unique, history := false, false
	for _, ix := range all {
		unique = unique || !ix.OnHistory && ix.Unique && len(ix.Columns) == len(e.m().Keys) && !slices.ContainsFunc(e.m().Keys, func(k model.Column) bool { return !slices.Contains(ix.Columns, k.Name) })
		history = history || ix.OnHistory
	}
	is(e, "an index makes the key unique", unique, true)
	is(e, "the history has an index", history, e.leaseTable())
}

func pastOf(e *env) {
	if since, err := e.q.Remembered(e.ctx); err != nil || since != 0 {
		e.Errorf("an empty history reaches back %s, %v", since, err)
	}
	e.seed(Seed{})
	c := e.claimOne()
	if _, err := e.q.Complete(e.ctx, c.Key, c.Token); err != nil {
		e.Fatal(err)
	}
	e.advance(time.Hour)
	found, _, err := e.q.HistoryHealth(e.ctx)
	if err != nil {
		e.Fatalf("history: %v", err)
	}
	if len(found) != 1 || found[0].Rule != model.SymptomOldest || (found[0].Span-time.Hour).Abs() > e.stand.Slack() {
		e.Errorf("a history that began an hour ago has %+v", found)
	}
	if since, err := e.q.Remembered(e.ctx); err != nil || (since-time.Hour).Abs() > e.stand.Slack() {
		e.Errorf("a history that began an hour ago reaches back %s, %v", since, err)
	}
}
