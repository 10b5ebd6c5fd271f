package actions

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// brakeEngine is a queue's brake with a fault on order.
type brakeEngine struct {
	state  *model.Brake
	events map[string]bool
	cut    string // "before" or "after" the statement; empty: not at all
	deaf   bool   // it cannot be read
}

func (b *brakeEngine) set(i model.Intent) bool {
	want := i.Action == model.PutBrake
	if b.state.On == want {
		return false
	}
	b.state = &model.Brake{On: want, At: model.Instant{At: noon, Raw: model.TimeValue("raw")}, Actor: i.Actor, Reason: i.Reason}
	b.events[i.ActionID] = true
	return true
}

func (b *brakeEngine) ApplyBrake(_ context.Context, i model.Intent) (bool, *model.Brake, time.Time, error) {
	lost := &model.Fault{Class: model.FaultNetwork, Text: "the connection broke", Unsure: true}
	if b.cut == "before" {
		return false, nil, time.Time{}, lost
	}
	done := b.set(i)
	if b.cut == "after" {
		return false, nil, time.Time{}, lost
	}
	return done, b.state, noon, nil
}

func (b *brakeEngine) Brake(context.Context) (*model.Brake, time.Time, error) {
	if b.deaf {
		return nil, time.Time{}, &model.Fault{Class: model.FaultNetwork, Text: "no connection"}
	}
	return b.state, noon, nil
}

func (b *brakeEngine) BrakeEvent(_ context.Context, id string) (*model.Event, error) {
	if !b.events[id] {
		return nil, nil
	}
	return &model.Event{Kind: model.EventBraked, Action: id}, nil
}

// brakeDesk is a desk over the engine, with the plan that puts the brake.
func brakeDesk(t *testing.T, e *brakeEngine, target Target, reason string) (*Desk, model.Plan) {
	t.Helper()
	s := newScript()
	s.caps.Can[model.CanBrake] = model.Yes()
	target.Brakes = e
	d := desk(s, target, nil)
	p, err := d.Plan(t.Context(), "orders", Ask{Action: model.PutBrake, Reason: reason})
	if err != nil {
		t.Fatal(err)
	}
	return d, p
}

// TestTheBrakesVerdict holds every outcome of an act on the brake, also of one
// whose reply was lost before or after the statement.
func TestTheBrakesVerdict(t *testing.T) {
	tests := map[string]struct {
		on      bool // before the act
		cut     string
		deaf    bool
		outcome model.Outcome
		message string
		later   model.Outcome // what a look long afterwards finds, where the reply was lost
	}{
		"put":                            {outcome: model.Applied, message: "no claim begins"},
		"it is on already":               {on: true, outcome: model.Changed, message: "by somebody else, before"},
		"lost after":                     {cut: "after", outcome: model.Applied, message: "the history proves it"},
		"lost before":                    {cut: "before", outcome: model.OutcomeUnknown, message: "may still take effect", later: model.Refused},
		"lost before, and it was on":     {on: true, cut: "before", outcome: model.OutcomeUnknown, message: "may still take effect", later: model.Changed},
		"lost after, and it is not read": {cut: "after", deaf: true, outcome: model.OutcomeUnknown, message: "cannot be read", later: model.Applied},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			e := &brakeEngine{state: &model.Brake{On: tc.on, Actor: "somebody else", Reason: "before"}, events: map[string]bool{}}
			d, p := brakeDesk(t, e, Target{Control: true}, "bad deploy")
			e.cut, e.deaf = tc.cut, tc.deaf
			r := d.Apply(t.Context(), p, "")
			if r.Outcome != tc.outcome || !strings.Contains(r.Message, tc.message) {
				t.Fatalf("%s: %s, want %s: %s", r.Outcome, r.Message, tc.outcome, tc.message)
			}
			if r.Over() {
				return
			}
			e.deaf = false
			d.now = func() time.Time { return r.Sent.Add(2 * Settle) }
			if r = d.Resolve(t.Context(), r); r.Outcome != tc.later {
				t.Errorf("later %s: %s, want %s", r.Outcome, r.Message, tc.later)
			}
		})
	}
}

