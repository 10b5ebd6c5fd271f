package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// recovery takes expired jobs back: due again after a back-off that doubles with
// each attempt, or failed when none is left. It goes by the index's own order: a
// sort by lease would lock every expired row before it took the first.
func recovery(t table) (sqltext.Part, error) { return t.step(t.recovery()), nil }

func (t table) recovery() change {
	expired := sqltext.Fill("{lease} < {limit}", sqltext.Holes{
		"lease": t.of("q", model.RoleLease), "limit": after(now(), sqltext.Raw("-@grace_ms")),
	})
	const diagnostic = `N'lease expired, no word from the worker'`
	return change{
		op:  store.OpRecover,
		set: t.back(after(now(), sqltext.Raw("[wait_ms]")), sqltext.Raw(diagnostic)),
		batch: &batch{
			limit: sqltext.Arg("limit"), where: sqltext.List("\n      AND ", t.is("q", model.Working), expired),
			order: t.order("q"), extra: sqltext.If(t.schedules(), t.wait()),
		},
		event: event{kind: sqltext.Raw("'expired'"), reason: sqltext.Raw(diagnostic), mine: t.mine(false, "new_token")},
	}
}

// wait is the back-off of a row in milliseconds. The exponent is bounded so that
// nothing can overflow.
func (t table) wait() sqltext.Part {
	doubled := sqltext.Raw("@base_ms")
	if t.m.Has(model.RoleAttempts) {
		doubled = sqltext.Fill("@base_ms * POWER(CONVERT(bigint, 2), CASE WHEN {n} > 24 THEN 24 WHEN {n} > 1 THEN {n} - 1 ELSE 0 END)",
			sqltext.Holes{"n": t.of("q", model.RoleAttempts)})
	}
	return sqltext.Fill(`CASE WHEN {doubled} > @max_ms THEN @max_ms
                ELSE {doubled} END * @jitter_pct / 100 AS [wait_ms]`, sqltext.Holes{"doubled": doubled})
}
