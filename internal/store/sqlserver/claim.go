package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const claimText = `{head}{guard}DECLARE @at datetime2(3) = SYSUTCDATETIME();
DECLARE @claimed TABLE (
    {declare}
);

{update}
SET {set}
OUTPUT {captured}
INTO @claimed ({columns}){where};

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {answer}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN @claimed AS c
    ON 1 = 1{brake}
ORDER BY {outer};`

// claim takes the first ready jobs that have an attempt left, all with the one new
// token of this statement. Nobody else's locked row is waited for, and none that
// was taken is seen by another claim.
func claim(t table) (sqltext.Part, error) {
	return t.claim(t.firstReady(sqltext.List("\n      AND ", t.is("q", model.Ready), t.attemptLeft(), t.unbraked())), sqltext.Part{}), nil
}

// attemptLeft is the condition that the bound is not reached, absent without one.
func (t table) attemptLeft() sqltext.Part {
	if !t.m.Bounded() {
		return sqltext.Part{}
	}
	return sqltext.Fill("{attempts} < {bound}", sqltext.Holes{
		"attempts": t.of("q", model.RoleAttempts), "bound": t.of("q", model.RoleMaxAttempts),
	})
}

// firstReady is an UPDATE through an ordered CTE, since TOP in an UPDATE has no
// order of its own.
func (t table) firstReady(where sqltext.Part) sqltext.Part {
	return sqltext.Fill(`WITH candidate AS (
    SELECT TOP (@n)
           {raw}
    FROM {table} AS q WITH ({hints})
    WHERE {where}
    ORDER BY {order}
)
UPDATE candidate`, sqltext.Holes{
		"table": t.name(), "hints": t.f.lockHints(), "where": where, "order": t.order("q"),
		"raw": sqltext.List(",\n           ", t.raw("q", claimRoles()...)...),
	})
}

// claim is what a claim writes and what its worker is given, for the rows that
// update names.
func (t table) claim(update, where sqltext.Part) sqltext.Part {
	set := []edit{
		{model.RoleState, t.state(model.Working)}, t.token("token"), {model.RoleLease, after(now(), sqltext.Arg("lease_ms"))},
		{model.RoleClaimed, now()}, {model.RoleHeartbeat, null()}, {model.RoleEnded, null()},
		{model.RoleWorker, t.text(model.RoleWorker, "worker")},
		{model.RoleAttempts, t.plus(model.RoleAttempts)}, {model.RoleTotalClaims, t.plus(model.RoleTotalClaims)},
	}
	h := sqltext.Holes{
		"head": sqltext.Raw(headWork), "guard": sqltext.Raw(guard), "set": t.sets(set), "update": update, "where": where,
	}
	t.claimed(h)
	return sqltext.Fill(claimText, h)
}

// claimRoles are the columns that a claim reads or writes.
func claimRoles() []model.Role {
	return []model.Role{
		model.RoleState, model.RoleToken, model.RoleLease, model.RoleClaimed, model.RoleHeartbeat, model.RoleEnded, model.RoleWorker,
		model.RoleAttempts, model.RoleMaxAttempts, model.RoleTotalClaims, model.RolePriority, model.RoleAvailable,
		model.RoleOperation, model.RolePayload,
	}
}

// claimed is what a worker is given, captured by the same statement. Priority and
// time go along for the order only, which OUTPUT does not keep.
func (t table) claimed(h sqltext.Holes) {
	var declare, captured, columns, answer, outer []sqltext.Part
	add := func(c model.Column, name sqltext.Part) sqltext.Part {
		declare = append(declare, sqltext.Fill("{name} {type} NULL", sqltext.Holes{"name": name, "type": sqltext.Declared(c.Declared)}))
		captured, columns = append(captured, within("inserted", c)), append(columns, name)
		return sqltext.Fill("c.{name}", sqltext.Holes{"name": name})
	}
	for i, c := range t.m.Keys {
		answer = append(answer, as(read(c, add(c, keyAlias(i))), keyAlias(i)))
	}
	for _, r := range []model.Role{
		model.RoleToken, model.RoleLease, model.RoleAttempts, model.RoleMaxAttempts, model.RoleOperation, model.RolePayload,
	} {
		c := t.m.Column(r)
		if c.IsZero() {
			answer = append(answer, as(null(), roleAlias(r)))
			continue
		}
		p := add(c, roleAlias(r))
		if r != model.RolePayload || c.Type != model.Binary { // a worker gets bytes as they are
			p = read(c, p)
		}
		answer = append(answer, as(p, roleAlias(r)))
	}
	for _, r := range []model.Role{model.RolePriority, model.RoleAvailable} {
		if c := t.m.Column(r); !c.IsZero() {
			outer = append(outer, add(c, roleAlias(r)))
		}
	}
	for i := range t.m.Keys {
		outer = append(outer, sqltext.Fill("c.{name}", sqltext.Holes{"name": keyAlias(i)}))
	}
	answer = append(answer, brakeColumns(!t.m.Brake.IsZero()))
	h["brake"] = t.besideBrake()
	h["declare"], h["captured"] = sqltext.List(",\n    ", declare...), sqltext.List(comma, captured...)
	h["columns"], h["answer"], h["outer"] = sqltext.List(", ", columns...), sqltext.List(comma, answer...), sqltext.List(", ", outer...)
}
