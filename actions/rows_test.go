package actions

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func destructiveMapping() *model.Mapping {
	by := model.Column{Name: "QDateTime", Type: model.Time, Declared: "datetime"}
	return &model.Mapping{
		Queue: "shipping", Family: model.Destructive, Keys: []model.Column{by, {Name: "OrderID", Type: model.Int, Declared: "int"}},
		Columns: map[model.Role]model.Column{model.RoleEnqueued: by},
		Lane:    model.Lane{Order: model.FIFO, Clock: model.ClockUTC, Dead: model.Table{Name: "shipping_Dead"}},
	}
}

func aRow(state model.State, copies int64) *model.Job {
	j := &model.Job{Key: model.KeyOf(model.TimeValue("2026-03-01T12:00:00"), model.IntValue(1)), State: state, Copies: model.NumberOf(copies)}
	if state == model.Failed {
		j.Token = model.TokenOf(model.GUIDValue("0E5E70B5-0000-4000-8000-00000000000A"))
		j.Key = model.RowKeyOf(j.Key.Values(), j.Token.Values()[0])
	}
	return j
}

// TestJudgeOfRows holds every outcome of an act on a destructive queue.
func TestJudgeOfRows(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	bury := model.Intent{Action: model.DeadLetter, Queue: "shipping", ActionID: "0E5E70B5-0000-4000-8000-00000000000B", Reason: "x"}
	requeue, oldest := bury, bury
	requeue.Action, oldest.Oldest = model.Requeue, 5
	took := func(n int, alike int64) []model.Change {
		out := make([]model.Change, n)
		for i := range out {
			out[i] = model.Change{Key: aRow(model.Ready, 1).Key, OldState: model.Ready, NewState: model.Failed, At: now, Alike: model.NumberOf(alike)}
		}
		return out
	}
	lost := &model.Fault{Class: model.FaultNetwork, Text: "the reply was lost", Unsure: true}
	denied := &model.Fault{Class: model.FaultDenied, Code: 229, Text: "denied"}
	for name, c := range map[string]struct {
		e    evidence
		want model.Outcome
		says string
		over bool
	}{
		"one of two":                    {evidence{intent: bury, row: aRow(model.Ready, 2), changes: took(1, 1), at: now}, model.Applied, "1 row is a dead letter; 1 identical row left", true},
		"the oldest":                    {evidence{intent: oldest, changes: took(3, 0), at: now}, model.Applied, "no more than these of the 5 asked for were free", true},
		"gone or being dequeued":        {evidence{intent: bury, row: aRow(model.Ready, 1), nowAt: now}, model.Gone, "the row is gone, or being dequeued now", true},
		"there and held":                {evidence{intent: bury, row: aRow(model.Ready, 1), now: aRow(model.Ready, 1), nowAt: now}, model.Changed, "another session holds it", true},
		"nothing is free":               {evidence{intent: oldest}, model.Gone, "no row is free", true},
		"lost, but the letter is there": {evidence{intent: bury, fault: lost, audit: &model.Event{}, nowAt: now}, model.Applied, "carry this act's id", true},
		"lost, the row is gone":         {evidence{intent: bury, row: aRow(model.Ready, 1), fault: lost, nowAt: now, settled: true}, model.Gone, "no dead letter names the act", true},
		"lost, gone or locked by now":   {evidence{intent: bury, row: aRow(model.Ready, 1), fault: lost, nowAt: now}, model.OutcomeUnknown, "may still take effect", false},
		"lost, early":                   {evidence{intent: bury, row: aRow(model.Ready, 1), fault: lost, now: aRow(model.Ready, 1), nowAt: now}, model.OutcomeUnknown, "may still take effect", false},
		"lost, long ago":                {evidence{intent: bury, row: aRow(model.Ready, 1), fault: lost, now: aRow(model.Ready, 1), nowAt: now, settled: true}, model.Refused, "nothing names this act", true},
		"lost, gone, forgotten":         {evidence{intent: bury, row: aRow(model.Ready, 1), fault: lost, nowAt: now, settled: true, forgotten: true}, model.OutcomeUnknown, "unknown for good", true},
		"lost, one fewer, forgotten":    {evidence{intent: bury, row: aRow(model.Ready, 2), fault: lost, now: aRow(model.Ready, 1), nowAt: now, settled: true, forgotten: true}, model.OutcomeUnknown, "unknown for good", true},
		"lost, as before, forgotten":    {evidence{intent: bury, row: aRow(model.Ready, 1), fault: lost, now: aRow(model.Ready, 1), nowAt: now, settled: true, forgotten: true}, model.OutcomeUnknown, "unknown for good", true},
		"lost, the oldest, forgotten":   {evidence{intent: oldest, fault: lost, settled: true, forgotten: true}, model.OutcomeUnknown, "unknown for good", true},
		"lost, the oldest":              {evidence{intent: oldest, fault: lost}, model.OutcomeUnknown, "may still take effect", false},
		"lost, unreadable":              {evidence{intent: bury, fault: lost, nowErr: lost}, model.OutcomeUnknown, "cannot be read now", false},
		"requeued, lost, gone":          {evidence{intent: requeue, row: aRow(model.Failed, 1), fault: lost, nowAt: now}, model.OutcomeUnknown, "unknown for good", true},
		"requeued, lost, one fewer":     {evidence{intent: requeue, row: aRow(model.Failed, 2), fault: lost, now: aRow(model.Failed, 1), nowAt: now}, model.OutcomeUnknown, "unknown for good", true},
		"requeued, gone":                {evidence{intent: requeue, row: aRow(model.Failed, 1), nowAt: now}, model.Gone, "no such dead letter", true},
		"refused by the server":         {evidence{intent: bury, fault: denied, now: aRow(model.Ready, 1), nowAt: now}, model.Refused, "the server refused", true},
	} {
		t.Run(name, func(t *testing.T) {
			c.e.rows = true
			r := judge(c.e)
			if r.Outcome != c.want || !strings.Contains(r.Message, c.says) || r.Over() != c.over {
				t.Errorf("%s, over %v: %s; want %s, over %v, with %q", r.Outcome, r.Over(), r.Message, c.want, c.over, c.says)
			}
		})
	}
}

