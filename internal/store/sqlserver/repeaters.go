package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const windowsText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {columns},
       {told}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n{counts}
OUTER APPLY (
    SELECT TOP (@limit)
           {raw}
    FROM {source}
    WHERE {where}
    ORDER BY {order}
) AS j
ORDER BY {outer}
{option}`

// repeaters reads the jobs that are not over and were claimed more than once, or
// that wait again after an attempt. No index has them, so a window of each state
// is looked at; the figures beside it say whether that was all.
func repeaters(t table) (sqltext.Part, error) {
	times := t.of("q", model.RoleTotalClaims).Or(t.of("q", model.RoleAttempts))
	if times.IsZero() {
		return sqltext.Part{}, errors.New("not recorded: the table counts neither attempts nor claims")
	}
	states := t.present(model.Scheduled, model.Ready, model.Working)
	h := sqltext.Holes{"times": times, "again": t.of("q", model.RoleAttempts).Or(times), "state": t.of("q", model.RoleState), "working": t.state(model.Working)}
	return t.windows(states, sqltext.Fill("({times} > 1 OR {again} > 0 AND {state} <> {working})", h), func(alias string) sqltext.Part {
		n := t.of(alias, model.RoleTotalClaims).Or(t.of(alias, model.RoleAttempts))
		most := sqltext.Fill("{n} DESC", sqltext.Holes{"n": n})
		return sqltext.List(", ", append([]sqltext.Part{most}, t.keys(alias)...)...)
	}, t.cut(states, sqltext.Raw("1"), sqltext.Raw("0"), ident("cut"))), nil
}

// windows lists those jobs of a window of some states that meet a condition. told
// says whether there was more in a state than its window.
func (t table) windows(states []model.State, where sqltext.Part, order func(alias string) sqltext.Part, told sqltext.Part) sqltext.Part {
	parts := make([]sqltext.Part, len(states))
	counts := make([]sqltext.Part, len(states))
	for i, s := range states {
		parts[i] = sqltext.Fill(`SELECT TOP (@window)
               {raw}
        FROM {table} AS w{hints}
        WHERE {where}`, sqltext.Holes{
			"raw": sqltext.List(inner, t.raw("w", shown()...)...), "table": t.name(), "hints": t.f.hints(), "where": t.is("w", s),
		})
		counts[i] = t.countedTo(s, sqltext.Raw("@window + 1"))
	}
	return sqltext.Fill(windowsText, sqltext.Holes{
		"head": t.f.watch(), "columns": t.result("j"), "told": told, "raw": sqltext.List(",\n           ", t.raw("q", shown()...)...),
		"source": sqltext.Fill("(\n        {parts}\n    ) AS q", sqltext.Holes{"parts": sqltext.List("\n        UNION ALL\n        ", parts...)}),
		"counts": sqltext.List("", counts...), "where": where, "order": order("q"), "outer": order("j"), "option": t.f.option(),
	})
}

// cut is one value where a state has more rows than the window, and another where
// all were looked at.
func (t table) cut(states []model.State, more, all, name sqltext.Part) sqltext.Part {
	conds := make([]sqltext.Part, len(states))
	for i, s := range states {
		conds[i] = sqltext.Fill("{state}.[rows] > @window", sqltext.Holes{"state": ident(s.String())})
	}
	return as(sqltext.Fill("CASE WHEN {cond} THEN {more} ELSE {all} END", sqltext.Holes{
		"cond": sqltext.List(" OR ", conds...), "more": more, "all": all,
	}), name)
}

// present are those of the states that the mapping names a value for.
func (t table) present(states ...model.State) []model.State {
	var out []model.State
	for _, s := range states {
		if t.has(s) {
			out = append(out, s)
		}
	}
	return out
}
