package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// working lists the jobs in work, expired first. It sorts them all, which is no
// more than what is in work now.
func working(t table) (store.Stmt, error) {
	order := sqltext.Fill("{expired} DESC, {keys}", sqltext.Holes{"expired": t.leaseBefore(now()), "keys": t.keys()})
	return t.jobsWhere(t.in(model.Working), first(order, "limit"))
}

// failed lists the dead letters, those that ended last first, as far as the table
// tells when that was.
func failed(t table) (store.Stmt, error) {
	if !t.has(model.Failed) {
		return store.Stmt{}, errors.New("the mapping names no value for the failed state")
	}
	order := []sqltext.Part{}
	if c := t.col(model.RoleEnded); !c.IsZero() {
		order = append(order, sqltext.Fill("{ended} DESC", sqltext.Holes{"ended": c}))
	}
	for _, k := range t.m.Keys {
		order = append(order, sqltext.Fill("{key} DESC", sqltext.Holes{"key": ident(k.Name)}))
	}
	return t.jobsWhere(t.in(model.Failed), first(sqltext.List(", ", order...), "limit"))
}

// ready lists the ready jobs in the order in which they would be claimed.
func ready(t table) (store.Stmt, error) {
	return t.jobsWhere(t.in(model.Ready), first(t.claimOrder(), "limit"))
}
