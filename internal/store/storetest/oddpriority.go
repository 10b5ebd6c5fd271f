package storetest

import (
	"strconv"

	"github.com/leasetop/leasetop/model"
)

// WithPriority maps a priority column of a table that has one.
func (o Odd) WithPriority(name string) Odd {
	o.Mapping.Columns[model.RolePriority] = model.Column{Name: name, Type: model.Int}
	return o
}

// priorities holds the oldest job of each priority to the rows, where some have none:
// those come first, and hide neither themselves nor the others.
func (e *odd) priorities() {
	if !e.Mapping.Has(model.RolePriority) {
		return
	}
	look := func(want ...model.Oldest) {
		e.Helper()
		p, _, err := e.q.Pulse(e.Context(), model.PulseAsk{})
		if err != nil || p.Oldest == nil || p.Oldest.Key != model.KeyOf(model.IntValue(oddReady)) {
			e.Fatalf("oldest of all: %+v, %v", p.Oldest, err)
		}
		got := p.ByPriority
		for len(got) > 0 && len(want) > 0 && got[0].Key == want[0].Key && got[0].Priority == want[0].Priority {
			got, want = got[1:], want[1:]
		}
		if len(got)+len(want) > 0 {
			e.Errorf("oldest by priority: %+v, want %+v", got, want)
		}
	}
	look() // where no job has a priority, as in a table without
	column := e.Quote(e.Mapping.Column(model.RolePriority).Name)
	all := []model.Oldest{{Key: model.KeyOf(model.IntValue(oddReady))}}
	for i := range int64(9) {
		key, priority := 1000-i, i
		e.put(key, model.Ready, "", "")
		e.put(key+1000, model.Ready, "", "")
		e.exec("UPDATE " + e.Table + " SET " + column + " = " + strconv.FormatInt(priority, 10) +
			" WHERE " + e.Quote(e.Mapping.Keys[0].Name) + " IN (" + strconv.FormatInt(key, 10) + ", " + strconv.FormatInt(key+1000, 10) + ")")
		if i < 8 {
			all = append(all, model.Oldest{Key: model.KeyOf(model.IntValue(key)), Priority: model.NumberOf(priority)})
		}
	}
	look(all...)
	e.exec("DELETE FROM " + e.Table + " WHERE " + column + " IS NOT NULL")
}
