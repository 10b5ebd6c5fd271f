package actions

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

const (
	actionID = "018F0000-0000-7000-8000-000000000001"
	worker1  = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
	worker2  = "0F9619FF-8B86-D011-B42D-00C04FC964FF"
)

var (
	noon  = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	job7  = model.KeyOf(model.IntValue(7))
	job8  = model.KeyOf(model.IntValue(8))
	ours  = model.TokenOf(model.GUIDValue(actionID))
	held  = model.TokenOf(model.GUIDValue(worker1))
	other = model.TokenOf(model.GUIDValue(worker2))
)

func lease(at time.Time) model.Instant {
	return model.Instant{At: at, Raw: model.TimeValue(at.Format(time.RFC3339Nano))}
}

func row(s model.State, t model.Token, l time.Time) *model.Job {
	j := &model.Job{Key: job7, State: s, Token: t, Worker: "pick-07"}
	if !l.IsZero() {
		j.Lease = lease(l)
	}
	return j
}

func shown() *model.Job { return row(model.Working, held, noon.Add(-time.Minute)) }

func captured(k model.Key, t model.Token) []model.Change {
	return []model.Change{{Key: k, OldState: model.Working, NewState: model.Ready, OldToken: held, NewToken: t}}
}

func TestJudge(t *testing.T) {
	lostReply := &model.Fault{Class: model.FaultNetwork, Text: "connection reset", Unsure: true}
	deadlock := &model.Fault{Class: model.FaultRaced, Code: 1205, Text: "deadlock victim"}
	unreachable := &model.Fault{Class: model.FaultNetwork, Text: "connection refused"}
	noRead := &model.Fault{Class: model.FaultNetwork, Text: "connection refused"}
	event := &model.Event{Action: actionID, Kind: model.EventReclaimed}
	ready := row(model.Ready, ours, time.Time{})

	tests := map[string]struct {
		e    evidence
		want model.Outcome
		says string
	}{
		"the captured row proves it":                     {evidence{changes: captured(job7, ours)}, model.Applied, "ready"},
		"an after trigger is looked behind":              {evidence{changes: captured(job7, ours), after: true, now: row(model.Failed, ours, time.Time{})}, model.Applied, "trigger, the job is failed"},
		"an after trigger that removed the row":          {evidence{changes: captured(job7, ours), after: true}, model.Applied, "removed the row"},
		"an after trigger, and no second look":           {evidence{changes: captured(job7, ours), after: true, nowErr: noRead}, model.Applied, "could not be read again"},
		"a captured row of another key proves nothing":   {evidence{changes: captured(job8, ours), now: shown()}, model.OutcomeUnknown, "another row"},
		"a captured row under another token neither":     {evidence{changes: captured(job7, other), now: shown()}, model.OutcomeUnknown, "another row"},
		"two captured rows neither":                      {evidence{changes: append(captured(job7, ours), captured(job8, ours)...), now: shown()}, model.OutcomeUnknown, "another row"},
		"nothing matched, gone":                          {evidence{}, model.Gone, "no such job"},
		"nothing matched, completed":                     {evidence{now: row(model.Done, held, time.Time{})}, model.Changed, "completed"},
		"nothing matched, failed":                        {evidence{now: row(model.Failed, other, time.Time{})}, model.Changed, "failed now"},
		"nothing matched, claimed again":                 {evidence{now: row(model.Working, other, noon.Add(time.Minute))}, model.Changed, worker2},
		"nothing matched, renewed":                       {evidence{now: row(model.Working, held, noon.Add(41*time.Second))}, model.Changed, "41s"},
		"nothing matched, renewed and out again":         {evidence{now: row(model.Working, held, noon.Add(-time.Second))}, model.Changed, "renewed"},
		"nothing matched, and looks the same":            {evidence{now: shown()}, model.Changed, "another session"},
		"nothing matched, and cannot be read":            {evidence{nowErr: noRead}, model.Changed, "cannot be read"},
		"deadlock":                                       {evidence{fault: deadlock, now: shown()}, model.Refused, "1205"},
		"an error after the update had been committed":   {evidence{fault: deadlock, now: ready}, model.Applied, "act's id"},
		"a server's error, and no second look":           {evidence{fault: deadlock, nowErr: noRead}, model.OutcomeUnknown, "1205"},
		"never sent":                                     {evidence{fault: unreachable, nowErr: noRead}, model.Refused, "not sent"},
		"lost reply, cannot be read":                     {evidence{fault: lostReply, nowErr: noRead}, model.OutcomeUnknown, "cannot be read"},
		"lost reply, the row carries the id":             {evidence{fault: lostReply, now: ready}, model.Applied, "act's id"},
		"lost reply, the history names it":               {evidence{fault: lostReply, history: true, now: row(model.Done, other, time.Time{}), audit: event}, model.Applied, "history"},
		"lost reply, the history names it, the row gone": {evidence{fault: lostReply, history: true, audit: event}, model.Applied, "history"},
		"lost reply, as it was, too early":               {evidence{fault: lostReply, history: true, now: shown()}, model.OutcomeUnknown, "may still"},
		"lost reply, as it was, settled":                 {evidence{fault: lostReply, history: true, now: shown(), settled: true}, model.Refused, "lost"},
		"lost reply, moved on, history silent":           {evidence{fault: lostReply, history: true, now: row(model.Done, held, time.Time{})}, model.Changed, "completed"},
		"lost reply, gone, history silent":               {evidence{fault: lostReply, history: true}, model.Gone, "gone"},
		"lost reply, moved on, history purged":           {evidence{fault: lostReply, history: true, forgotten: true, now: row(model.Done, held, time.Time{})}, model.OutcomeUnknown, "no longer reaches back"},
		"lost reply, gone, history purged":               {evidence{fault: lostReply, history: true, forgotten: true, settled: true}, model.OutcomeUnknown, "for good"},
		"lost reply, as it was, history purged":          {evidence{fault: lostReply, history: true, forgotten: true, now: shown(), settled: true}, model.Refused, "lost"},
		"lost reply, history unreadable":                 {evidence{fault: lostReply, history: true, auditErr: noRead, now: shown(), settled: true}, model.OutcomeUnknown, "history"},
		"lost reply, moved on, no history":               {evidence{fault: lostReply, now: row(model.Working, other, noon)}, model.OutcomeUnknown, "for good"},
		"lost reply, gone, no history":                   {evidence{fault: lostReply, settled: true}, model.OutcomeUnknown, "for good"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			e := tc.e
			e.row, e.at, e.nowAt = shown(), noon, noon
			e.intent = model.Intent{Action: model.Reclaim, Key: job7, ActionID: actionID, Seen: model.Seen{State: model.Working, Token: held, Lease: shown().Lease}}
			r := judge(e)
			if r.Outcome != tc.want || !strings.Contains(r.Message, tc.says) {
				t.Errorf("judge = %s %q, want %s with %q", r.Outcome, r.Message, tc.want, tc.says)
			}
			if tc.says == "another row" && !r.Final {
				t.Error("a later look would know nothing of the other row")
			}
		})
	}
}

