package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// extend sets a later lease and keeps the token. The lease is marked below the
// second, so that a re-read can tell it from a heartbeat's.
func extend(t table) (sqltext.Part, error) {
	if why := t.m.Extendable(); why != "" {
		return sqltext.Part{}, errors.New(why)
	}
	until := sqltext.Raw("DATEADD(millisecond, @mark_ms - DATEPART(millisecond, @at), DATEADD(second, @by_s, @at))")
	later := sqltext.Fill("{lease} < {until}", sqltext.Holes{"lease": t.col(model.RoleLease), "until": until})
	return t.step(change{
		op:    store.OpExtend,
		set:   []edit{{model.RoleLease, until}},
		where: t.held(later),
		event: t.act(sqltext.Raw("'extended'")),
	}), nil
}
