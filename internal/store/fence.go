package store

import (
	"errors"

	"github.com/leasetop/leasetop/model"
)

// Leased refuses a mapping that says of no claim until when it holds.
func Leased(m *model.Mapping) error {
	if m.Has(model.RoleLease) {
		return nil
	}
	return errors.New("the mapping names no lease column, so nothing tells a claim that holds from one that has run out")
}

// Fenced refuses a mapping whose claims carry no lease or no token that an act could
// replace.
func Fenced(m *model.Mapping) error {
	if m.Family == model.Unfenced {
		return errors.New(m.Danger())
	}
	if !m.Has(model.RoleToken) || !m.Has(model.RoleLease) {
		return errors.New("the mapping names no token and lease columns, so no step of a worker can be told from a stranger's")
	}
	if how, why := m.Column(model.RoleToken).Fence(); how == model.FenceNone {
		return errors.New(why)
	}
	return nil
}

// OurToken refuses a mapping whose workers make tokens of another type than ours do;
// made is what ours make on this engine.
func OurToken(m *model.Mapping, made string) error {
	if c := m.Column(model.RoleToken); c.Type != model.GUID {
		return errors.New("the token column " + c.Name + " is " + c.Declared + ": leasetop's own workers make " + made + " only")
	}
	return nil
}