// TestLostWithoutAToken holds that a row without a token that looks as it did proves
// nothing by itself: it may be there for the second time, dead-lettered, requeued and
// failed again.
func TestLostWithoutAToken(t *testing.T) {
	for name, c := range map[string]struct {
		history, forgotten, settled bool
		want                        model.Outcome
	}{
		"the history tells":        {history: true, settled: true, want: model.Refused},
		"the history was purged":   {history: true, forgotten: true, settled: true, want: model.OutcomeUnknown},
		"there is no history":      {settled: true, want: model.OutcomeUnknown},
		"it may still take effect": {want: model.OutcomeUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			was := row(model.Failed, model.Token{}, time.Time{})
			r := judge(evidence{
				intent: model.Intent{Action: model.Requeue, Key: job7, ActionID: actionID, Seen: model.Seen{State: model.Failed}},
				fault:  &model.Fault{Class: model.FaultNetwork, Text: "connection reset", Unsure: true},
				row:    was, now: was, at: noon, nowAt: noon, history: c.history, forgotten: c.forgotten, settled: c.settled,
			})
			if final := c.settled && c.want == model.OutcomeUnknown; r.Outcome != c.want || r.Final != final {
				t.Errorf("%s %q, final %v; want %s, %v", r.Outcome, r.Message, r.Final, c.want, final)
			}
		})
	}
}
