package storetest

import (
	"strings"
	"time"

	"github.com/leasetop/leasetop/model"
)

// does carries out an act on a row as it is now and holds the receipt to the outcome.
func (e *odd) does(a model.Action, key int64, want model.Outcome) model.Receipt {
	e.Helper()
	j, at := e.look(key)
	return e.doesOn(a, j, at, want)
}

func (e *odd) doesOn(a model.Action, j *model.Job, at time.Time, want model.Outcome) model.Receipt {
	e.Helper()
	r := e.act(e.Context(), a, j, at)
	if r.Outcome != want {
		e.Errorf("%s of %s: %s, %s; want %s", a, j.Key, r.Outcome, r.Message, want)
	}
	return r
}

// acts are the operator's, each with the row that it leaves.
func (e *odd) acts() {
	if v := e.caps.Allows(model.CanControl); !v.OK {
		e.Fatalf("no control: %s", v.Why)
	}
	before, at := e.look(oddOver)
	r := e.doesOn(model.Reclaim, before, at, model.Applied)
	e.replaced(r, before, model.Ready)
	e.doesOn(model.Reclaim, before, at, model.Changed) // what was seen is no more
	if e.First != "" {
		e.does(model.Reclaim, oddFirst, model.Applied)
		e.does(model.Force, oddLast, model.Applied)
	}
	e.extends()
	if e.States[model.Failed] == "" {
		e.does(model.Force, oddLive, model.Applied)
		return
	}
	before, at = e.look(oddLive)
	r = e.doesOn(model.DeadLetter, before, at, model.Applied)
	e.replaced(r, before, model.Failed)
	before, at = e.look(oddLive)
	r = e.doesOn(model.Requeue, before, at, model.Applied)
	e.replaced(r, before, model.Ready)
	e.does(model.DeadLetter, oddReady, model.Applied) // which was never claimed
	e.does(model.DeadLetter, oddCorrupt, model.Applied)
	e.does(model.Requeue, oddFailed, model.Applied)
}

// replaced holds a row to a state and to a token that is another than before, the
// act's own where it writes one.
func (e *odd) replaced(r model.Receipt, before *model.Job, s model.State) {
	e.Helper()
	now, _ := e.look(keyNumber(before.Key))
	token := e.q.Mapping().Column(model.RoleToken)
	how, _ := token.Fence()
	switch {
	case now.State != s:
		e.Errorf("the row is %s, want %s", now.State, s)
	case now.Token == before.Token && !before.Token.IsZero():
		e.Errorf("the token %s stayed", now.Token)
	case how == model.FenceWritten && now.Token != token.NewToken(r.Intent.ActionID):
		e.Errorf("the token is %s, the act's %s", now.Token, token.NewToken(r.Intent.ActionID))
	case how == model.FenceCleared && !now.Token.IsZero():
		e.Errorf("the token is %s", now.Token)
	case r.After == nil || r.After.Token != now.Token || r.After.State != s:
		e.Errorf("the receipt says %+v, the row is %+v", r.After, now)
	}
}

func (e *odd) extends() {
	e.beat(oddLive, e.Lease(time.Minute)) // an extension is at most one lease beyond now
	before, at := e.look(oddLive)
	r := e.act(e.Context(), model.Extend, before, at)
	if e.Held != "" {
		if r.Outcome != model.Refused || !strings.Contains(r.Message, e.Held) {
			e.Errorf("extend: %s, %s; want %q", r.Outcome, r.Message, e.Held)
		}
		return
	}
	now := e.job(oddLive)
	if r.Outcome != model.Applied || now.Token != before.Token || !now.Lease.At.After(before.Lease.At) {
		e.Errorf("extend: %s, %s; the lease %s became %s, the token %s became %s", r.Outcome, r.Message, before.Lease.At, now.Lease.At, before.Token, now.Token)
	}
}

// proofs are what a receipt says when the reply is lost, and when another was there
// first.
func (e *odd) proofs() {
	how, _ := e.q.Mapping().Column(model.RoleToken).Fence()
	e.put(oddLost, model.Working, e.Tokens[0], e.Lease(-time.Minute))
	j, at := e.look(oddLost)
	e.q.Lose = true
	want := model.OutcomeUnknown
	if how == model.FenceWritten {
		want = model.Applied
	}
	if r := e.doesOn(model.Reclaim, j, at, want); !r.Over() {
		e.Errorf("%s could still become something else: %s", r.Outcome, r.Message)
	}
	if e.Held == "" {
		e.put(oddLost+100, model.Working, e.Tokens[0], e.Lease(time.Minute))
		j, at = e.look(oddLost + 100)
		want = model.Applied
		if e.q.Mapping().Column(model.RoleLease).Scale() > 4*time.Millisecond { // too coarse for the act's mark
			want = model.OutcomeUnknown
		}
		e.doesOn(model.Extend, j, at, want)
	}
	e.q.Lose = false

	e.put(oddBeat, model.Working, e.Tokens[0], e.Lease(-time.Minute))
	j, at = e.look(oddBeat)
	e.beat(oddBeat, e.Lease(time.Minute))
	r := e.doesOn(model.Force, j, at, map[bool]model.Outcome{true: model.Changed, false: model.Applied}[e.Beats])
	if e.Beats && !strings.Contains(r.Message, "a heartbeat or another claim") {
		e.Errorf("after a heartbeat: %s", r.Message)
	}
}

func keyNumber(k model.Key) int64 {
	n, _ := k.Values()[0].Int()
	return n
}
