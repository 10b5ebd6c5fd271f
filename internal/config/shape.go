package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/leasetop/leasetop/model"
)

// none unmaps what a profile maps.
const none = "none"

// Shape is a mapping without its table: a profile, or what a queue of the
// configuration changes in one. Zero fields say nothing.
type Shape struct {
	Family  model.Family
	Lease   time.Duration
	History string // the history table, {table} standing for the queue's own name; "none": it has none
	Brake   string // the table of the brake, written like the history
	Keys    []model.Column
	Columns map[model.Role]model.Column // a zero Column unmaps the role
	States  map[model.State]string      // as the configuration writes it; "none" unmaps the state
	lane    lane                        // of a destructive queue
}

// ParseProfile reads one profile. The error is Problems.
func ParseProfile(file string, data []byte) (Shape, error) {
	d := &decoder{file: file}
	var s Shape
	if n := d.root(data); n != nil {
		d.object(n, "profile", d.shapeFields(&s)...)
	}
	if len(d.problems) == 0 {
		if _, err := s.Mapping("", "", model.Table{Name: "t"}); err != nil {
			d.fail(nil, "", "%s", err)
		}
	}
	return s, d.problems.err()
}

// shapeFields are the keys that a profile and a queue have in common.
func (d *decoder) shapeFields(s *Shape) []field {
	return append([]field{
		{"family", func(n *yaml.Node) { s.Family = d.family(n) }},
		{"lease", func(n *yaml.Node) { s.Lease = d.span(n, "lease") }},
		{"history", func(n *yaml.Node) { s.History = d.companion(n, "history") }},
		{"brake", func(n *yaml.Node) { s.Brake = d.companion(n, "brake") }},
		{"columns", func(n *yaml.Node) { d.columns(n, s) }},
		{"states", func(n *yaml.Node) { d.states(n, s) }},
	}, d.laneFields(s)...)
}

func (d *decoder) family(n *yaml.Node) model.Family {
	s, ok := d.text(n, "family")
	if !ok {
		return model.FamilyUnknown
	}
	switch s {
	case model.Fenced.String():
		return model.Fenced
	case model.Unfenced.String():
		return model.Unfenced
	case model.Destructive.String():
		return model.Destructive
	}
	d.fail(n, "write fenced, where a completion names its claim's token, unfenced, where it names the key alone, or destructive, where a dequeue is a DELETE", "family cannot be %q", s)
	return model.FamilyUnknown
}

// companion is the name of a table that goes with the queue's.
func (d *decoder) companion(n *yaml.Node, key string) string {
	s, ok := d.text(n, key)
	if !ok || s == none {
		return s
	}
	if _, err := ParseTable(s); err != nil {
		d.fail(n, "", "%s: %s", key, err)
	}
	return s
}

func (d *decoder) columns(n *yaml.Node, s *Shape) {
	s.Columns = map[model.Role]model.Column{}
	var names []string
	for _, r := range model.Roles() {
		names = append(names, string(r))
	}
	d.each(n, "columns", func(key, val *yaml.Node) {
		role := model.Role(key.Value)
		switch {
		case role == model.RoleKey:
			s.Keys = d.keys(val)
		case !slices.Contains(names, key.Value):
			d.fail(key, Meant(key.Value, names), "columns: unknown role %q", key.Value)
		default:
			s.Columns[role] = d.column(val, key.Value)
		}
	})
}

// keys reads one key column, or a list of them.
func (d *decoder) keys(n *yaml.Node) []model.Column {
	list := []*yaml.Node{n}
	if follow(n).Kind == yaml.SequenceNode {
		list = follow(n).Content
	}
	var cols []model.Column
	for _, c := range list {
		if col := d.column(c, "key"); !col.IsZero() {
			cols = append(cols, col)
		}
	}
	return cols
}

func (d *decoder) column(n *yaml.Node, role string) model.Column {
	s, ok := d.text(n, "columns: "+role)
	if !ok || s == none {
		return model.Column{}
	}
	c, err := parseColumn(s)
	if err != nil {
		d.fail(n, "", "columns: %s: %s", role, err)
	}
	return c
}

func (d *decoder) states(n *yaml.Node, s *Shape) {
	s.States = map[model.State]string{}
	var names []string
	for _, st := range model.States() {
		names = append(names, st.String())
	}
	owner := map[string]string{}
	d.each(n, "states", func(key, val *yaml.Node) {
		st, known := model.ParseState(key.Value)
		if !known {
			d.fail(key, Meant(key.Value, names), "states: unknown state %q", key.Value)
			return
		}
		v, ok := d.text(val, "states: "+key.Value)
		if other := owner[v]; ok && other != "" && v != none {
			d.fail(val, "each state needs a value of its own", "states: %s and %s are both %q", other, key.Value, v)
		}
		owner[v] = key.Value
		if ok {
			s.States[st] = v
		}
	})
}

