package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// grant takes back a job whose lease and attempts are both used up, and allows it
// one attempt more.
func grant(t table) (sqltext.Part, error) {
	if t.usedUp().IsZero() {
		return sqltext.Part{}, errors.New("the table counts no attempts against a bound, so there is none to grant")
	}
	more := sqltext.Fill("{attempts} + 1", sqltext.Holes{"attempts": t.col(model.RoleAttempts)})
	return t.takeBack(store.OpGrant, t.held(t.over(), t.usedUp()), edit{model.RoleMaxAttempts, more}), nil
}