// TestAPurgedHistoryTellsNothingOfTheBrake looks a lost act up when the history may no
// longer have it: the time that the brake itself keeps can still tell.
func TestAPurgedHistoryTellsNothingOfTheBrake(t *testing.T) {
	for name, tc := range map[string]struct {
		cut     string
		reaches time.Duration // how far back the history does
		since   bool          // somebody changed the brake after the act
		want    model.Outcome
	}{
		"applied and released since":  {cut: "after", since: true, want: model.OutcomeUnknown},
		"lost, and changed since":     {cut: "before", since: true, want: model.OutcomeUnknown},
		"lost, and nobody was there":  {cut: "before", want: model.Refused},
		"lost, changed, but recorded": {cut: "before", since: true, reaches: 365 * 24 * time.Hour, want: model.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			e := &brakeEngine{state: &model.Brake{}, events: map[string]bool{}}
			d, p := brakeDesk(t, e, Target{Control: true}, "bad deploy")
			d.targets["orders"].Store.(*script).reaches = tc.reaches
			e.cut = tc.cut
			lost := d.Apply(t.Context(), p, "")
			lost.Outcome = model.OutcomeUnknown
			clear(e.events)
			if e.state.On = false; tc.since {
				e.state.At = model.Instant{At: noon, Raw: model.TimeValue("raw")}
			}
			d.now = func() time.Time { return lost.Sent.Add(40 * 24 * time.Hour) }
			if r := d.Resolve(t.Context(), lost); r.Outcome != tc.want || r.Final != (tc.want == model.OutcomeUnknown) {
				t.Errorf("%s, final %v: %s; want %s", r.Outcome, r.Final, r.Message, tc.want)
			}
		})
	}
}

// TestTheBrakesGuards holds what is wanted before a brake is put, and that nothing
// is sent without it.
func TestTheBrakesGuards(t *testing.T) {
	for name, tc := range map[string]struct {
		target        Target
		reason, typed string
		want          string
	}{
		"no control":              {Target{}, "why", "", "control is off"},
		"no reason":               {Target{Control: true}, "", "", "a reason is required"},
		"production, not typed":   {Target{Control: true, Production: true}, "why", "", "type orders"},
		"production, mistyped":    {Target{Control: true, Production: true}, "why", "order", "type orders"},
		"only printed":            {Target{Control: true, PrintOnly: true}, "why", "", "only printed"},
		"production, as it wants": {Target{Control: true, Production: true}, "why", "orders", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := &brakeEngine{state: &model.Brake{}, events: map[string]bool{}}
			d, p := brakeDesk(t, e, tc.target, tc.reason)
			r := d.Apply(t.Context(), p, tc.typed)
			if tc.want == "" {
				if r.Outcome != model.Applied {
					t.Errorf("%s: %s", r.Outcome, r.Message)
				}
				return
			}
			if r.Outcome != model.Refused || !strings.Contains(r.Message, tc.want) || e.state.On {
				t.Errorf("%s: %s, on %v; want refused: %s", r.Outcome, r.Message, e.state.On, tc.want)
			}
		})
	}
}

// A destructive queue has no brake, and a probe finds none and says nothing of it: a
// refusal without words must not be taken for none.
func TestADestructiveQueueHasNoBrake(t *testing.T) {
	for name, family := range map[string]model.Family{"destructive": model.Destructive, "nothing said": model.Fenced} {
		t.Run(name, func(t *testing.T) {
			s, e := newScript(), &brakeEngine{state: &model.Brake{}, events: map[string]bool{}}
			s.mapping.Family = family
			d := desk(s, Target{Control: true, Brakes: e}, nil)
			p, err := d.Plan(t.Context(), "orders", Ask{Action: model.PutBrake, Reason: "why"})
			if err != nil {
				t.Fatal(err)
			}
			r := d.Apply(t.Context(), p, "")
			if r.Outcome != model.Refused || r.Message == "" || !r.Sent.IsZero() || e.state.On {
				t.Errorf("%s: %q, sent %v, on %v; want refused with a reason and unsent", r.Outcome, r.Message, r.Sent, e.state.On)
			}
			if v := d.BrakeAllowed("orders"); family == model.Destructive && !strings.Contains(v.Why, "has no brake") {
				t.Errorf("the key says %q", v.Why)
			}
		})
	}
}

// A brake that nobody has used may be younger than workers that run: plan and
// receipt say how long these take to notice it, and only then.
func TestTheFirstBrakeSaysWhatIsLeft(t *testing.T) {
	used := &model.Brake{At: model.Instant{At: noon, Raw: model.TimeValue("raw")}}
	for state, want := range map[*model.Brake]bool{{}: true, used: false} {
		d, p := brakeDesk(t, &brakeEngine{state: state, events: map[string]bool{}}, Target{Control: true}, "why")
		r := d.Apply(t.Context(), p, "")
		if r.Outcome != model.Applied || strings.Contains(r.Message, firstTime) != want || strings.Contains(strings.Join(p.Effects, " "), firstTime) != want {
			t.Errorf("never on: %v, receipt %q, plan %q", want, r.Message, p.Effects)
		}
	}
}
