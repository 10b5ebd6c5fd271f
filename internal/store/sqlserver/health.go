package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const healthText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {key},
       x.[rule] AS [rule],
       x.[rows] AS [rows],
       x.[value] AS [value],
       x.[ms] AS [ms]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n{states}
OUTER APPLY (
    {symptoms}
) AS x
OPTION (MAXDOP 1);`

// health looks for rows that break an invariant. The first rows of each state are
// looked at and no more, so that it costs what is active and never what is done.
func health(t table) (sqltext.Part, error) {
	if t.f.unindexed {
		return sqltext.Part{}, t.lacks(model.CanCount)
	}
	found, chain := t.statesFound()
	return t.symptoms(append(append(t.broken(), t.newest()...), found...), chain)
}

// healthScan is the same by reading the whole table, and looks at done rows too.
func healthScan(t table) (sqltext.Part, error) {
	found, chain := t.statesFound()
	parts := append(append(t.broken(), t.newest()...), found...)
	if t.has(model.Done) && t.m.Has(model.RoleLease) {
		parts = append(parts, t.sick(model.SymptomDoneLease, sqltext.Fill(doneLease, sqltext.Holes{
			"raw": sqltext.List(", ", t.raw("q")...), "table": t.name(), "hints": t.f.hints(),
			"done": t.is("q", model.Done), "lease": t.of("q", model.RoleLease),
		}), sqltext.Part{}))
	}
	return t.symptoms(parts, chain)
}

const doneLease = `(
            SELECT TOP (@cap) {raw} FROM {table} AS q{hints}
            WHERE {done} AND {lease} IS NOT NULL
        )`

func (t table) symptoms(parts []sqltext.Part, states sqltext.Part) (sqltext.Part, error) {
	list := sqltext.List("\n    UNION ALL\n    ", parts...)
	if list.IsZero() {
		return list, errors.New("the mapping names nothing that could be wrong")
	}
	return sqltext.Fill(healthText, sqltext.Holes{
		"head": t.f.watch(), "key": t.keyResult("x"), "states": states, "symptoms": list,
	}), nil
}

// broken are the invariants that single rows can break.
func (t table) broken() []sqltext.Part {
	var parts []sqltext.Part
	null := func(rule string, s model.State, r model.Role) {
		if t.has(s) && t.m.Has(r) {
			parts = append(parts, t.sick(rule, t.some(s, r), sqltext.Fill("{column} IS NULL", sqltext.Holes{"column": t.of("r", r)})))
		}
	}
	null(model.SymptomNoToken, model.Working, model.RoleToken)
	null(model.SymptomNoLease, model.Working, model.RoleLease)
	null(model.SymptomNoDue, model.Scheduled, model.RoleAvailable)
	null(model.SymptomNoEnd, model.Failed, model.RoleEnded)
	if t.m.Bounded() {
		h := sqltext.Holes{"attempts": t.of("r", model.RoleAttempts), "bound": t.of("r", model.RoleMaxAttempts)}
		parts = append(parts,
			t.sick(model.SymptomOverBound, t.some(model.Working, model.RoleAttempts, model.RoleMaxAttempts), sqltext.Fill("{attempts} > {bound}", h)),
			t.sick(model.SymptomUsedUp, t.some(model.Ready, model.RoleAttempts, model.RoleMaxAttempts), sqltext.Fill("{attempts} >= {bound}", h)))
	}
	return append(parts, t.shared())
}

// some are the first rows of a state with the columns of roles.
func (t table) some(s model.State, roles ...model.Role) sqltext.Part {
	return sqltext.Fill("(SELECT TOP (@cap) {raw} FROM {table} AS q{hints} WHERE {state})", sqltext.Holes{
		"raw": sqltext.List(", ", t.raw("q", roles...)...), "table": t.name(), "hints": t.f.hints(), "state": t.is("q", s),
	})
}

// sick is how many of some rows break an invariant, and the first of them.
func (t table) sick(rule string, rows, where sqltext.Part) sqltext.Part {
	return sqltext.Fill(`SELECT {key}, {rule} AS [rule], a.[rows],
           CONVERT(nvarchar(128), NULL) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) {keys}, COUNT_BIG(*) OVER () AS [rows]
        FROM {source} AS r{where}
        ORDER BY {keys}
    ) AS a`, sqltext.Holes{
		"key": sqltext.List(", ", t.keys("a")...), "rule": sqltext.Code(rule), "keys": sqltext.List(", ", t.keys("r")...), "source": rows,
		"where": sqltext.If(!where.IsZero(), sqltext.Fill("\n        WHERE {where}", sqltext.Holes{"where": where})),
	})
}

// shared is a token that rows of different claims carry: a claim gives its own to
// all rows that it takes, at one moment and to one worker. Equal counts or times prove
// nothing.
func (t table) shared() sqltext.Part {
	differ := func(r model.Role) sqltext.Part {
		c := t.of("r", r)
		return sqltext.If(!c.IsZero(), sqltext.Fill("MIN({column}) <> MAX({column})", sqltext.Holes{"column": c}))
	}
	several := sqltext.List(" OR ", differ(model.RoleClaimed), differ(model.RoleWorker))
	token := t.m.Column(model.RoleToken)
	if several.IsZero() || token.IsZero() || !token.Exclusive() || !t.has(model.Working) {
		return sqltext.Part{}
	}
	return sqltext.Fill(`SELECT {none}, {rule} AS [rule], a.[rows],
           CONVERT(nvarchar(128), {value}) AS [value], CONVERT(bigint, NULL) AS [ms]
    FROM (
        SELECT TOP (1) g.[shared], COUNT_BIG(*) OVER () AS [rows]
        FROM (
            SELECT {token} AS [shared]
            FROM {rows} AS r
            WHERE {token} IS NOT NULL
            GROUP BY {token}
            HAVING {several}
        ) AS g
        ORDER BY g.[shared]
    ) AS a`, sqltext.Holes{
		"none": t.nobody(), "rule": sqltext.Code(model.SymptomShared), "value": read(token, sqltext.Raw("a.[shared]")),
		"token": within("r", token), "several": several,
		"rows": t.some(model.Working, model.RoleToken, model.RoleClaimed, model.RoleWorker),
	})
}

// nobody are the key columns of a symptom that is about no single row.
func (t table) nobody() sqltext.Part {
	var parts []sqltext.Part
	for _, c := range t.m.Keys {
		parts = append(parts, sqltext.Fill("CONVERT({type}, NULL) AS {name}", sqltext.Holes{"type": sqltext.Declared(c.Declared), "name": ident(c.Name)}))
	}
	return sqltext.List(", ", parts...)
}

// newest is how long ago the latest times of some roles lie: a time ahead of the
// server's shows that a column is written by another clock.
func (t table) newest() []sqltext.Part {
	var parts []sqltext.Part
	for _, x := range []struct {
		state model.State
		role  model.Role
	}{
		{model.Working, model.RoleClaimed}, {model.Working, model.RoleHeartbeat}, {model.Ready, model.RoleEnqueued},
	} {
		c := t.m.Column(x.role)
		if c.IsZero() || !t.has(x.state) {
			continue
		}
		parts = append(parts, sqltext.Fill(`SELECT {none}, {rule} AS [rule], CONVERT(bigint, NULL) AS [rows],
           CONVERT(nvarchar(128), {role}) AS [value], DATEDIFF_BIG(millisecond, a.[latest], n.[now]) AS [ms]
    FROM (SELECT MAX({column}) AS [latest] FROM {rows} AS r) AS a
    WHERE a.[latest] IS NOT NULL`, sqltext.Holes{
			"none": t.nobody(), "rule": sqltext.Code(model.SymptomNewest), "role": sqltext.Code(string(x.role)),
			"column": within("r", c), "rows": t.some(x.state, x.role),
		}))
	}
	return parts
}
