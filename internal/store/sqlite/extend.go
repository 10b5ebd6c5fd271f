package sqlite

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// extend sets a later lease and keeps the token. The lease is marked below the
// second, so that a re-read can tell it from a heartbeat's.
func extend(t table) (store.Stmt, error) {
	if why := t.m.Extendable(); why != "" {
		return store.Stmt{}, errors.New(why)
	}
	until := sqltext.Raw("(@now + @by_s * 1000) / 1000 * 1000 + @mark_ms")
	return t.change(change{
		where: sqltext.List(and, t.held(), t.leaseBefore(until)),
		lease: t.write(model.RoleLease, until),
		event: act(sqltext.Raw("'extended'")),
	})
}