// TestWhatMayBeDoneToARow holds each refusal to its reason: there are no leases to
// act on, and what cannot be compared cannot be named.
func TestWhatMayBeDoneToARow(t *testing.T) {
	m, opaque := destructiveMapping(), destructiveMapping()
	opaque.Keys = append(opaque.Keys, model.Column{Name: "Doc", Type: model.Opaque, Declared: "xml"})
	held := aRow(model.Ready, 1)
	held.Locked = model.NumberOf(1)
	for name, c := range map[string]struct {
		action model.Action
		row    *model.Job
		m      *model.Mapping
		why    string
	}{
		"a row":                 {model.DeadLetter, aRow(model.Ready, 1), m, ""},
		"the oldest":            {model.DeadLetter, nil, opaque, ""},
		"a dead letter":         {model.Requeue, aRow(model.Failed, 1), m, ""},
		"reclaim":               {model.Reclaim, aRow(model.Ready, 1), m, "a destructive queue has no leases"},
		"extend":                {model.Extend, aRow(model.Ready, 1), m, "a destructive queue has no leases"},
		"a dead letter again":   {model.DeadLetter, aRow(model.Failed, 1), m, "it is a dead letter already"},
		"a row is not requeued": {model.Requeue, aRow(model.Ready, 1), m, "only a dead letter can be requeued"},
		"held":                  {model.DeadLetter, held, m, "emulated lock"},
		"not comparable":        {model.DeadLetter, aRow(model.Ready, 1), opaque, "Doc is xml, which cannot be compared"},
	} {
		v := onRow(c.action, c.row, c.m)
		if v.OK != (c.why == "") || !strings.Contains(v.Why, c.why) {
			t.Errorf("%s: %+v, want %q", name, v, c.why)
		}
	}
}

// TestEffectsOfARow are told before anybody confirms.
func TestEffectsOfARow(t *testing.T) {
	m := destructiveMapping()
	locked := func(copies int64) *model.Job {
		j := aRow(model.Ready, copies)
		j.Locked = model.NumberOf(1)
		return j
	}
	for _, c := range []struct {
		ask  Ask
		says string
	}{
		{Ask{Action: model.DeadLetter, Row: locked(3)}, "1 of 2 identical rows moves to shipping_Dead"},
		{Ask{Action: model.DeadLetter, Row: locked(2)}, "The row moves to shipping_Dead"},
		{Ask{Action: model.DeadLetter, Row: aRow(model.Ready, 2)}, "1 of 2 identical rows moves to shipping_Dead; which one cannot matter."},
		{Ask{Action: model.DeadLetter, Oldest: 3}, "The 3 oldest rows that nobody holds move to shipping_Dead"},
		{Ask{Action: model.Requeue, Row: aRow(model.Failed, 1)}, "a new QDateTime, to the tail"},
		{Ask{Action: model.Requeue, Row: aRow(model.Failed, 1), KeepTime: true}, "its old QDateTime: where that is the head, it is dequeued next"},
	} {
		if got := strings.Join(effects(c.ask, m), " "); !strings.Contains(got, c.says) {
			t.Errorf("%q is not in %q", c.says, got)
		}
	}
}
