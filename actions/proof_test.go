package actions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// fencing is a type of token with three values of it: as a worker wrote it, another
// claim's, and the act's own, or what the server makes where the act writes none.
type fencing struct {
	column      model.Column
	held, other model.Token
	after       model.Token // what the act leaves
	chosen      bool        // the act chose it, so that nobody else's change leaves it
}

func fencings() []fencing {
	col := func(t model.Type, declared string) model.Column {
		return model.Column{Name: "Token", Type: t, Declared: declared}
	}
	of := func(c model.Column, a, b string) fencing {
		return fencing{column: c, held: model.TokenOf(model.Value{Type: c.Type, Text: a}), other: model.TokenOf(model.Value{Type: c.Type, Text: b}), after: c.NewToken(actionID), chosen: true}
	}
	version := of(col(model.Binary, "timestamp"), "0x00000000000007D1", "0x00000000000007D2")
	version.after, version.chosen = model.TokenOf(model.Value{Type: model.Binary, Text: "0x00000000000007D3"}), false
	moment := of(col(model.Time, "datetime"), "2026-11-30T11:59:00.003", "2026-11-30T11:59:00.007")
	moment.after, moment.chosen = model.Token{}, false
	return []fencing{
		of(col(model.GUID, "uniqueidentifier"), worker1, worker2),
		of(col(model.Binary, "varbinary(16)"), "0x01", "0x02"),
		of(col(model.Binary, "binary(20)"), "0x"+strings.Repeat("A1", 20), "0x"+strings.Repeat("A2", 20)),
		of(col(model.Text, "nvarchar(64)"), "pick-07", "pick-08"),
		of(col(model.Int, "bigint"), "7", "8"),
		version, moment,
	}
}

// everyProof calls f with every combination of what can be known of a reclaim on a
// table with such a token, and whether it proves the act.
func (f fencing) everyProof(each func(e evidence, proved bool)) {
	faults := []*model.Fault{nil, {Code: 1222, Text: "lock"}, {Text: "reset", Unsure: true}}
	seen := row(model.Working, f.held, noon.Add(-time.Minute))
	rows := []*model.Job{nil, seen, row(model.Ready, f.after, time.Time{}), row(model.Working, f.other, noon), row(model.Ready, f.other, time.Time{})}
	took := func(k model.Key, old, next model.Token) []model.Change {
		return []model.Change{{Key: k, OldState: model.Working, NewState: model.Ready, OldToken: old, NewToken: next}}
	}
	changes := [][]model.Change{nil, took(job7, f.held, f.after), took(job8, f.held, f.after), took(job7, f.held, f.held), took(job7, f.other, f.held)}
	for n := range len(faults) * len(rows) * len(changes) * 2 * 4 {
		next := func(of int) int {
			i := n % of
			n /= of
			return i
		}
		fault, now, change := faults[next(len(faults))], next(len(rows)), next(len(changes))
		var audit *model.Event
		history := next(2) == 1
		flags := next(4)
		if history && flags&1 != 0 {
			audit = &model.Event{Action: actionID}
		}
		e := evidence{
			intent: model.Intent{Action: model.Reclaim, Key: job7, ActionID: actionID, Seen: model.Seen{State: model.Working, Token: f.held, Lease: seen.Lease}},
			row:    seen, at: noon, nowAt: noon, fault: fault, now: rows[now], changes: changes[change], audit: audit,
			history: history, settled: flags&2 != 0, token: f.column,
		}
		each(e, fault == nil && change == 1 || audit != nil || f.chosen && now == 2)
	}
}

// untrue is where a judge says applied without proof, or does not with it, or settles
// what may still happen; empty when it never does.
func (f fencing) untrue(judge func(evidence) model.Receipt) string {
	var first string
	f.everyProof(func(e evidence, proved bool) {
		r := judge(e)
		switch {
		case first != "":
		case (r.Outcome == model.Applied) != proved:
			first = fmt.Sprintf("%s with proof %v: %s", r.Outcome, proved, r.Message)
		case e.fault != nil && e.fault.Unsure && !proved && e.matchable() && !e.settled && r.Resolved():
			first = fmt.Sprintf("settled while the statement may still take effect: %s", r.Message)
		}
	})
	return first
}

