package actions

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// fence is how the acts of this queue replace a token.
func (e *evidence) fence() model.Fence {
	if e.token.IsZero() {
		return model.FenceWritten
	}
	how, _ := e.token.Fence()
	return how
}

// own is the token that this act writes, zero where it writes none, and where nothing
// was sent: then the act has no id, and an empty token in the row is not one.
func (e *evidence) own() model.Token {
	if e.intent.ActionID == "" {
		return model.Token{}
	}
	if e.token.IsZero() {
		return model.TokenOf(model.GUIDValue(e.intent.ActionID))
	}
	return e.token.NewToken(e.intent.ActionID)
}

// captured reports whether the statement itself proved the act: it captured
// exactly the row that was meant, with the token that was seen replaced as the act
// replaces it.
func (e *evidence) captured() bool {
	if e.fault != nil || len(e.changes) != 1 || e.changes[0].Key != e.intent.Key {
		return false
	}
	c := e.changes[0]
	if e.intent.Action == model.Extend {
		return c.NewToken == e.intent.Seen.Token && c.NewLease.Raw != c.OldLease.Raw
	}
	switch e.fence() {
	case model.FenceWritten:
		return !c.NewToken.IsZero() && c.NewToken == e.own()
	case model.FenceMade:
		return c.OldToken == e.intent.Seen.Token && !c.NewToken.IsZero() && c.NewToken != c.OldToken
	case model.FenceCleared:
		return c.OldToken == e.intent.Seen.Token && c.NewToken.IsZero()
	case model.FenceNone:
	}
	return false
}

// carries reports whether a row that was read again proves this act: by its own token
// or, for an extension, by the token that was seen and a later lease with the act's
// mark below the second. A token that the act did not choose proves nothing: another's
// change would have left the same.
//
// One heartbeat in a thousand leaves the mark of an act too. So it proves nothing of a
// statement that ended and matched no row, nor where a history that was read does not
// name the act.
func (e *evidence) carries(t model.Token, lease model.Instant) bool {
	if e.intent.Action != model.Extend {
		return e.fence() == model.FenceWritten && !t.IsZero() && t == e.own()
	}
	seen := e.intent.Seen
	if e.fault == nil || e.tells() && e.auditErr == nil && e.audit == nil {
		return false
	}
	return !t.IsZero() && t == seen.Token && lease.Raw != seen.Lease.Raw && lease.At.After(seen.Lease.At) && e.marked(lease.At)
}

// finest is the coarsest scale at which a lease still shows an extension's mark.
const finest = 4 * time.Millisecond

// marked reports whether a lease has the act's mark below the second, as its column
// rounds it.
func (e *evidence) marked(lease time.Time) bool {
	scale := e.lease.Scale()
	if scale > finest {
		return false
	}
	off := lease.Sub(lease.Truncate(time.Second)).Truncate(time.Millisecond) - time.Duration(e.intent.Mark())*time.Millisecond
	if scale <= time.Millisecond {
		return off == 0
	}
	return min(off.Abs(), time.Second-off.Abs()) <= scale/2+time.Millisecond/2
}

// matchable reports whether the act's statement could still match the row.
func (e *evidence) matchable() bool {
	return e.now != nil && e.now.State == e.intent.Seen.State && e.now.Token == e.intent.Seen.Token
}

// tells reports whether a history that does not name the act proves that it was not
// applied.
func (e *evidence) tells() bool { return e.history && !e.forgotten }

// silence is why no history tells of the act.
func (e *evidence) silence() string {
	if e.history {
		return "the history no longer reaches back so far"
	}
	return "the table keeps no history"
}

// overwritten reports whether an extension may have been applied and a heartbeat have
// set the lease anew since, so that the row tells nothing any more.
func (e *evidence) overwritten() bool {
	return e.intent.Action == model.Extend && !e.tells() && e.now.Lease.Raw != e.intent.Seen.Lease.Raw
}

// nameless reports whether a row that is as it was tells nothing: no token says that
// it is not there for the second time, after the act and what followed it.
func (e *evidence) nameless() bool { return e.intent.Seen.Token.IsZero() && !e.tells() }

// replaced says that a row carries another token than it did, in a column of that kind.
// Where each change of the row makes one, or each heartbeat, that need not be another
// claim.
func replaced(c model.Column, was, is model.Token) string {
	tokens := fmt.Sprintf("token %s instead of %s", text.Brief(is.String()), text.Brief(was.String()))
	if how, _ := c.Fence(); !is.IsZero() && (how == model.FenceMade || how == model.FenceCleared) {
		return "the row was changed meanwhile, by a heartbeat or another claim: " + tokens
	}
	return "another claim holds the job: " + tokens
}
