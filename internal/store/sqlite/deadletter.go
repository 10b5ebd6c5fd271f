package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// deadLetter gives a job up, in whichever state it was seen.
func deadLetter(t table) (store.Stmt, error) {
	return t.deadLetter(t.tokenIs("token"))
}

// deadLetterUnclaimed is the same for a job that carries no token.
func deadLetterUnclaimed(t table) (store.Stmt, error) {
	return t.deadLetter(t.noToken())
}

func (t table) deadLetter(token sqltext.Part) (store.Stmt, error) {
	if !t.has(model.Failed) {
		return store.Stmt{}, errors.New("the mapping names no value for the failed state, so there is no place for a dead letter")
	}
	seen := sqltext.Fill("{column} = @state", sqltext.Holes{"column": t.col(model.RoleState)})
	return t.change(change{
		where: sqltext.List(and, t.thisKey(), token, seen),
		state: t.state(model.Failed), token: t.fence(), lease: null(),
		set:   []edit{{model.RoleError, sqltext.Arg("reason")}, t.at(model.RoleAvailable, now()), t.at(model.RoleEnded, now())},
		event: act(sqltext.Raw("'dead-lettered'")),
	})
}
