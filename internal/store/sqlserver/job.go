package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// shown are the columns of a job beside its key, in the order of the contract.
func shown() []model.Role {
	return []model.Role{
		model.RoleState, model.RoleToken, model.RoleLease, model.RoleAvailable, model.RoleEnqueued, model.RoleClaimed,
		model.RoleHeartbeat, model.RoleEnded, model.RoleWorker, model.RoleAttempts, model.RoleMaxAttempts,
		model.RoleTotalClaims, model.RolePriority, model.RoleError, model.RoleOperation,
	}
}

// roleAlias is the contract's name of a role's column.
func roleAlias(r model.Role) sqltext.Part { return ident(string(r)) }

// result are the columns of a job as the contract names them.
func (t table) result(alias string) sqltext.Part {
	var parts []sqltext.Part
	for i, c := range t.m.Keys {
		parts = append(parts, as(read(c, within(alias, c)), keyAlias(i)))
	}
	for _, r := range shown() {
		p := null()
		if c := t.m.Column(r); !c.IsZero() {
			p = read(c, within(alias, c))
		}
		parts = append(parts, as(p, roleAlias(r)))
	}
	return sqltext.List(comma, parts...)
}

// raw are the columns themselves, each once, for a derived table.
func (t table) raw(alias string, roles ...model.Role) []sqltext.Part {
	var (
		parts []sqltext.Part
		seen  = map[string]bool{}
	)
	add := func(c model.Column) {
		if !c.IsZero() && !seen[c.Name] {
			seen[c.Name] = true
			parts = append(parts, within(alias, c))
		}
	}
	for _, c := range t.m.Keys {
		add(c)
	}
	for _, r := range roles {
		add(t.m.Column(r))
	}
	return parts
}

// jobs is a list of jobs. Its time is the statement's own, and it is there when
// the list is empty too.
const jobs = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {columns}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
OUTER APPLY (
    SELECT TOP (@limit)
           {raw}
    FROM {source}
    ORDER BY {order}
) AS j
ORDER BY {outer}
{option}`

// list reads the jobs of one state in an order.
func (t table) list(source sqltext.Part, order func(alias string) sqltext.Part) sqltext.Part {
	return sqltext.Fill(jobs, sqltext.Holes{
		"head": t.f.watch(), "columns": t.result("j"), "raw": sqltext.List(",\n           ", t.raw("q", shown()...)...),
		"source": source, "order": order("q"), "outer": order("j"), "option": t.f.option(),
	})
}

// window bounds how many rows of a state are looked at where the index does not give
// the wanted order: sorting has an end, whatever the table holds.
const window = `(
        SELECT TOP (10000)
               {raw}
        FROM {table} AS w{hints}
        WHERE {where}
    ) AS q`

const whole = `{table} AS q{hints}
    WHERE {where}`

// in is the rows of a state, or a window of them.
func (t table) in(s model.State, ordered bool) sqltext.Part {
	h := sqltext.Holes{"table": t.name(), "hints": t.f.hints()}
	if ordered {
		h["where"] = t.is("q", s)
		return sqltext.Fill(whole, h)
	}
	h["where"], h["raw"] = t.is("w", s), sqltext.List(inner, t.raw("w", shown()...)...)
	return sqltext.Fill(window, h)
}
