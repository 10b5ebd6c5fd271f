package sqlite

import (
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

func doubled(s string) string { return strings.ReplaceAll(s, "'", "''") }

// health looks for rows that break an invariant among the first of each state, and
// for other states among the newest rows.
func health(t table) (store.Stmt, error) {
	return t.symptoms(append(t.broken(), append(t.newest(), t.newStates())...))
}

// healthScan is the same by reading the whole table, and looks at done rows too.
func healthScan(t table) (store.Stmt, error) {
	parts := append(t.broken(), t.newest()...)
	if t.has(model.Done) && t.m.Has(model.RoleLease) {
		parts = append(parts, t.sick(model.SymptomDoneLease, model.Done, sqltext.Fill("{lease} IS NOT NULL", sqltext.Holes{"lease": t.col(model.RoleLease)})))
	}
	return t.symptoms(append(parts, sqltext.Fill(statesText, sqltext.Holes{
		"none": t.nobody(), "rule": sqltext.Code(model.SymptomState), "state": t.col(model.RoleState), "source": t.name(),
	})))
}

const statesText = `SELECT {none}, {rule} AS rule, NULL AS rows, coalesce(CAST({state} AS TEXT), 'NULL') AS value, NULL AS ms
  FROM {source}
  GROUP BY {state}`

func (t table) symptoms(parts []sqltext.Part) (store.Stmt, error) {
	return stmt(sqltext.Fill(`SELECT @now AS now, x.*
FROM (SELECT 1)
LEFT JOIN (
  {symptoms}
) AS x ON TRUE`, sqltext.Holes{"symptoms": sqltext.List("\n  UNION ALL\n  ", parts...)}))
}

// broken are the invariants that single rows can break.
func (t table) broken() []sqltext.Part {
	var parts []sqltext.Part
	null := func(rule string, s model.State, r model.Role) {
		if t.m.Has(r) {
			parts = append(parts, t.sick(rule, s, sqltext.Fill("{column} IS NULL", sqltext.Holes{"column": t.col(r)})))
		}
	}
	null(model.SymptomNoToken, model.Working, model.RoleToken)
	null(model.SymptomNoLease, model.Working, model.RoleLease)
	null(model.SymptomNoDue, model.Scheduled, model.RoleAvailable)
	null(model.SymptomNoEnd, model.Failed, model.RoleEnded)
	if t.m.Bounded() {
		h := sqltext.Holes{"attempts": t.col(model.RoleAttempts), "bound": t.col(model.RoleMaxAttempts)}
		parts = append(parts, t.sick(model.SymptomOverBound, model.Working, sqltext.Fill("{attempts} > {bound}", h)),
			t.sick(model.SymptomUsedUp, model.Ready, sqltext.Fill("{attempts} >= {bound}", h)))
	}
	return append(parts, t.shared())
}

// some are the first rows of a state.
func (t table) some(s model.State) sqltext.Part {
	return sqltext.Fill("(SELECT * FROM {table} WHERE {state} LIMIT @cap)", sqltext.Holes{"table": t.name(), "state": t.in(s)})
}

// sick is how many of a state's rows break an invariant, and the first of them.
func (t table) sick(rule string, s model.State, where sqltext.Part) sqltext.Part {
	if !t.has(s) || t.lacks(counted(s)) != nil {
		return sqltext.Part{}
	}
	return sqltext.Fill(`SELECT * FROM (
    SELECT {keys}, {rule} AS rule, count(*) OVER () AS rows, NULL AS value, NULL AS ms
    FROM {source}
    WHERE {where}
    ORDER BY {order}
    LIMIT 1)`, sqltext.Holes{
		"keys": t.keysAs(), "rule": sqltext.Code(rule), "source": t.some(s), "where": where, "order": t.keys(),
	})
}

// shared is a token that rows of different claims carry: a claim gives its own to
// all rows that it takes, at one moment and to one worker.
func (t table) shared() sqltext.Part {
	differ := func(r model.Role) sqltext.Part {
		c := t.col(r)
		return sqltext.If(!c.IsZero(), sqltext.Fill("min({column}) <> max({column})", sqltext.Holes{"column": c}))
	}
	several := sqltext.List(" OR ", differ(model.RoleClaimed), differ(model.RoleWorker))
	if several.IsZero() || !t.m.Has(model.RoleToken) || !t.m.Column(model.RoleToken).Exclusive() || !t.has(model.Working) || t.lacks(counted(model.Working)) != nil {
		return sqltext.Part{}
	}
	return sqltext.Fill(`SELECT * FROM (
    SELECT {none}, {rule} AS rule, count(*) OVER () AS rows, {token} AS value, NULL AS ms
    FROM {source}
    WHERE {token} IS NOT NULL
    GROUP BY {token}
    HAVING {several}
    ORDER BY {token}
    LIMIT 1)`, sqltext.Holes{
		"none": t.nobody(), "rule": sqltext.Code(model.SymptomShared), "token": t.col(model.RoleToken), "source": t.some(model.Working), "several": several,
	})
}

// newest is how long ago the latest times of some roles lie.
func (t table) newest() []sqltext.Part {
	var parts []sqltext.Part
	for _, x := range []struct {
		state model.State
		role  model.Role
	}{
		{model.Working, model.RoleClaimed}, {model.Working, model.RoleHeartbeat}, {model.Ready, model.RoleEnqueued},
	} {
		if !t.m.Has(x.role) || !t.has(x.state) || t.lacks(counted(x.state)) != nil {
			continue
		}
		parts = append(parts, sqltext.Fill(`SELECT * FROM (
    SELECT {none}, {rule} AS rule, NULL AS rows, {role} AS value, @now - max({ms}) AS ms
    FROM {source})
  WHERE ms IS NOT NULL`, sqltext.Holes{
			"none": t.nobody(), "rule": sqltext.Code(model.SymptomNewest), "role": sqltext.Code(string(x.role)), "ms": t.ms(x.role), "source": t.some(x.state),
		}))
	}
	return parts
}

// newStates are the values of the state column among the newest rows: those with
// the highest numbers, or keys where rows have no number.
func (t table) newStates() sqltext.Part {
	order := sqltext.Raw("rowid")
	if t.lacks(hasRowID) != nil {
		order = ident(t.m.Keys[0].Name)
	}
	return sqltext.Fill(statesText, sqltext.Holes{
		"none": t.nobody(), "rule": sqltext.Code(model.SymptomState), "state": t.col(model.RoleState),
		"source": sqltext.Fill("(SELECT * FROM {table} ORDER BY {order} DESC LIMIT @cap)", sqltext.Holes{"table": t.name(), "order": order}),
	})
}

// historyHealth looks at the history's own times: where they go back, and when they
// begin. Here the clock is read once the file may be written, so that they follow
// each other.
func historyHealth(t table) (store.Stmt, error) {
	return stmt(sqltext.Fill(`SELECT @now AS now, x.*
FROM (SELECT 1)
LEFT JOIN (
  SELECT * FROM (
    SELECT 'step-back' AS rule, count(*) OVER () AS rows, CAST(Seq AS TEXT) AS value, before - At AS ms
    FROM (
      SELECT Seq, At, max(At) OVER (ORDER BY Seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM (SELECT Seq, At FROM {history} ORDER BY Seq DESC LIMIT @limit))
    WHERE before > At + 10000
    ORDER BY ms DESC
    LIMIT 1)
  UNION ALL
  SELECT 'oldest', NULL, NULL, @now - At
  FROM (SELECT At FROM {history} ORDER BY Seq LIMIT 1)
) AS x ON TRUE`, sqltext.Holes{"history": t.historyName()}))
}
