package config

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Print writes the effective configuration as a file that says the same, each
// value with where it came from, and no secret.
func (c *Config) Print(w io.Writer) error {
	p := &printer{origins: c.Origins, builtin: c.builtin}
	p.value(0, text.Span(c.Poll), "poll")
	p.value(0, orAuto(c.Theme), "theme")
	p.value(0, strconv.FormatBool(c.ASCII), "ascii")
	p.value(0, strconv.FormatBool(c.Payloads), "record_payloads")
	p.limits(0, c.Limits, nil, "limits")
	if len(c.Servers) > 0 {
		p.open(0, "servers", "")
	}
	for _, s := range c.Servers {
		p.server(s)
	}
	if len(c.Queues) > 0 {
		p.open(0, "queues", "")
	}
	for _, q := range c.Queues {
		p.queue(q, c.Limits)
	}
	return p.flush(w)
}

func orAuto(theme string) string {
	if theme == "" {
		return "auto"
	}
	return theme
}

// printer gathers lines and lines up what they say of their origin.
type printer struct {
	origins Origins
	builtin map[string]Shape
	lines   [][2]string // the line, and where its value came from
}

func (p *printer) line(depth int, key, value, from string) {
	s := strings.Repeat("  ", depth) + quoted(key) + ":"
	if value != "" {
		s += " " + value
	}
	p.lines = append(p.lines, [2]string{s, from})
}

func (p *printer) open(depth int, key, from string) { p.line(depth, key, "", from) }

// value writes a value with the origin of its path, whose last key is its own.
func (p *printer) value(depth int, value string, path ...string) {
	p.line(depth, path[len(path)-1], value, p.origins.Of(path...))
}

