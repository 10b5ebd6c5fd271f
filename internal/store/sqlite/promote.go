package sqlite

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// promote makes due jobs ready. Nobody holds them, so their token stays.
func promote(t table) (store.Stmt, error) { return t.change(t.promotion()) }

func (t table) promotion() change {
	available := t.ms(model.RoleAvailable)
	due := sqltext.Fill("{available} <= @now", sqltext.Holes{"available": available})
	return change{
		where: sqltext.List(and, t.in(model.Scheduled), due),
		take:  first(sqltext.List(", ", available, t.keys()), "limit"),
		state: t.state(model.Ready),
	}
}
