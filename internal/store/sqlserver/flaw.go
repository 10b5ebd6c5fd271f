package sqlserver

import (
	"maps"
	"slices"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// Wrong renders an operation with a known mistake, for scratch tables.
func (d Dialect) Wrong(f store.Flaw, op store.Op, m *model.Mapping, c *model.Caps) (store.Stmt, bool, error) {
	if render, ok := wrongRows()[f][op]; ok {
		t := rowset{table{m: m, c: c, f: formOf(c.Form[string(op)])}}
		text, err := render(t).Text()
		spec := store.SpecOf(op)
		return store.Stmt{
			Op: op, Form: string(f), Texts: []string{text}, Kind: spec.Kind, Params: t.rowParams(spec, text), Right: t.rowRight(op),
		}, err == nil, err
	}
	render, ok := wrong()[f][op]
	if !ok {
		return store.Stmt{}, false, nil
	}
	spec, right := store.SpecOf(op), op
	if op == store.OpTake {
		spec, right = store.TakeSpec(), store.OpClaim
	}
	t := table{m: m, c: c, f: formOf(c.Form[string(right)])}
	if spec.Keyed {
		t.row = theRow
	}
	part, err := render(t)
	if err != nil {
		return store.Stmt{}, false, err
	}
	text, err := inClock(m, part).Text()
	return store.Stmt{
		Op: op, Form: string(f), Texts: []string{text}, Kind: spec.Kind, Params: t.params(spec, text), Right: t.right(right),
	}, err == nil, err
}

// wrong gives each mistake the statements that it spoils.
func wrong() map[store.Flaw]map[store.Op]func(table) (sqltext.Part, error) {
	type renderers = map[store.Op]func(table) (sqltext.Part, error)
	return map[store.Flaw]renderers{
		store.FlawSelectThenUpdate: {store.OpTake: take},
		store.FlawCompletionByKey:  {store.OpComplete: by(table.completion, table.keyAlone)},
		store.FlawHeartbeatByKey:   {store.OpHeartbeat: by(table.beat, table.keyAlone)},
		store.FlawFailureByKey:     {store.OpFail: by(table.failure, table.keyAlone)},
		store.FlawReleaseByKey:     {store.OpRelease: by(table.giveBack, table.keyAlone)},
		store.FlawTokenCleared: {
			store.OpFail: clearing(table.failure), store.OpRelease: clearing(table.giveBack), store.OpRecover: clearing(table.recovery),
		},
		store.FlawCompletionClears: {store.OpComplete: clearing(table.completion)},
		store.FlawUnconditionalRecover: {store.OpRecover: spoilt(table.recovery, func(t table, c *change) {
			c.batch.where = t.is("q", model.Working)
		})},
		store.FlawNoBound: {store.OpClaim: unbounded(claim), store.OpFail: unbounded(fail), store.OpRecover: unbounded(recovery)},
		store.FlawRecoveryCounts: {store.OpRecover: spoilt(table.recovery, func(t table, c *change) {
			c.set = append(c.set, edit{model.RoleAttempts, t.plus(model.RoleAttempts)})
		})},
		store.FlawReleaseCounts: {store.OpRelease: spoilt(table.giveBack, func(_ table, c *change) {
			c.set, c.attempts = without(c.set, model.RoleAttempts), sqltext.Part{}
		})},
		store.FlawExpiryRefuses: {store.OpComplete: by(table.completion, func(t table) sqltext.Part {
			return t.held(sqltext.Fill("{lease} >= @at", sqltext.Holes{"lease": t.col(model.RoleLease)}))
		})},
		store.FlawHeartbeatShortens: {store.OpHeartbeat: spoilt(table.beat, func(_ table, c *change) {
			c.set = append(without(c.set, model.RoleLease), edit{model.RoleLease, after(now(), sqltext.Arg("lease_ms"))})
		})},
		store.FlawBlindReclaim: {store.OpReclaim: func(t table) (sqltext.Part, error) {
			return t.takeBack(store.OpReclaim, sqltext.List(and, t.thisKey(t.row)...)), nil
		}},
		store.FlawBrakeIgnored: {store.OpClaim: func(t table) (sqltext.Part, error) {
			return t.claim(t.firstReady(sqltext.List("\n      AND ", t.is("q", model.Ready), t.attemptLeft())), sqltext.Part{}), nil
		}},
		store.FlawEarlyPromotion: {store.OpPromote: spoilt(table.promotion, func(t table, c *change) {
			c.batch.where = t.is("q", model.Scheduled)
		})},
		store.FlawScheduledAsReady: {store.OpClaim: claimDue},
	}
}

// wrongRows are the same of a destructive queue.
func wrongRows() map[store.Flaw]map[store.Op]func(rowset) sqltext.Part {
	return map[store.Flaw]map[store.Op]func(rowset) sqltext.Part{
		store.FlawDequeueUnordered: {store.OpDequeue: func(t rowset) sqltext.Part { return t.takeBy(sqltext.Raw(guard), sqltext.Part{}) }},
	}
}

// take is the second half of a claim that read first.
func take(t table) (sqltext.Part, error) {
	update := sqltext.Fill("UPDATE {table} WITH (ROWLOCK)", sqltext.Holes{"table": t.name()})
	where := sqltext.Fill("\nWHERE {key}", sqltext.Holes{"key": sqltext.List(and, t.thisKey(t.row)...)})
	return t.claim(update, where), nil
}

// keyAlone is the condition of a step that names no token.
func (t table) keyAlone() sqltext.Part {
	return sqltext.List(and, append(t.thisKey(t.row), t.is(t.row, model.Working))...)
}

// by is a step with another condition.
func by(step func(table) change, where func(table) sqltext.Part) func(table) (sqltext.Part, error) {
	return spoilt(step, func(t table, c *change) { c.where = where(t) })
}

// clearing is a step that leaves no token behind. What it captured is found by
// the time alone, or by the job and the time.
func clearing(step func(table) change) func(table) (sqltext.Part, error) {
	return spoilt(step, func(t table, c *change) {
		c.set = append(without(c.set, model.RoleToken), edit{model.RoleToken, null()})
		mine := []sqltext.Part{sqltext.Raw("h.[At] = @at"), sqltext.Raw("h.[NewToken] IS NULL")}
		if c.batch == nil {
			mine = append(mine, sqltext.Fill("h.[JobId] = {key}", sqltext.Holes{"key": given(t.historyKey(), "key")}))
		}
		c.event.mine = sqltext.List("\n   AND ", mine...)
	})
}

func spoilt(step func(table) change, mistake func(table, *change)) func(table) (sqltext.Part, error) {
	return func(t table) (sqltext.Part, error) {
		c := step(t)
		mistake(t, &c)
		return t.step(c), nil
	}
}

func without(set []edit, r model.Role) []edit {
	return slices.DeleteFunc(slices.Clone(set), func(e edit) bool { return e.role == r })
}

// unbounded renders a statement for the same table without its bound.
func unbounded(render func(table) (sqltext.Part, error)) func(table) (sqltext.Part, error) {
	return func(t table) (sqltext.Part, error) {
		m := *t.m
		m.Columns = maps.Clone(m.Columns)
		delete(m.Columns, model.RoleMaxAttempts)
		t.m = &m
		return render(t)
	}
}

// claimDue takes what is due from both states, so that it walks over what is not.
func claimDue(t table) (sqltext.Part, error) {
	waiting := sqltext.Fill("{state} IN ({ready}, {scheduled})", sqltext.Holes{
		"state": t.of("q", model.RoleState), "ready": t.state(model.Ready), "scheduled": t.state(model.Scheduled),
	})
	due := sqltext.Fill("{available} <= @at", sqltext.Holes{"available": t.of("q", model.RoleAvailable)})
	return t.claim(t.firstReady(sqltext.List("\n      AND ", waiting, due, t.attemptLeft(), t.unbraked())), sqltext.Part{}), nil
}
