package model

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The zero of everything that is shown claims nothing.
func TestZeroMeansUnknown(t *testing.T) {
	var (
		part    Part[Pulse]
		receipt Receipt
		plan    Plan
	)
	checks := map[string]bool{
		"a count":       !Count{}.Known(),
		"an age":        !Age{}.Known(),
		"a rate":        !Rate{}.Known(),
		"a number":      !Number{}.Known,
		"an instant":    Instant{}.IsZero(),
		"a value":       Value{}.IsNull(),
		"a key":         Key{}.IsZero(),
		"a token":       Token{}.IsZero(),
		"a column":      Column{}.IsZero(),
		"a table":       Table{}.IsZero(),
		"a part":        !part.Known(),
		"a verdict":     !Verdict{}.OK,
		"capabilities":  !(&Caps{}).Allows(CanControl).OK,
		"a receipt":     receipt.Outcome == OutcomeUnknown && !receipt.Resolved(),
		"a plan":        !plan.Refusal.OK && plan.Intent.Action == ActionNone,
		"a state":       (&Job{}).State == StateUnknown && !(&Job{}).Corrupt(),
		"the watching":  Snapshot{}.Watch.Health == Connecting,
		"a family":      (&Mapping{}).Family == FamilyUnknown,
		"a fault":       (&Fault{}).Class == FaultOther && !(&Fault{}).Unsure,
		"a view":        Page{}.View == ViewNone,
		"figures":       !(&Snapshot{}).Figures().Ready.Known(),
		"the time":      (&Snapshot{}).Now().IsZero(),
		"no board":      (*Board)(nil).Queue("q") == nil,
		"a usual lease": (&Mapping{}).UsualLease() == DefaultLease,
	}
	for what, ok := range checks {
		if !ok {
			t.Errorf("the zero of %s claims something", what)
		}
	}
}

