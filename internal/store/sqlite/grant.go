package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// grant takes back a job whose lease and attempts are both used up, and allows it
// one attempt more.
func grant(t table) (store.Stmt, error) {
	if t.usedUp().IsZero() {
		return store.Stmt{}, errors.New("the table counts no attempts against a bound, so there is none to grant")
	}
	return t.takeBack(
		sqltext.List(and, t.held(), t.leaseBefore(now()), t.usedUp()),
		edit{model.RoleMaxAttempts, sqltext.Fill("{attempts} + 1", sqltext.Holes{"attempts": t.col(model.RoleAttempts)})},
	)
}
