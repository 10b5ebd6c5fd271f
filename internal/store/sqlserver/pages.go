package sqlserver

import (
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

// ready lists the ready jobs in the order in which they would be claimed.
func ready(t table) (sqltext.Part, error) {
	return t.list(t.in(model.Ready, !t.f.unordered), t.order), nil
}