func TestWeakest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trusts := rapid.Map(rapid.IntRange(0, int(Estimated)), func(i int) Trust { return Trust(i) })
		a, b, c := trusts.Draw(t, "a"), trusts.Draw(t, "b"), trusts.Draw(t, "c")
		w := Weakest(a, b)
		if w != Weakest(b, a) || Weakest(w, c) != Weakest(a, Weakest(b, c)) || Weakest(a, a) != a {
			t.Fatalf("of %v, %v and %v", a, b, c)
		}
		if (w == Unknown) != (a == Unknown || b == Unknown) || w == Exact && (a != Exact || b != Exact) {
			t.Fatalf("%v and %v make %v", a, b, w)
		}
	})
	for _, c := range [][3]Trust{{Exact, AtLeast, AtLeast}, {AtLeast, Capped, Capped}, {Capped, Estimated, Estimated}, {Exact, Unknown, Unknown}} {
		if got := Weakest(c[0], c[1]); got != c[2] {
			t.Errorf("%v and %v make %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

func TestStateOf(t *testing.T) {
	m := &Mapping{States: map[State]Value{Ready: TextValue("R"), Working: TextValue("W "), Done: IntValue(3), Failed: TextValue("")}}
	for _, c := range []struct {
		v    Value
		want State
	}{
		{TextValue("R"), Ready},
		{TextValue("R   "), Ready}, // char(4) of a server
		{TextValue("W"), Working},
		{TextValue(" R"), StateUnknown},
		{TextValue("r"), StateUnknown}, // a collation decides that, not we
		{TextValue("X"), StateUnknown},
		{IntValue(3), Done},
		{TextValue(""), Failed},
		{Value{}, StateUnknown}, // NULL is not the empty text
	} {
		if got := m.StateOf(c.v); got != c.want {
			t.Errorf("%v is %v, want %v", c.v, got, c.want)
		}
	}
	if got := (&Mapping{}).StateOf(TextValue("R")); got != StateUnknown {
		t.Errorf("without states R is %v", got)
	}
}

func TestStatesByWord(t *testing.T) {
	for _, s := range States() {
		if got, ok := ParseState(s.String()); !ok || got != s {
			t.Errorf("%v comes back as %v", s, got)
		}
	}
	for _, s := range []string{"", "unknown", "Ready", "expired"} {
		if got, ok := ParseState(s); ok {
			t.Errorf("%q is the state %v", s, got)
		}
	}
}

func TestWordsOfEnums(t *testing.T) {
	for got, want := range map[string]string{
		Type(99).String(): "unknown", State(99).String(): "unknown", Action(99).String(): "unknown",
		Outcome(99).String(): "unknown", FaultClass(99).String(): "unknown", Trust(99).String(): "unknown",
		View(99).String(): "unknown", Health(99).String(): "unknown", Severity(99).String(): "unknown", Family(99).String(): "unknown",
	} {
		if got != want {
			t.Errorf("out of range: %q", got)
		}
	}
	for word, last := range map[string]string{
		Binary.String(): "binary", Failed.String(): "failed", Refused.String(): "refused", FaultBraked.String(): "guard",
		Estimated.String(): "estimated", ViewReady.String(): "ready", Broken.String(): "broken", Bad.String(): "bad", Destructive.String(): "destructive",
	} {
		if word != last {
			t.Errorf("%q is called %q: a word is missing or one too many", last, word)
		}
	}
	out, err := json.Marshal(map[string]any{
		"key": KeyOf(IntValue(7), TextValue("a,b")), "token": Token{}, "state": Working, "outcome": Applied, "trust": AtLeast, "action": Reclaim, "severity": Warn,
	})
	if err != nil || string(out) != `{"action":"reclaim","key":"7,a\\,b","outcome":"applied","severity":"warn","state":"working","token":"none","trust":"at_least"}` {
		t.Errorf("%s, %v", out, err)
	}
}

func TestFaultSaysWhatWhereAndTheCure(t *testing.T) {
	f := &Fault{Class: FaultDenied, Code: 229, Op: "pulse", Text: "SELECT was denied on Orders", Cure: "ask for SELECT"}
	if got, want := f.Error(), "pulse: SELECT was denied on Orders (error 229): ask for SELECT"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (&Fault{Text: "odd"}).Error(); got != "odd" {
		t.Errorf("got %q", got)
	}
}

func TestTableNames(t *testing.T) {
	for want, table := range map[string]Table{
		"dbo.Orders": {"dbo", "Orders"}, "Orders": {"", "Orders"}, "dbo.[odd.name]": {"dbo", "odd.name"}, "[a]]b]": {"", "a]b"},
	} {
		if got := table.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestRoles(t *testing.T) {
	m := &Mapping{Keys: []Column{{Name: "JobId"}}, Columns: map[Role]Column{RoleToken: {Name: "ClaimToken"}, RoleAttempts: {Name: "Attempts"}}}
	for r, want := range map[Role]bool{RoleKey: true, RoleToken: true, RoleLease: false, RoleAttempts: true, RoleMaxAttempts: false} {
		if m.Has(r) != want || (m.Column(r).Name != "") != want {
			t.Errorf("role %s: has is %v, column %v", r, m.Has(r), m.Column(r))
		}
	}
	if m.Bounded() || len(m.Tokens()) != 1 {
		t.Errorf("bounded is %v without a bound; tokens %v", m.Bounded(), m.Tokens())
	}
	if (&Mapping{}).Has(RoleKey) || (&Mapping{}).Tokens() != nil {
		t.Error("a mapping of nothing has a key or a token")
	}
	seen := map[Role]bool{}
	for _, r := range Roles() {
		if seen[r] {
			t.Errorf("role %s is listed twice", r)
		}
		seen[r] = true
	}
	for _, r := range []Role{RoleKey, RoleState, RoleToken, RoleLease, RolePayload, RolePriority, RoleEnqueued, RoleAvailable, RoleClaimed, RoleHeartbeat, RoleEnded, RoleWorker, RoleAttempts, RoleMaxAttempts, RoleTotalClaims, RoleError, RoleOperation} {
		if !seen[r] {
			t.Errorf("role %s is not listed", r)
		}
	}
	if (&Mapping{Lease: time.Second}).UsualLease() != time.Second {
		t.Error("a configured lease is not the usual one")
	}
}