// Over is the shape with what it says laid over a base.
func (s Shape) Over(base Shape) Shape {
	out := base
	out.Columns, out.States = maps.Clone(base.Columns), maps.Clone(base.States)
	if out.Columns == nil {
		out.Columns = map[model.Role]model.Column{}
	}
	if out.States == nil {
		out.States = map[model.State]string{}
	}
	maps.Copy(out.Columns, s.Columns)
	maps.Copy(out.States, s.States)
	if s.Family != model.FamilyUnknown {
		out.Family = s.Family
	}
	if s.Lease > 0 {
		out.Lease = s.Lease
	}
	if s.History != "" {
		out.History = s.History
	}
	if s.Brake != "" {
		out.Brake = s.Brake
	}
	if len(s.Keys) > 0 {
		out.Keys = s.Keys
	}
	out.lane = s.lane.over(base.lane)
	return out
}

// Mapping binds the shape to a table. It fails where the shape lacks what its
// family needs; the text says what.
func (s Shape) Mapping(profile, queue string, table model.Table) (model.Mapping, error) {
	m := model.Mapping{
		Queue: queue, Profile: profile, Family: s.Family, Table: table, Lease: s.Lease,
		Keys: slices.Clone(s.Keys), Columns: map[model.Role]model.Column{}, States: map[model.State]model.Value{},
	}
	for role, c := range s.Columns {
		if !c.IsZero() {
			m.Columns[role] = c
		}
	}
	if m.Family == model.Destructive {
		return m, s.destructive(&m, table)
	}
	if s.lane.said() {
		return model.Mapping{}, errors.New("order, mode and dead_letters belong to a destructive queue; write family: destructive")
	}
	if err := s.complete(&m); err != nil {
		return model.Mapping{}, err
	}
	if err := s.clocked(&m); err != nil {
		return model.Mapping{}, err
	}
	for st, v := range s.States {
		if v == none {
			continue
		}
		val, err := stateValue(m.Columns[model.RoleState].Type, v)
		if err != nil {
			return model.Mapping{}, fmt.Errorf("states: %s: %w", st, err)
		}
		m.States[st] = val
	}
	for _, st := range []model.State{model.Ready, model.Working} {
		if m.States[st].IsNull() {
			return model.Mapping{}, fmt.Errorf("states: %s has no value", st)
		}
	}
	m.History, m.Brake = companion(s.History, table), companion(s.Brake, table)
	return m, nil
}

func (s Shape) complete(m *model.Mapping) error {
	switch {
	case s.Family == model.FamilyUnknown:
		return errors.New("no family is given; write profile: lease to change single columns of that mapping, or family: fenced, unfenced or destructive for one of your own")
	case len(s.Keys) == 0:
		return errors.New("columns: key is not mapped")
	}
	for _, r := range []model.Role{model.RoleState, model.RoleToken, model.RoleLease} {
		if !m.Has(r) && (r != model.RoleToken || s.Family == model.Fenced) {
			return fmt.Errorf("columns: %s is not mapped, which %s queue needs", r, article(s.Family))
		}
	}
	if t := m.Column(model.RoleLease).Type; t != model.Time {
		return fmt.Errorf("columns: lease must be a date-time, not %s", m.Column(model.RoleLease).Declared)
	}
	for _, k := range s.Keys {
		if k.Type != model.Int && k.Type != model.Text && k.Type != model.GUID {
			return fmt.Errorf("columns: key must be an integer, text or uniqueidentifier, not %s", k.Declared)
		}
	}
	return nil
}

func article(f model.Family) string {
	if f == model.Unfenced {
		return "an unfenced"
	}
	return "a " + f.String()
}

func stateValue(t model.Type, s string) (model.Value, error) {
	switch t {
	case model.Text:
		return model.TextValue(s), nil
	case model.Int:
		k, err := model.ParseKey([]model.Column{{Name: "state", Type: model.Int}}, s)
		if err != nil {
			return model.Value{}, fmt.Errorf("%q is no whole number, as the state column holds", s)
		}
		return k.Values()[0], nil
	case model.Null, model.GUID, model.Time, model.Binary, model.Fraction, model.Opaque:
	}
	return model.Value{}, errors.New("the state column must be text or a whole number")
}

// companion puts the queue's own name into that of a table that goes with it.
func companion(name string, table model.Table) model.Table {
	if name == "" || name == none {
		return model.Table{}
	}
	h, err := ParseTable(name)
	if err != nil {
		return model.Table{} // reported where it was read
	}
	h.Name = strings.ReplaceAll(h.Name, "{table}", table.Name)
	if h.Schema == "" {
		h.Schema = table.Schema
	}
	return h
}
