package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// promote makes due jobs ready. Nobody holds them, so their token stays.
func promote(t table) (sqltext.Part, error) { return t.step(t.promotion()), nil }

func (t table) promotion() change {
	available := t.of("q", model.RoleAvailable)
	due := sqltext.Fill("{available} <= @at", sqltext.Holes{"available": available})
	return change{
		op:  store.OpPromote,
		set: []edit{{model.RoleState, t.state(model.Ready)}},
		batch: &batch{
			limit: sqltext.Arg("limit"), where: sqltext.List("\n      AND ", t.is("q", model.Scheduled), due),
			order: sqltext.List(", ", append([]sqltext.Part{available}, t.keys("q")...)...),
		},
	}
}
