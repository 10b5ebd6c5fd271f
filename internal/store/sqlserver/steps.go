package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// after is a time some milliseconds after another; whole seconds go apart, since
// DATEADD takes no more than an int.
func after(at, ms sqltext.Part) sqltext.Part {
	return sqltext.Fill("DATEADD(millisecond, {ms} % 1000, DATEADD(second, {ms} / 1000, {at}))", sqltext.Holes{"at": at, "ms": ms})
}

// now is the statement's own time, read once, at the column's scale.
func now() sqltext.Part { return sqltext.Raw("@at") }

// token is a new token given by the caller.
func (t table) token(arg string) edit {
	return edit{model.RoleToken, given(t.m.Column(model.RoleToken), arg)}
}

// text is a caller's free text at the column's length: what is longer is cut, not
// refused, since a diagnostic must never stop a job from ending.
func (t table) text(r model.Role, arg string) sqltext.Part {
	if c := t.m.Column(r); !c.IsZero() {
		return given(c, arg)
	}
	return sqltext.Part{}
}

// usedUp is the condition that no attempt is left, absent without a bound.
func (t table) usedUp() sqltext.Part {
	if !t.m.Bounded() || !t.has(model.Failed) {
		return sqltext.Part{}
	}
	return sqltext.Fill("{attempts} >= {bound}", sqltext.Holes{
		"attempts": t.col(model.RoleAttempts), "bound": t.col(model.RoleMaxAttempts),
	})
}

// choose is one value where no attempt is left and another where one is.
func (t table) choose(over, again sqltext.Part) sqltext.Part {
	cond := t.usedUp()
	if cond.IsZero() {
		return again
	}
	return sqltext.Fill("CASE WHEN {cond} THEN {over} ELSE {again} END", sqltext.Holes{"cond": cond, "over": over, "again": again})
}

// plus is a column and one more, absent where no column plays the role.
func (t table) plus(r model.Role) sqltext.Part {
	if !t.m.Has(r) {
		return sqltext.Part{}
	}
	return sqltext.Fill("{column} + 1", sqltext.Holes{"column": t.col(r)})
}

// back is what a job becomes that its worker or recovery gives back: due again at
// a time, or failed where no attempt is left.
func (t table) back(due, diagnostic sqltext.Part) []edit {
	again := t.state(model.Ready)
	if t.schedules() {
		again = t.state(model.Scheduled)
	} else {
		due = now()
	}
	ended := sqltext.Part{}
	if !t.usedUp().IsZero() {
		ended = t.choose(now(), null())
	}
	available := sqltext.Part{}
	if t.m.Has(model.RoleAvailable) {
		available = t.choose(now(), due)
	}
	return []edit{
		{model.RoleState, t.choose(t.state(model.Failed), again)}, t.token("new_token"), {model.RoleLease, null()},
		{model.RoleAvailable, available}, {model.RoleEnded, ended}, {model.RoleError, diagnostic},
	}
}

// reason is a caller's text at the history's length.
func reason(arg string) sqltext.Part {
	return sqltext.Fill("CONVERT(nvarchar(2000), {arg})", sqltext.Holes{"arg": sqltext.Arg(arg)})
}

// mine finds a step's own row in the history: its job, its time and its token.
func (t table) mine(keyed bool, tokenArg string) sqltext.Part {
	key := sqltext.If(keyed, sqltext.Fill("h.[JobId] = {key}", sqltext.Holes{"key": given(t.historyKey(), "key")}))
	return sqltext.List("\n   AND ", key, sqltext.Raw("h.[At] = @at"), sqltext.Fill("h.[NewToken] = CONVERT(uniqueidentifier, {arg})",
		sqltext.Holes{"arg": sqltext.Arg(tokenArg)}))
}
