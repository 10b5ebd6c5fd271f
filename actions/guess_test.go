package actions

import (
	"fmt"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// everyEvidence calls f with every combination of evidence about a reclaim.
func everyEvidence(f func(e evidence)) {
	faults := []*model.Fault{nil, {Code: 1222, Text: "lock"}, {Text: "reset", Unsure: true}, {Text: "refused"}}
	rows := []*model.Job{nil, shown(), row(model.Ready, ours, time.Time{}), row(model.Working, other, noon), row(model.Done, held, time.Time{})}
	changes := [][]model.Change{nil, captured(job7, ours), captured(job8, ours), captured(job7, other)}
	audits := []*model.Event{nil, {Action: actionID}}
	reads := []error{nil, &model.Fault{Text: "refused"}}
	for n := range len(faults) * len(rows) * len(changes) * len(audits) * len(reads) * 8 {
		next := func(of int) int {
			i := n % of
			n /= of
			return i
		}
		flags := next(8)
		e := evidence{
			intent: model.Intent{Key: job7, ActionID: actionID, Seen: model.Seen{State: model.Working, Token: held}},
			row:    shown(), at: noon, nowAt: noon, fault: faults[next(len(faults))], now: rows[next(len(rows))],
			changes: changes[next(len(changes))], audit: audits[next(len(audits))], nowErr: reads[next(len(reads))],
			history: flags&1 != 0, settled: flags&2 != 0, after: flags&4 != 0,
		}
		if e.nowErr != nil {
			e.now, e.audit = nil, nil
		}
		f(e)
	}
}

// guesses is where a judge says more than the evidence proves, empty when it never
// does: applied stands only on one of the three proofs, and without a read nothing
// unsure is ever settled.
func guesses(judge func(evidence) model.Receipt) string {
	var first string
	everyEvidence(func(e evidence) {
		if first != "" {
			return
		}
		c := e.changes
		proof := e.fault == nil && len(c) == 1 && c[0].Key == job7 && c[0].NewToken == ours || e.audit != nil || e.now != nil && e.now.Token == ours
		lost := e.fault != nil && e.fault.Unsure
		r := judge(e)
		switch {
		case (r.Outcome == model.Applied) != proof:
			first = fmt.Sprintf("%s with proof %v: %+v", r.Outcome, proof, e)
		case lost && e.nowErr != nil && !proof && r.Resolved():
			first = fmt.Sprintf("settled without a look: %+v", e)
		case lost && !proof && e.matchable() && !e.settled && r.Resolved():
			first = fmt.Sprintf("settled while the statement may still take effect: %+v", e)
		case r.Message == "":
			first = fmt.Sprintf("no message: %+v", e)
		}
	})
	return first
}

func TestJudgeNeverGuesses(t *testing.T) {
	if why := guesses(judge); why != "" {
		t.Error(why)
	}
}

// TestTheOracleKnowsALie takes each guard out of the judge in turn: what would be
// left is caught.
func TestTheOracleKnowsALie(t *testing.T) {
	with := func(change func(*evidence)) func(evidence) model.Receipt {
		return func(e evidence) model.Receipt {
			change(&e)
			return judge(e)
		}
	}
	for name, broken := range map[string]func(evidence) model.Receipt{
		"believes any row that was captured": with(func(e *evidence) {
			if len(e.changes) == 1 {
				e.changes = captured(e.intent.Key, ours)
			}
		}),
		"does not look at the key": with(func(e *evidence) {
			if len(e.changes) == 1 {
				c := e.changes[0]
				c.Key = e.intent.Key
				e.changes = []model.Change{c}
			}
		}),
		"believes what came before an error":   with(func(e *evidence) { e.fault = nil }),
		"takes a lost reply for a refusal":     with(func(e *evidence) { e.fault = sure(e.fault) }),
		"does not wait for a late statement":   with(func(e *evidence) { e.settled = true }),
		"takes a failed look for an empty one": with(func(e *evidence) { e.nowErr = nil }),
		"does not ask the history":             with(func(e *evidence) { e.audit = nil }),
		"counts rows": func(e evidence) model.Receipt {
			r := judge(e)
			if len(e.changes) > 0 {
				r.Outcome = model.Applied
			}
			return r
		},
	} {
		if guesses(broken) == "" {
			t.Errorf("a judge that %s is not caught", name)
		}
	}
}

// sure is a fault as if the statement certainly had not taken effect.
func sure(f *model.Fault) *model.Fault {
	if f == nil {
		return nil
	}
	g := *f
	g.Unsure = false
	return &g
}