// TestReceiptsAreTrueForEveryToken holds the judge to the proof that each type of token
// can give, and sees that a judge with one proof too many is caught.
func TestReceiptsAreTrueForEveryToken(t *testing.T) {
	for _, f := range fencings() {
		if why := f.untrue(judge); why != "" {
			t.Errorf("%s: %s", f.column.Declared, why)
		}
		credulous := func(e evidence) model.Receipt { // takes what the act would leave for the act's own work
			if e.now != nil && e.now.State == model.Ready && e.now.Token == f.after {
				e.audit = &model.Event{}
			}
			return judge(e)
		}
		if why := f.untrue(credulous); (why == "") != f.chosen {
			t.Errorf("%s: a judge that believes a token nobody chose: %q", f.column.Declared, why)
		}
		blind := func(e evidence) model.Receipt { // takes any captured row for the one that was meant
			e.token = model.Column{Name: "Token", Type: model.Binary, Declared: "rowversion"}
			if len(e.changes) == 1 {
				c := e.changes[0]
				c.OldToken, c.NewToken = e.intent.Seen.Token, model.TokenOf(model.TextValue("any"))
				e.changes = []model.Change{c}
			}
			return judge(e)
		}
		if f.untrue(blind) == "" {
			t.Errorf("%s: a judge that does not look at tokens is not caught", f.column.Declared)
		}
	}
}

// TestALaterLeaseIsProvedByItsMark holds what an extension's lost reply can be told by,
// at each scale of the lease, and that a lease which somebody set anew since proves
// nothing either way.
func TestALaterLeaseIsProvedByItsMark(t *testing.T) {
	intent := model.Intent{Action: model.Extend, Key: job7, ActionID: actionID, Seen: model.Seen{State: model.Working, Token: held, Lease: lease(noon)}}
	mark := noon.Add(5*time.Minute + time.Duration(intent.Mark())*time.Millisecond)
	tick := time.Second / 300
	for name, tc := range map[string]struct {
		declared  string
		lease     time.Time
		settled   bool
		history   bool
		forgotten bool
		want      model.Outcome
		final     bool
	}{
		"to the millisecond":            {declared: "datetime2(3)", lease: mark, want: model.Applied},
		"another's, to the millisecond": {declared: "datetime2(3)", lease: mark.Add(time.Millisecond), want: model.OutcomeUnknown},
		"finer":                         {declared: "datetime2(7)", lease: mark.Add(400 * time.Microsecond), want: model.Applied},
		"to the tick":                   {declared: "datetime", lease: mark.Round(tick).Truncate(time.Millisecond), want: model.Applied},
		"another's tick":                {declared: "datetime", lease: mark.Add(3 * tick), want: model.OutcomeUnknown},
		"too coarse for a mark":         {declared: "smalldatetime", lease: mark.Truncate(time.Minute), want: model.OutcomeUnknown},
		"set anew since":                {declared: "datetime2(3)", lease: mark.Add(time.Minute + time.Millisecond), settled: true, want: model.OutcomeUnknown, final: true},
		"set anew, and it was purged":   {declared: "datetime2(3)", lease: mark.Add(time.Minute + time.Millisecond), settled: true, history: true, forgotten: true, want: model.OutcomeUnknown, final: true},
		"set anew, and a history":       {declared: "datetime2(3)", lease: mark.Add(time.Minute + time.Millisecond), settled: true, history: true, want: model.Refused},
		"as it was":                     {declared: "datetime2(3)", lease: noon, settled: true, want: model.Refused},
		"as it was, too coarse":         {declared: "smalldatetime", lease: noon, settled: true, want: model.Refused},
		"a beat's, by its history":      {declared: "datetime2(3)", lease: mark, settled: true, history: true, want: model.Refused},
		"a history that is purged":      {declared: "datetime2(3)", lease: mark, settled: true, history: true, forgotten: true, want: model.Applied},
	} {
		e := evidence{
			intent: intent, row: shown(), at: noon, nowAt: noon, fault: &model.Fault{Text: "reset", Unsure: true}, now: row(model.Working, held, tc.lease),
			settled: tc.settled, history: tc.history, forgotten: tc.forgotten, lease: model.Column{Name: "LeaseUntil", Type: model.Time, Declared: tc.declared},
		}
		if r := judge(e); r.Outcome != tc.want || r.Final != tc.final {
			t.Errorf("%s: %s (final %v), %s; want %s (final %v)", name, r.Outcome, r.Final, r.Message, tc.want, tc.final)
		}
	}
}

