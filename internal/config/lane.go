package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/leasetop/leasetop/model"
)

// lane is what a shape says of a destructive queue. Nil and empty fields say
// nothing.
type lane struct {
	order *model.Order
	clock model.Clock
	ahead time.Duration // of a fixed clock
	mode  model.Mode
	dead  string // the table of dead letters, {table} standing for the queue's own name; "none": it has none
}

// laneFields are the keys that only a destructive queue has.
func (d *decoder) laneFields(s *Shape) []field {
	return []field{
		{"order", func(n *yaml.Node) {
			if o, ok := word(d, n, "order", model.Orders()); ok {
				s.lane.order = &o
			}
		}},
		{"clock", func(n *yaml.Node) { s.lane.clock, s.lane.ahead = d.clock(n) }},
		{"mode", func(n *yaml.Node) { s.lane.mode, _ = word(d, n, "mode", append(model.Modes(), model.ModeUnknown)) }},
		{"dead_letters", func(n *yaml.Node) { s.lane.dead = d.companion(n, "dead_letters") }},
	}
}

// word reads one of a few words.
func word[T fmt.Stringer](d *decoder, n *yaml.Node, what string, all []T) (one T, ok bool) {
	s, ok := d.text(n, what)
	if !ok {
		return one, false
	}
	names := make([]string, len(all))
	for i, w := range all {
		if names[i] = w.String(); names[i] == s {
			return w, true
		}
	}
	d.fail(n, "write "+strings.Join(names[:len(names)-1], ", ")+" or "+names[len(names)-1], "%s cannot be %q", what, s)
	return one, false
}

// over is the lane with what it says laid over a base.
func (l lane) over(base lane) lane {
	if l.order != nil {
		base.order = l.order
	}
	if l.clock != model.ClockUnknown {
		base.clock, base.ahead = l.clock, l.ahead
	}
	if l.mode != model.ModeUnknown {
		base.mode = l.mode
	}
	if l.dead != "" {
		base.dead = l.dead
	}
	return base
}

// said reports whether the shape says anything that only a destructive queue has.
func (l lane) said() bool {
	l.clock, l.ahead = model.ClockUnknown, 0
	return l != lane{}
}

// clock reads what times are written by: a word, or how far ahead of UTC it is.
func (d *decoder) clock(n *yaml.Node) (model.Clock, time.Duration) {
	s, ok := d.text(n, "clock")
	if !ok {
		return model.ClockUnknown, 0
	}
	for _, c := range model.Clocks() {
		if c.String() == s {
			return c, 0
		}
	}
	at, err := time.Parse("-07:00", s)
	if err != nil {
		d.fail(n, `write utc, local, offset or a constant offset such as "+02:00"`, "clock cannot be %q", s)
		return model.ClockUnknown, 0
	}
	_, seconds := at.Zone()
	return model.ClockFixed, time.Duration(seconds) * time.Second
}

// clockText is a fenced queue's clock as a file says it.
func clockText(m *model.Mapping) string {
	if m.Clock != model.ClockFixed {
		return m.Clock.String()
	}
	return quoted(time.Time{}.In(time.FixedZone("", int(m.Ahead/time.Second))).Format("-07:00"))
}

// clocked gives the mapping of a fenced queue its clock.
func (s Shape) clocked(m *model.Mapping) error {
	m.Clock, m.Ahead = s.lane.clock, s.lane.ahead
	if m.Clock == model.ClockOffset {
		return errors.New("clock: leave it out where the columns are datetimeoffset: they carry their offset")
	}
	for r, c := range m.Columns {
		if !m.InUTC() && strings.HasPrefix(strings.ToLower(c.Declared), "datetimeoffset") {
			return fmt.Errorf("clock: %s is %s, which carries its own offset (%s)", c.Name, c.Declared, r)
		}
	}
	return nil
}

// destructive completes the mapping of a destructive queue: a row is its values,
// so there are no states, no tokens and no leases to map.
func (s Shape) destructive(m *model.Mapping, table model.Table) error {
	m.Lane = model.Lane{Clock: s.lane.clock, Mode: s.lane.mode, Dead: companion(s.lane.dead, table)}
	if s.lane.order != nil {
		m.Lane.Order = *s.lane.order
	}
	by := m.Column(model.RoleEnqueued)
	named := func(c model.Column) bool {
		return slices.ContainsFunc(m.Keys, func(k model.Column) bool { return strings.EqualFold(k.Name, c.Name) })
	}
	switch {
	case len(m.Keys) == 0:
		return errors.New("columns: key is not mapped; a destructive queue lists all columns of its table there")
	case s.lane.order == nil:
		return errors.New("no order is given; write order: fifo, lifo or none")
	case m.Lane.Order != model.OrderNone && by.IsZero():
		return fmt.Errorf("columns: enqueued is not mapped; order %s goes by it", m.Lane.Order)
	case !by.IsZero() && by.Type != model.Time && by.Type != model.Int:
		return fmt.Errorf("columns: enqueued must be a date-time or a whole number, not %s", by.Declared)
	case by.Type == model.Time && m.Lane.Clock == model.ClockUnknown:
		return fmt.Errorf("no clock is given; write clock: utc, local or offset: nothing in the table tells by what %s is written", by.Name)
	case m.Lane.Clock == model.ClockFixed:
		return errors.New("clock: a destructive queue's is utc, local or offset")
	case m.Lane.Clock == model.ClockOffset && !strings.HasPrefix(strings.ToLower(by.Declared), "datetimeoffset"):
		return fmt.Errorf("clock offset needs a datetimeoffset: %s is %s", by.Name, by.Declared)
	}
	for _, r := range model.Roles() {
		c := m.Column(r)
		switch {
		case r == model.RoleKey || c.IsZero():
		case r != model.RoleEnqueued && r != model.RolePayload:
			return fmt.Errorf("columns: %s has no meaning in a destructive queue, which has only key, enqueued and payload", r)
		case !named(c):
			return fmt.Errorf("columns: %s is %s, which the list key does not have; it names all columns", r, c.Name)
		}
	}
	if len(s.States) > 0 {
		return errors.New("states: a destructive queue has none: a row that is there is ready")
	}
	return nil
}

// laneEntries are the keys that only a destructive queue has.
func laneEntries(add adder, at string) {
	add(at+" order", "word", "", "Of a destructive queue: fifo, lifo or none, by the column that plays enqueued.", "fifo").Aside = true
	add(at+" clock", "word", "utc", "What the table's times are written by: utc, local (the server's), or a constant offset such as \"+02:00\"; of a destructive queue utc, local or offset, and one must be named. Nothing in the table tells.", "local").Aside = true
	add(at+" mode", "word", "unknown", "Of a destructive queue: autocommit, where a crash loses the rows in work, or transaction, where it brings them back.", "autocommit").Aside = true
	add(at+" dead_letters", "text", "", "Of a destructive queue: the table of its dead letters, with its columns and DeadAt, Reason, Actor, Login and ActionId, written like the history.", "\"{table}_Dead\"").Aside = true
}
