package actions

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// script is a store whose answers are set by the test; it notes what was asked.
type script struct {
	log     []string
	mapping model.Mapping
	caps    model.Caps
	text    string
	danger  string
	apply   func(model.Intent) ([]model.Change, error)
	row     *model.Job
	rowErr  error
	audit   *model.Event
	reaches time.Duration // how far the history does
}

func newScript() *script {
	s := &script{row: shown(), text: "UPDATE"}
	s.mapping = model.Mapping{Queue: "orders", Family: model.Fenced, History: model.Table{Name: "h"}}
	s.caps.Can = map[model.Feature]model.Verdict{model.CanControl: model.Yes()}
	s.apply = func(i model.Intent) ([]model.Change, error) {
		return captured(i.Key, model.TokenOf(model.GUIDValue(i.ActionID))), nil
	}
	return s
}

func (s *script) Mapping() *model.Mapping  { return &s.mapping }
func (s *script) Caps() (model.Caps, bool) { return s.caps, s.caps.Can != nil }

func (s *script) Inspect(context.Context, model.Key) (*model.Job, time.Time, error) {
	s.log = append(s.log, "inspect")
	return s.row, noon, s.rowErr
}

func (s *script) Render(context.Context, model.Intent) (model.Statement, error) {
	return model.Statement{Text: s.text, Danger: s.danger}, nil
}

func (s *script) Apply(_ context.Context, i model.Intent) ([]model.Change, time.Time, error) {
	s.log = append(s.log, "apply")
	c, err := s.apply(i)
	return c, noon, err
}

func (s *script) Audit(context.Context, model.Key, string) (*model.Event, error) {
	s.log = append(s.log, "audit")
	return s.audit, nil
}

func (s *script) History(context.Context, model.Key, int) ([]model.Event, time.Time, error) {
	return nil, noon, nil
}

func (s *script) Remembered(context.Context) (time.Duration, error) {
	s.log = append(s.log, "remembered")
	return s.reaches, nil
}

// notes is a journal kept in the script's own log.
type notes struct {
	s   *script
	err error
}

func (n notes) Sent(model.Plan, time.Time) error {
	n.s.log = append(n.s.log, "sent")
	return n.err
}

func (n notes) Done(r model.Receipt) error {
	n.s.log = append(n.s.log, "done "+r.Outcome.String())
	return nil
}

func (notes) Place() string { return "the journal" }

func desk(s *script, t Target, journalErr error) *Desk {
	t.Store = s
	return New(map[string]Target{"orders": t}, notes{s, journalErr}, "ops")
}

func plan(t *testing.T, d *Desk, a model.Action, reason string) model.Plan {
	t.Helper()
	p, err := d.Plan(t.Context(), "orders", Ask{Action: a, Row: shown(), At: noon, Reason: reason})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOnlyRowsAreTakenByTheirAge(t *testing.T) {
	_, err := desk(newScript(), Target{Control: true}, nil).Plan(t.Context(), "orders", Ask{Action: model.DeadLetter, Oldest: 3, At: noon})
	if err == nil {
		t.Error("the oldest of a queue whose jobs have keys were planned")
	}
}

func TestApplyWritesTheJournalFirstAndSendsOnce(t *testing.T) {
	s := newScript()
	d := desk(s, Target{Control: true}, nil)
	r := d.Apply(t.Context(), plan(t, d, model.Reclaim, ""), "")
	if r.Outcome != model.Applied || !slices.Equal(s.log, []string{"sent", "apply", "done applied"}) {
		t.Errorf("outcome %s, steps %v", r.Outcome, s.log)
	}
	if r.After == nil || r.After.State != model.Ready || r.After.Worker != "" || r.Before.State != model.Working {
		t.Errorf("before %+v after %+v", r.Before, r.After)
	}
}

// TestAReasonWithoutAPlaceIsInTheJournal holds that a diagnostic is no place for the reason
// of an act that writes none.
func TestAReasonWithoutAPlaceIsInTheJournal(t *testing.T) {
	for name, tc := range map[string]struct {
		history, diagnostic, said bool
	}{
		"a history": {history: true}, "both": {history: true, diagnostic: true}, "a diagnostic": {diagnostic: true, said: true}, "neither": {said: true},
	} {
		s := newScript()
		if !tc.history {
			s.mapping.History = model.Table{}
		}
		if tc.diagnostic {
			s.mapping.Columns = map[model.Role]model.Column{model.RoleError: {Name: "LastError", Type: model.Text}}
		}
		d := desk(s, Target{Control: true}, nil)
		r := d.Apply(t.Context(), plan(t, d, model.Reclaim, "carrier is back"), "")
		if said := strings.Contains(r.Message, "it is in the journal"); r.Outcome != model.Applied || said != tc.said {
			t.Errorf("%s: %s, %s", name, r.Outcome, r.Message)
		}
		if kept := !dropsReason(model.DeadLetter, &s.mapping); kept != (tc.history || tc.diagnostic) {
			t.Errorf("%s: a dead letter keeps it: %v", name, kept)
		}
	}
	rows := &model.Mapping{Family: model.Destructive}
	if dropsReason(model.DeadLetter, rows) || !dropsReason(model.Requeue, rows) {
		t.Error("a row of a destructive queue has its reason only as a dead letter")
	}
}

func TestApplySendsNothing(t *testing.T) {
	tests := map[string]struct {
		target  Target
		action  model.Action
		reason  string
		typed   string
		journal error
		change  func(*script)
		says    string
	}{
		"without control":                 {target: Target{}, action: model.Reclaim, says: "--control"},
		"without a journal":               {target: Target{Control: true}, action: model.Reclaim, journal: errors.New("disk full"), says: "disk full"},
		"when the statement has changed":  {target: Target{Control: true}, action: model.Reclaim, change: func(s *script) { s.text = "DELETE" }, says: "plan it again"},
		"without the right":               {target: Target{Control: true}, action: model.Reclaim, change: func(s *script) { s.caps.Can[model.CanControl] = model.No("no UPDATE on dbo.Orders", "GRANT UPDATE") }, says: "GRANT UPDATE"},
		"before a probe":                  {target: Target{Control: true}, action: model.Reclaim, change: func(s *script) { s.caps.Can = nil }, says: "not answered"},
		"on an unfenced queue":            {target: Target{Control: true}, action: model.Reclaim, change: func(s *script) { s.mapping.Family = model.Unfenced }, says: "unfenced"},
		"forced in production, not typed": {target: Target{Control: true, Production: true}, action: model.Force, reason: "hung", typed: "order", says: "type orders"},
		"forced in production, no reason": {target: Target{Control: true, Production: true}, action: model.Force, typed: "orders", says: "reason"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			s := newScript()
			d := desk(s, tc.target, tc.journal)
			p := plan(t, d, tc.action, tc.reason)
			if tc.change != nil {
				tc.change(s)
			}
			r := d.Apply(t.Context(), p, tc.typed)
			if r.Outcome != model.Refused || !strings.Contains(r.Message, tc.says) {
				t.Errorf("%s %q, want refused with %q", r.Outcome, r.Message, tc.says)
			}
			if slices.Contains(s.log, "apply") {
				t.Errorf("it was sent: %v", s.log)
			}
		})
	}
}

