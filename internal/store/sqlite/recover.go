package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// recovery takes expired jobs back: due again after a back-off that doubles with
// each attempt, or failed when none is left.
func recovery(t table) (store.Stmt, error) { return t.change(t.recovery()) }

func (t table) recovery() change {
	where := sqltext.List(and, t.in(model.Working), t.leaseBefore(sqltext.Raw("@now - @grace_ms")))
	order := sqltext.List(", ", t.ms(model.RoleLease), t.keys())
	return t.back(where, first(order, "limit"), t.backoff(),
		sqltext.Raw("'lease expired, no word from the worker'"), sqltext.Raw("'expired'"))
}

// backoff is when a job is due again. The shift is bounded so that it cannot
// overflow.
func (t table) backoff() sqltext.Part {
	doubled := sqltext.Raw("@base_ms")
	if t.m.Has(model.RoleAttempts) {
		doubled = sqltext.Fill("(@base_ms << min(max({attempts} - 1, 0), 24))", sqltext.Holes{"attempts": t.col(model.RoleAttempts)})
	}
	return sqltext.Fill("@now + min(@max_ms, {doubled}) * @jitter_pct / 100", sqltext.Holes{"doubled": doubled})
}
