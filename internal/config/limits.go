package config

import (
	"errors"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/leasetop/leasetop/model"
)

// limits reads what needs a person: for each figure one limit, which is the bad
// one, or both steps as warn and bad.
func (d *decoder) limits(n *yaml.Node, what string) model.Limits {
	out := model.Limits{}
	var fields []field
	for _, m := range model.Measures() {
		fields = append(fields, field{string(m), func(n *yaml.Node) { out[m] = d.limit(n, what+": "+string(m), m) }})
	}
	d.object(n, what, fields...)
	return out
}

func (d *decoder) limit(n *yaml.Node, what string, m model.Measure) model.Limit {
	var l model.Limit
	if follow(n).Kind != yaml.MappingNode {
		l.Bad = d.amount(n, what, m)
		return l
	}
	d.object(n, what,
		field{"warn", func(n *yaml.Node) { l.Warn = d.amount(n, what+": warn", m) }},
		field{"bad", func(n *yaml.Node) { l.Bad = d.amount(n, what+": bad", m) }},
	)
	if l.Warn.Known && l.Bad.Known && l.Warn.N > l.Bad.N {
		d.fail(n, "the warning comes first, so it is the smaller one", "%s: warn lies above bad", what)
	}
	return l
}

func (d *decoder) amount(n *yaml.Node, what string, m model.Measure) model.Number {
	s, ok := d.text(n, what)
	if !ok {
		return model.Number{}
	}
	a, err := ParseAmount(m, s)
	if err != nil {
		d.fail(n, "", "%s cannot be %q: %s", what, s, err)
	}
	return a
}

// ParseAmount reads one step of a limit: a duration such as 5m for a time, else a
// whole number, 0 and up.
func ParseAmount(m model.Measure, s string) (model.Number, error) {
	if m.IsTime() {
		t, err := ParseSpan(s)
		if err != nil {
			return model.Number{}, errors.New(err.Error() + "; write it as 90s, 5m or 1h30m")
		}
		return model.NumberOf(t.Milliseconds()), nil
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64)
	if err != nil || n < 0 {
		return model.Number{}, errors.New("it is no whole number from 0 up")
	}
	return model.NumberOf(n), nil
}