// TestAMarkByChanceProvesNothing holds that a lease which has the act's mark by chance
// is not taken for the act's: neither the one that was seen, as a journal has it, nor one
// that is there after the statement ended and matched nothing.
func TestAMarkByChanceProvesNothing(t *testing.T) {
	intent := model.Intent{Action: model.Extend, Key: job7, ActionID: actionID, Seen: model.Seen{State: model.Working, Token: held}}
	was := lease(noon.Add(5*time.Minute + time.Duration(intent.Mark())*time.Millisecond))
	intent.Seen.Lease.Raw = was.Raw // a journal has no more of it
	noted := evidence{
		intent: intent, nowAt: noon, fault: &model.Fault{Text: "the reply was lost", Unsure: true}, settled: true,
		now: row(model.Working, held, was.At), lease: model.Column{Name: "LeaseUntil", Type: model.Time, Declared: "datetime2(3)"},
	}
	if r := judge(noted); r.Outcome != model.Refused {
		t.Errorf("the lease that was seen: %s, %s", r.Outcome, r.Message)
	}
	unmatched := noted
	unmatched.fault, unmatched.intent.Seen.Lease = nil, lease(noon)
	if r := judge(unmatched); r.Outcome != model.Changed {
		t.Errorf("nothing was matched: %s, %s", r.Outcome, r.Message)
	}
}

// TestActsOnOtherTokensSayWhatTheyDo holds what the dialog says before and the receipt
// after.
func TestActsOnOtherTokensSayWhatTheyDo(t *testing.T) {
	for _, tc := range []struct {
		column            model.Column
		effect, afterward string
		token             model.Token
		extend            string
	}{
		{model.Column{Name: "RowVer", Type: model.Binary, Declared: "timestamp"}, "under a new rowversion, which the server makes", "under a new token", model.TokenOf(model.TextValue("any")), "RowVer is a rowversion"},
		{model.Column{Name: "LockedUntil", Type: model.Time, Declared: "datetime2(3)"}, "its token is cleared", "carries no token any more", model.Token{}, "lease and the token in one"},
		{model.Column{Name: "Version", Type: model.Int, Declared: "bigint"}, "under a new token", "under a new token", model.Token{}, ""},
	} {
		s := newScript()
		s.mapping.Columns = map[model.Role]model.Column{model.RoleToken: tc.column, model.RoleLease: {Name: "LockedUntil", Type: model.Time}}
		s.apply = func(i model.Intent) ([]model.Change, error) {
			next := tc.token
			if own := tc.column.NewToken(i.ActionID); !own.IsZero() {
				next = own
			}
			return captured(i.Key, next), nil
		}
		d := desk(s, Target{Control: true}, nil)
		p := plan(t, d, model.Reclaim, "")
		if !strings.Contains(strings.Join(p.Effects, " "), tc.effect) {
			t.Errorf("%s: effects %q, want %q", tc.column.Declared, p.Effects, tc.effect)
		}
		if r := d.Apply(t.Context(), p, ""); r.Outcome != model.Applied || !strings.Contains(r.Message, tc.afterward) {
			t.Errorf("%s: %s %s", tc.column.Declared, r.Outcome, r.Message)
		}
		if v := d.Allowed("orders", model.Extend, shown(), noon.Add(-2*time.Minute)); v.OK != (tc.extend == "") || !strings.Contains(v.Why, tc.extend) {
			t.Errorf("%s: extend %+v, want %q", tc.column.Declared, v, tc.extend)
		}
	}
}

// TestAnUnfencedActIsOnlyShown holds that where nothing fences a worker an act is refused
// with its reason, and that printing it says the danger and sends nothing.
func TestAnUnfencedActIsOnlyShown(t *testing.T) {
	s := newScript()
	s.mapping.Family = model.Unfenced
	s.caps.Can[model.CanControl] = model.No("unfenced", "")
	tokenless := shown()
	tokenless.Token, tokenless.Tokenless = model.Token{}, true
	if v := desk(s, Target{Control: true}, nil).Allowed("orders", model.Reclaim, tokenless, noon); v.OK || !strings.Contains(v.Why, "unfenced") || !strings.Contains(v.Fix, "--print-only") {
		t.Errorf("%+v", v)
	}
	s.danger = s.mapping.Danger()
	d := desk(s, Target{PrintOnly: true}, nil)
	p, err := d.Plan(t.Context(), "orders", Ask{Action: model.Reclaim, Row: tokenless, At: noon})
	if err != nil || !p.Refusal.OK || !strings.HasPrefix(p.Effects[0], "Danger: the queue is unfenced") {
		t.Fatalf("%v, %+v, %q", err, p.Refusal, p.Effects)
	}
	for _, e := range p.Effects {
		if strings.Contains(e, "will be refused from then on") || strings.Contains(e, "new token") {
			t.Errorf("an effect promises a fence: %s", e)
		}
	}
	if r := d.Apply(t.Context(), p, ""); r.Outcome != model.Refused || len(s.log) > 0 {
		t.Errorf("%s %s, steps %v", r.Outcome, r.Message, s.log)
	}
}
