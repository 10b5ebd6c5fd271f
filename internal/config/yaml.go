package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// decoder walks a YAML document and gathers every mistake with its place.
type decoder struct {
	file     string
	problems Problems
	path     []string       // the keys that lead to where it is
	lines    map[string]int // the line of every key that was read, by its path
}

// field is one key that an object may have.
type field struct {
	name string
	read func(*yaml.Node)
}

// root parses the document. It returns nil for an empty document and after a
// mistake that leaves no document to walk.
func (d *decoder) root(data []byte) *yaml.Node {
	if strings.TrimSpace(string(data)) == "" {
		return nil
	}
	var doc yaml.Node
	err := yaml.Load(data, &doc)
	var one *yaml.LoadError
	var many *yaml.LoadErrors
	switch {
	case errors.As(err, &one):
		d.syntax(one)
	case errors.As(err, &many):
		for _, e := range many.Errors {
			d.syntax(e)
		}
	case err != nil:
		d.problems = append(d.problems, Problem{File: d.file, Text: "not YAML: " + err.Error()})
	case len(doc.Content) == 1:
		return doc.Content[0]
	}
	return nil
}

// syntax notes a mistake of the YAML itself. A file of comments alone is empty and
// not wrong.
func (d *decoder) syntax(e *yaml.LoadError) {
	text := strings.TrimPrefix(e.Message, "yaml: ")
	if strings.Contains(text, "no documents") {
		return
	}
	d.problems = append(d.problems, Problem{File: d.file, Line: e.Mark.Line, Col: e.Mark.Column, Text: "not YAML: " + text})
}

func (d *decoder) fail(n *yaml.Node, cure, format string, args ...any) {
	p := Problem{File: d.file, Text: fmt.Sprintf(format, args...), Cure: cure}
	if n != nil {
		p.Line, p.Col = n.Line, n.Column
	}
	d.problems = append(d.problems, p)
}

// follow resolves an alias.
func follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// each calls fn for every key of a mapping and reports keys given twice.
func (d *decoder) each(n *yaml.Node, what string, fn func(key, val *yaml.Node)) {
	n = follow(n)
	if n.Kind != yaml.MappingNode {
		if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
			return
		}
		d.fail(n, "indent them below it", "%s must be a list of \"key: value\" lines", what)
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		if line, twice := seen[key.Value]; twice {
			d.fail(key, "remove one of them", "%s: %q stands twice, first in line %d", what, key.Value, line)
			continue
		}
		seen[key.Value] = key.Line
		d.within(key, func() { fn(key, val) })
	}
}

// within notes where a key stands while what is below it is read.
func (d *decoder) within(key *yaml.Node, read func()) {
	if d.lines == nil {
		d.lines = map[string]int{}
	}
	d.path = append(d.path, key.Value)
	d.lines[pathOf(d.path...)] = key.Line
	read()
	d.path = d.path[:len(d.path)-1]
}

// has reports whether a key stands below where it is.
func (d *decoder) has(key string) bool {
	_, ok := d.lines[pathOf(append(slices.Clone(d.path), key)...)]
	return ok
}

// object reads the known keys of a mapping and reports the others.
func (d *decoder) object(n *yaml.Node, what string, fields ...field) {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	d.each(n, what, func(key, val *yaml.Node) {
		for _, f := range fields {
			if f.name == key.Value {
				f.read(val)
				return
			}
		}
		d.fail(key, Meant(key.Value, names), "%s: unknown key %q", what, key.Value)
	})
}

// text reads a scalar as it is written; YAML's own types do not matter.
func (d *decoder) text(n *yaml.Node, what string) (string, bool) {
	n = follow(n)
	switch {
	case n.Kind != yaml.ScalarNode:
		d.fail(n, "", "%s must be one value", what)
	case n.Tag == "!!null" || n.Value == "":
		d.fail(n, "give it one or remove the key", "%s has no value", what)
	default:
		return n.Value, true
	}
	return "", false
}

func (d *decoder) flag(n *yaml.Node, what string) bool {
	s, ok := d.text(n, what)
	switch s {
	case "true":
		return true
	case "false":
		return false
	}
	if ok {
		d.fail(n, "write true or false", "%s cannot be %q", what, s)
	}
	return false
}

// span reads a positive duration such as 5m or 1m30s.
func (d *decoder) span(n *yaml.Node, what string) time.Duration {
	s, ok := d.text(n, what)
	if !ok {
		return 0
	}
	t, err := ParseSpan(s)
	if err != nil {
		d.fail(n, "write it as 500ms, 2s, 5m or 1h30m", "%s cannot be %q: %s", what, s, err)
	}
	return t
}

// ParseSpan reads a positive duration such as 5m or 1m30s.
func ParseSpan(s string) (time.Duration, error) {
	t, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return 0, errors.New("it is not a duration with its unit")
	case t <= 0:
		return 0, errors.New("it is not positive")
	}
	return t, nil
}