func (p *printer) flush(w io.Writer) error {
	width := 0
	for _, l := range p.lines {
		width = max(width, text.Width(l[0]))
	}
	var b strings.Builder
	for _, l := range p.lines {
		if l[1] == "" {
			b.WriteString(l[0] + "\n")
			continue
		}
		b.WriteString(text.PadRight(l[0], width) + "  # " + text.Clean(l[1]) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *printer) server(s Server) {
	at := func(key string) []string { return []string{"servers", s.Name, key} }
	p.open(1, s.Name, "")
	p.value(2, quoted(s.Target.DSN()), at("dsn")...)
	if s.Target.Engine == EngineSQLite {
		p.line(2, "control", "true", fromEngine)
		p.line(2, "dev", "true", fromEngine)
	} else {
		p.value(2, strconv.FormatBool(s.Control), at("control")...)
		p.value(2, strconv.FormatBool(s.Dev), at("dev")...)
	}
	if s.Print {
		p.value(2, "true", at("print_only")...)
	}
	if s.Color != "" {
		p.value(2, quoted(s.Color), at("color")...)
	}
	for _, secret := range []struct{ key, value string }{
		{"password_env", quoted(s.PasswordEnv)}, {"password_file", quoted(s.PasswordFile)}, {"password_command", list(s.PasswordCommand)},
	} {
		if secret.value != "" {
			p.value(2, secret.value, at(secret.key)...)
		}
	}
}

func (p *printer) queue(q Queue, base model.Limits) {
	m := &q.Mapping
	at := func(keys ...string) []string { return append([]string{"queues", m.Queue}, keys...) }
	p.open(1, m.Queue, "")
	p.value(2, quoted(q.Server), at("server")...)
	p.value(2, quoted(m.Table.String()), at("table")...)
	shape, ours := p.builtin[m.Profile]
	if ours {
		p.value(2, quoted(m.Profile), at("profile")...)
	}
	// What the queue does not say itself came from its profile.
	profile := "profile " + m.Profile
	said := func(depth int, value string, keys ...string) {
		from := p.origins.Of(at(keys...)...)
		if from == fromDefault {
			from = profile
		}
		p.line(depth, keys[len(keys)-1], value, from)
	}
	said(2, m.Family.String(), "family")
	if m.IsDestructive() {
		p.lane(m, said)
	} else {
		p.leases(m, said)
	}
	if m.AllowScan {
		p.value(2, "true", at("allow_scan")...)
	}
	p.limits(2, q.Limits, base, at("limits")...)
	p.shape(m, shape, said)
}

// lane writes what only a destructive queue has.
func (p *printer) lane(m *model.Mapping, said func(depth int, value string, keys ...string)) {
	dead := none
	if !m.Lane.Dead.IsZero() {
		dead = quoted(m.Lane.Dead.String())
	}
	said(2, m.Lane.Order.String(), "order")
	said(2, m.Lane.Clock.String(), "clock")
	said(2, m.Lane.Mode.String(), "mode")
	said(2, dead, "dead_letters")
}

// leases writes what only a queue with leases has.
func (p *printer) leases(m *model.Mapping, said func(depth int, value string, keys ...string)) {
	if m.Lease > 0 {
		said(2, text.Span(m.Lease), "lease")
	} else {
		p.line(2, "lease", text.Span(m.UsualLease()), fromDefault)
	}
	for _, x := range []struct {
		key   string
		table model.Table
	}{{"history", m.History}, {"brake", m.Brake}} {
		name := none
		if !x.table.IsZero() {
			name = quoted(x.table.String())
		}
		said(2, name, x.key)
	}
	if !m.InUTC() {
		said(2, clockText(m), "clock")
	}
}

// shape writes which column plays which role and which value means which state;
// said writes a value with its origin.
func (p *printer) shape(m *model.Mapping, shape Shape, said func(depth int, value string, keys ...string)) {
	p.open(2, "columns", "")
	for _, r := range model.Roles() {
		switch {
		case m.Has(r):
			said(3, columnText(m, r), "columns", string(r))
		case !shape.Columns[r].IsZero():
			said(3, none, "columns", string(r))
		}
	}
	if m.IsDestructive() {
		return
	}
	p.open(2, "states", "")
	for _, s := range model.States() {
		switch v := m.States[s]; {
		case !v.IsNull():
			said(3, quoted(v.Text), "states", s.String())
		case shape.States[s] != "":
			said(3, none, "states", s.String())
		}
	}
}

// limits writes the limits below a path; those that are the base's own have its
// origin.
func (p *printer) limits(depth int, l, base model.Limits, path ...string) {
	if len(l) == 0 {
		return
	}
	p.open(depth, path[len(path)-1], "")
	for _, m := range model.Measures() {
		one, ok := l[m]
		if !ok {
			continue
		}
		from := p.origins.Of(append(slices.Clone(path), string(m))...)
		if from == fromDefault && base[m] == one {
			from = p.origins.Of("limits", string(m))
		}
		var steps []string
		for _, s := range []struct {
			name string
			n    model.Number
		}{{"warn", one.Warn}, {"bad", one.Bad}} {
			if s.n.Known {
				steps = append(steps, s.name+": "+Amount(m, s.n.N))
			}
		}
		p.line(depth+1, string(m), "{"+strings.Join(steps, ", ")+"}", from)
	}
}

// Amount writes one step of a limit as it is configured.
func Amount(m model.Measure, n int64) string {
	if m.IsTime() {
		return text.Span(time.Duration(n) * time.Millisecond)
	}
	return strconv.FormatInt(n, 10)
}

func columnText(m *model.Mapping, r model.Role) string {
	if r != model.RoleKey || len(m.Keys) == 1 {
		return quoted(written(m.Column(r)))
	}
	var all []string
	for _, k := range m.Keys {
		all = append(all, written(k))
	}
	return list(all)
}

// written is a column as parseColumn reads it.
func written(c model.Column) string {
	name := c.Name
	if strings.ContainsAny(name, " .[]\t") {
		name = "[" + strings.ReplaceAll(name, "]", "]]") + "]"
	}
	return name + " " + c.Declared
}

// quoted writes a scalar that YAML reads back as it is.
func quoted(s string) string {
	if s == "" || plain(s) {
		return s
	}
	return strconv.Quote(s)
}

// plain reports whether a scalar needs no quotes: letters, digits and what cannot
// be taken for YAML's own signs.
func plain(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		inner := r >= '0' && r <= '9' || strings.ContainsRune("_-./@?=&+()", r)
		if !letter && (i == 0 || !inner) && !(i == 0 && (r == '/' || r == '.')) {
			return false
		}
	}
	return !slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(s))
}

func list(words []string) string {
	if len(words) == 0 {
		return ""
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strconv.Quote(w)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
