package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// working lists the jobs in work, expired first. The lease is in no index, so a
// bounded window of them is sorted.
func working(t table) (sqltext.Part, error) {
	return t.list(t.in(model.Working, false), func(alias string) sqltext.Part {
		late := sqltext.Fill("CASE WHEN {lease} < n.[now] THEN 0 ELSE 1 END", sqltext.Holes{"lease": t.of(alias, model.RoleLease)})
		return sqltext.List(", ", append([]sqltext.Part{late}, t.keys(alias)...)...)
	}), nil
}

// failed lists the dead letters, those that ended last first: by the index that
// leads on the state and then the time at which a job left the queue's order.
func failed(t table) (sqltext.Part, error) {
	if !t.has(model.Failed) {
		return sqltext.Part{}, errors.New("the mapping names no value for the failed state")
	}
	return t.list(t.in(model.Failed, !t.f.unordered), func(alias string) sqltext.Part {
		var parts []sqltext.Part
		if t.m.Has(model.RoleAvailable) {
			parts = append(parts, t.of(alias, model.RoleAvailable))
		}
		parts = append(parts, t.keys(alias)...)
		for i, p := range parts {
			parts[i] = sqltext.Fill("{column} DESC", sqltext.Holes{"column": p})
		}
		return sqltext.List(", ", parts...)
	}), nil
}

// ready lists the ready jobs in the order in which they would be claimed.
func ready(t table) (sqltext.Part, error) {
	return t.list(t.in(model.Ready, !t.f.unordered), t.order), nil
}
