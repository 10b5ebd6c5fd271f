package sqlite

import (
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

// ready lists the ready jobs in the order in which they would be claimed.
func ready(t table) (store.Stmt, error) {
	return t.jobsWhere(t.in(model.Ready), first(t.claimOrder(), "limit"))
}