func TestAllowed(t *testing.T) {
	exhausted, noToken, noLease, live := shown(), shown(), shown(), shown()
	exhausted.Attempts, exhausted.MaxAttempts = model.NumberOf(5), model.NumberOf(5)
	noToken.Token, noLease.Lease = model.Token{}, model.Instant{}
	live.Lease = lease(noon.Add(41 * time.Second))
	tests := map[string]struct {
		job            *model.Job
		reclaim, force string // what the refusal says; empty: allowed
	}{
		"expired":     {shown(), "", ""},
		"live":        {live, "41s", ""},
		"used up":     {exhausted, "5 of 5", "5 of 5"},
		"no token":    {noToken, "no token", "no token"},
		"no lease":    {noLease, "no lease", ""},
		"ready":       {row(model.Ready, held, time.Time{}), "is ready", "is ready"},
		"done":        {row(model.Done, held, time.Time{}), "is done", "is done"},
		"not named":   {row(model.StateUnknown, held, time.Time{}), "does not name", "does not name"},
		"none chosen": {nil, "no job", "no job"},
	}
	d := desk(newScript(), Target{Control: true}, nil)
	for name, tc := range tests {
		for a, want := range map[model.Action]string{model.Reclaim: tc.reclaim, model.Force: tc.force} {
			v := d.Allowed("orders", a, tc.job, noon)
			if v.OK != (want == "") || !strings.Contains(v.Why, want) {
				t.Errorf("%s, %s: %+v, want %q", name, a, v, want)
			}
		}
	}
	if v := d.Allowed("elsewhere", model.Reclaim, shown(), noon); v.OK {
		t.Error("a queue that is not open was allowed")
	}
}

func TestResolveWaitsUntilTheStatementCanNoLongerApply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		d := desk(s, Target{Control: true}, nil)
		s.apply = func(model.Intent) ([]model.Change, error) {
			return nil, &model.Fault{Class: model.FaultNetwork, Text: "reset", Unsure: true}
		}
		r := d.Apply(t.Context(), plan(t, d, model.Reclaim, ""), "")
		if r.Outcome != model.OutcomeUnknown {
			t.Fatalf("outcome %s", r.Outcome)
		}
		if r = d.Resolve(t.Context(), r); r.Outcome != model.OutcomeUnknown {
			t.Fatalf("settled at once: %s", r.Message)
		}
		late := r
		s.audit = &model.Event{Action: r.Intent.ActionID}
		if got := d.Resolve(t.Context(), late); got.Outcome != model.Applied {
			t.Errorf("with the history row: %s", got.Message)
		}
		s.audit = nil
		time.Sleep(Settle + time.Second)
		if got := d.Resolve(t.Context(), r); got.Outcome != model.Refused {
			t.Errorf("after the settling time: %s %s", got.Outcome, got.Message)
		}
	})
}

func TestDrift(t *testing.T) {
	renewed := row(model.Working, held, noon.Add(time.Minute))
	tests := map[string]struct {
		action model.Action
		now    *model.Job
		says   string
	}{
		"unchanged":                        {model.Reclaim, shown(), ""},
		"gone":                             {model.Reclaim, nil, "gone"},
		"completed":                        {model.Reclaim, row(model.Done, held, time.Time{}), "done now"},
		"claimed again":                    {model.Force, row(model.Working, other, noon), "another claim"},
		"renewed":                          {model.Reclaim, renewed, "renewed"},
		"renewed does not disturb a force": {model.Force, renewed, ""},
		"nor an extension":                 {model.Extend, renewed, ""},
		"nor a dead letter":                {model.DeadLetter, renewed, ""},
		"but a grant it does":              {model.Grant, renewed, "renewed"},
	}
	for name, tc := range tests {
		if got := Drift(tc.action, model.Column{}, shown(), tc.now, noon); (got == "") != (tc.says == "") || !strings.Contains(got, tc.says) {
			t.Errorf("%s: %q, want %q", name, got, tc.says)
		}
	}
}
