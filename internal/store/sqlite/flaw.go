package sqlite

import (
	"maps"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// Wrong renders an operation with a known mistake, for scratch tables.
func (d *Dialect) Wrong(f store.Flaw, op store.Op, m *model.Mapping, c *model.Caps) (store.Stmt, bool, error) {
	if render, ok := wrongRows()[f][op]; ok {
		t := rowset{table{m: m, c: c}}
		s, err := render(t)
		if err != nil {
			return store.Stmt{}, false, err
		}
		s = t.finished(s, op)
		s.Form = string(f)
		return s, true, nil
	}
	render, ok := wrong()[f][op]
	if !ok {
		return store.Stmt{}, false, nil
	}
	s, err := render(table{m: m, c: c})
	if err != nil {
		return store.Stmt{}, false, err
	}
	spec := store.SpecOf(op)
	if op == store.OpTake {
		spec = store.TakeSpec()
	}
	s.Op, s.Form, s.Kind, s.Proved = op, string(f), spec.Kind, "this engine, in leasetop's own tests"
	s.Params, s.Right = table{m: m, c: c}.params(spec), "to write the file and its folder"
	return s, true, nil
}

// wrong gives each mistake the statements that it spoils.
func wrong() map[store.Flaw]map[store.Op]func(table) (store.Stmt, error) {
	type renderers = map[store.Op]func(table) (store.Stmt, error)
	return map[store.Flaw]renderers{
		store.FlawSelectThenUpdate: {store.OpTake: func(t table) (store.Stmt, error) { return t.claim(t.thisKey(), sqltext.Part{}) }},
		store.FlawCompletionByKey:  {store.OpComplete: by(table.completion, table.keyAlone)},
		store.FlawHeartbeatByKey:   {store.OpHeartbeat: by(table.beat, table.keyAlone)},
		store.FlawFailureByKey:     {store.OpFail: by(table.failure, table.keyAlone)},
		store.FlawReleaseByKey:     {store.OpRelease: by(table.giveBack, table.keyAlone)},
		store.FlawTokenCleared: {
			store.OpFail: clearing(table.failure), store.OpRelease: clearing(table.giveBack), store.OpRecover: clearing(table.recovery),
		},
		store.FlawCompletionClears:     {store.OpComplete: clearing(table.completion)},
		store.FlawUnconditionalRecover: {store.OpRecover: by(table.recovery, func(t table) sqltext.Part { return t.in(model.Working) })},
		store.FlawNoBound:              {store.OpClaim: unbounded(claim), store.OpFail: unbounded(fail), store.OpRecover: unbounded(recovery)},
		store.FlawRecoveryCounts:       {store.OpRecover: spoilt(table.recovery, func(t table, c *change) { c.attempts = t.plus(model.RoleAttempts) })},
		store.FlawReleaseCounts:        {store.OpRelease: spoilt(table.giveBack, func(_ table, c *change) { c.attempts = sqltext.Part{} })},
		store.FlawExpiryRefuses: {store.OpComplete: by(table.completion, func(t table) sqltext.Part {
			return sqltext.List(and, t.held(), sqltext.Fill("{lease} >= @now", sqltext.Holes{"lease": t.ms(model.RoleLease)}))
		})},
		store.FlawHeartbeatShortens: {store.OpHeartbeat: spoilt(table.beat, func(t table, c *change) { c.lease = t.write(model.RoleLease, later("lease_ms")) })},
		store.FlawBlindReclaim:      {store.OpReclaim: func(t table) (store.Stmt, error) { return t.takeBack(t.thisKey()) }},
		store.FlawBrakeIgnored: {store.OpClaim: func(t table) (store.Stmt, error) {
			return t.claim(sqltext.List(and, t.in(model.Ready), t.attemptLeft()), first(t.claimOrder(), "n"))
		}},
		store.FlawEarlyPromotion:   {store.OpPromote: by(table.promotion, func(t table) sqltext.Part { return t.in(model.Scheduled) })},
		store.FlawScheduledAsReady: {store.OpClaim: claimDue},
	}
}

// wrongRows are the same of a destructive queue.
func wrongRows() map[store.Flaw]map[store.Op]func(rowset) (store.Stmt, error) {
	return map[store.Flaw]map[store.Op]func(rowset) (store.Stmt, error){
		store.FlawDequeueUnordered: {
			store.OpDequeue: func(t rowset) (store.Stmt, error) {
				chosen := t.chosen(sqltext.Part{})
				return t.taking(t.captured(chosen), t.gone(chosen))
			},
		},
	}
}

// keyAlone is the condition of a step that names no token.
func (t table) keyAlone() sqltext.Part { return sqltext.List(and, t.thisKey(), t.in(model.Working)) }

// by is a step with another condition.
func by(step func(table) change, where func(table) sqltext.Part) func(table) (store.Stmt, error) {
	return spoilt(step, func(t table, c *change) { c.where = where(t) })
}

// clearing is a step that leaves no token behind.
func clearing(step func(table) change) func(table) (store.Stmt, error) {
	return spoilt(step, func(_ table, c *change) { c.token = null() })
}

func spoilt(step func(table) change, mistake func(table, *change)) func(table) (store.Stmt, error) {
	return func(t table) (store.Stmt, error) {
		c := step(t)
		mistake(t, &c)
		return t.change(c)
	}
}

// unbounded renders a statement for the same table without its bound.
func unbounded(render func(table) (store.Stmt, error)) func(table) (store.Stmt, error) {
	return func(t table) (store.Stmt, error) {
		m := *t.m
		m.Columns = maps.Clone(m.Columns)
		delete(m.Columns, model.RoleMaxAttempts)
		t.m = &m
		return render(t)
	}
}

// claimDue takes what is due from both states, so that it walks over what is not.
func claimDue(t table) (store.Stmt, error) {
	waiting := sqltext.Fill("{state} IN ({ready}, {scheduled})", sqltext.Holes{
		"state": t.col(model.RoleState), "ready": t.state(model.Ready), "scheduled": t.state(model.Scheduled),
	})
	due := sqltext.Fill("{available} <= @now", sqltext.Holes{"available": t.ms(model.RoleAvailable)})
	return t.claim(sqltext.List(and, waiting, due, t.attemptLeft(), t.unbraked()), first(t.claimOrder(), "n"))
}
