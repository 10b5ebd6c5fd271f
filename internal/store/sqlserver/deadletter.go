package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// deadLetter gives a job up, in whichever state it was seen.
func deadLetter(t table) (sqltext.Part, error) { return t.deadLetter(store.OpDeadLetter, t.carries()) }

// deadLetterUnclaimed is the same for a job that carries no token.
func deadLetterUnclaimed(t table) (sqltext.Part, error) {
	return t.deadLetter(store.OpDeadLetterUnclaimed, t.carriesNone())
}

func (t table) deadLetter(op store.Op, token sqltext.Part) (sqltext.Part, error) {
	if !t.has(model.Failed) {
		return sqltext.Part{}, errors.New("the mapping names no value for the failed state, so there is no place for a dead letter")
	}
	seen := sqltext.Fill("{column} = {state}", sqltext.Holes{
		"column": t.col(model.RoleState), "state": given(t.m.Column(model.RoleState), "state"),
	})
	return t.step(change{
		op: op,
		set: []edit{
			{model.RoleState, t.state(model.Failed)}, t.fence(), {model.RoleLease, null()},
			{model.RoleAvailable, now()}, {model.RoleEnded, now()}, {model.RoleError, t.text(model.RoleError, "reason")},
		},
		where: sqltext.List(and, append(t.thisKey(t.row), token, seen)...),
		event: t.act(sqltext.Raw("'dead-lettered'")),
	}), nil
}

// carries is the condition that the row carries the token that was seen, or the lease
// where nothing else tells one claim from another.
func (t table) carries() sqltext.Part {
	role, arg := t.claimedBy()
	return sqltext.Fill("{column} = {value}", sqltext.Holes{"column": t.col(role), "value": given(t.m.Column(role), arg)})
}

// claimedBy is the role whose column tells one claim from another, and the parameter
// that has it as it was seen.
func (t table) claimedBy() (model.Role, string) {
	if t.m.TellsClaims() {
		return model.RoleToken, "token"
	}
	return model.RoleLease, "lease"
}

// carriesNone is the condition that the row carries no token, said literally:
// no comparison is true for NULL.
func (t table) carriesNone() sqltext.Part {
	role, _ := t.claimedBy()
	return sqltext.Fill("{column} IS NULL", sqltext.Holes{"column": t.col(role)})
}
