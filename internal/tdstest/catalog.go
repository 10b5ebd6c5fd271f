package tdstest

import (
	"strings"

	"github.com/leasetop/leasetop/model"
)

// Catalog answers what a probe asks about the columns of a table of the shipped schema
// and about its index in the order of claims. It knows the questions by the columns
// that they ask for; any other statement is not its own.
func Catalog(r Request, m *model.Mapping, now string) (answer Reply, own bool) {
	switch {
	case strings.Contains(r.Text, "AS [declared]"):
		set := Set{Columns: []string{"now", "name", "declared", "identity", "select", "update"}}
		for _, role := range model.Roles() {
			if c := m.Column(role); !c.IsZero() {
				identity := 0
				if role == model.RoleKey {
					identity = 1
				}
				set.Rows = append(set.Rows, []any{now, c.Name, c.Declared, identity, 1, 1})
			}
		}
		return Reply{set}, true
	case strings.Contains(r.Text, "AS [index]"):
		set := Set{Columns: []string{"now", "history", "index", "type", "name"}}
		for _, role := range []model.Role{model.RoleState, model.RolePriority, model.RoleAvailable, model.RoleKey} {
			set.Rows = append(set.Rows, []any{now, 0, 2, 2, m.Column(role).Name})
		}
		return Reply{set}, true
	}
	return nil, false
}
