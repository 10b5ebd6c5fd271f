package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// priorities is how many priorities a pulse asks about: each is one seek.
const priorities = 8

// oldestText finds the first ready job, or the first one of the next priority.
const oldestText = `
OUTER APPLY (
    SELECT TOP (1) {raw}
    FROM {table} AS q{hints}
    WHERE {where}
    ORDER BY {order}
) AS {alias}`

// oldest gives the job that would be claimed first, of every priority where there
// are any: one seek a priority, each beginning where the one before ended, and one
// for the jobs without one, which come before all others. Where no index has that
// order it would be a sort of all ready rows, so it is not asked; where reading the
// whole table was insisted on, that is done once for the job that waits longest.
func (t table) oldest() (columns, sources []sqltext.Part) {
	switch {
	case t.f.unindexed || !t.has(model.Ready) || t.f.unordered && !t.f.scan:
		return t.oldestColumns("", false), nil
	case t.f.unordered:
		longest := append([]sqltext.Part{t.of("q", model.RoleAvailable)}, t.keys("q")...)
		return t.oldestColumns("o", false), []sqltext.Part{t.first("o", sqltext.Part{}, sqltext.List(", ", longest...))}
	}
	priority := t.m.Column(model.RolePriority)
	if priority.IsZero() {
		return t.oldestColumns("o", false), []sqltext.Part{t.first("o", sqltext.Part{}, t.order("q"))}
	}
	column, next := within("q", priority), sqltext.Part{}
	aliases := []string{"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"}[:priorities]
	all := aliases
	if priority.Nullable { // nothing is greater than NULL, so that those without one are asked for apart
		all = append([]string{"p0"}, aliases...)
		sources = append(sources, t.first(all[0], sqltext.Fill("{column} IS NULL", sqltext.Holes{"column": column}), t.order("q")))
		next = sqltext.Fill("{column} IS NOT NULL", sqltext.Holes{"column": column})
	}
	for _, a := range aliases {
		sources = append(sources, t.first(a, next, t.order("q")))
		next = sqltext.Fill("{column} > {before}", sqltext.Holes{"column": column, "before": within(a, priority)})
	}
	return t.oldestColumns("o", true), append(sources, t.each(all))
}

func (t table) first(alias string, next, order sqltext.Part) sqltext.Part {
	return sqltext.Fill(oldestText, sqltext.Holes{
		"raw":   sqltext.List(", ", t.raw("q", model.RolePriority, model.RoleAvailable)...),
		"table": t.name(), "hints": t.f.hints(), "order": order, "alias": bare(alias),
		"where": sqltext.List("\n      AND ", t.is("q", model.Ready), next),
	})
}

// each turns the priorities found into rows, at least one.
func (t table) each(aliases []string) sqltext.Part {
	rows := make([]sqltext.Part, len(aliases))
	for i, a := range aliases {
		present := sqltext.If(i > 0, sqltext.Fill("\n    WHERE {key} IS NOT NULL", sqltext.Holes{"key": within(a, t.m.Keys[0])}))
		rows[i] = sqltext.Fill("SELECT {raw}{present}", sqltext.Holes{
			"raw":     sqltext.List(", ", t.raw(a, model.RolePriority, model.RoleAvailable)...),
			"present": present,
		})
	}
	return sqltext.Fill(`
CROSS APPLY (
    {rows}
) AS o`, sqltext.Holes{"rows": sqltext.List("\n    UNION ALL\n    ", rows...)})
}

func (t table) oldestColumns(alias string, byPriority bool) []sqltext.Part {
	var parts []sqltext.Part
	value := func(c model.Column) sqltext.Part {
		if alias == "" || c.IsZero() {
			return null()
		}
		return read(c, within(alias, c))
	}
	for i, c := range t.m.Keys {
		parts = append(parts, as(value(c), keyAlias(i)))
	}
	priority := model.Column{}
	if byPriority {
		priority = t.m.Column(model.RolePriority)
	}
	return append(parts, as(value(priority), ident("priority")),
		as(value(t.m.Column(model.RoleAvailable)), ident("available")))
}
