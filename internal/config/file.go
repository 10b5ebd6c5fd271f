package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/leasetop/leasetop/model"
)

// File is a configuration file as it was read.
type File struct {
	Path     string
	Theme    string
	Poll     time.Duration
	ASCII    bool
	Payloads bool
	Limits   model.Limits // of queues that have none of their own
	Servers  []Server
	Queues   []Queue

	lines map[string]int // where each key stands, by its path
}

// Server is one DSN without its table: the unit of connections, rights and
// production marks.
type Server struct {
	Name    string
	Target  Target
	Control bool   // operators' acts are allowed
	Dev     bool   // not production
	Print   bool   // operators' acts are only printed, never sent
	Color   string // marks the server's queues on the screen: a name of ColorNames; empty: none

	PasswordEnv, PasswordFile string
	PasswordCommand           []string
}

// Queue is one queue of a server, its mapping complete.
type Queue struct {
	Server  string
	Mapping model.Mapping
	Limits  model.Limits
}

// rawQueue is a queue before its profile is known.
type rawQueue struct {
	name, server, profile string
	at                    map[string]*yaml.Node // where its keys' values stand; "" is the queue itself
	table                 model.Table
	shape                 Shape
	limits                model.Limits
	scan                  bool // it is watched even where only reading the whole table gives its figures
	shaped                bool // it names a profile or has columns of its own
	broken                bool // it has mistakes of its own, beside which it cannot be put together
}

// place is where a key's value stands, or the queue itself.
func (q *rawQueue) place(key string) *yaml.Node {
	if n := q.at[key]; n != nil {
		return n
	}
	return q.at[""]
}

// Read reads a configuration file. builtin are the profiles that a queue may
// name beside the file's own. The error is Problems.
func Read(path string, builtin map[string]Shape) (*File, error) {
	data, err := readBounded(path)
	if err != nil {
		text, cure := "cannot be read: "+err.Error(), ""
		var pe *fs.PathError
		if errors.As(err, &pe) {
			text = "cannot be read: " + pe.Err.Error()
		}
		if errors.Is(err, fs.ErrNotExist) {
			text, cure = "there is no such configuration file", "name another with --config"
		}
		return nil, Problems{{File: path, Text: text, Cure: cure}}
	}
	return Parse(path, data, builtin)
}

// Parse reads the text of a configuration file.
func Parse(path string, data []byte, builtin map[string]Shape) (*File, error) {
	d := &decoder{file: path}
	f := &File{Path: path}
	root := d.root(data)
	if root == nil {
		return f, d.problems.err()
	}
	profiles := map[string]Shape{}
	maps.Copy(profiles, builtin)
	var queues []rawQueue
	d.object(root, "configuration", d.fileFields(f, profiles, builtin, &queues)...)
	for _, q := range queues {
		d.bind(f, q, profiles)
	}
	f.lines = d.lines
	return f, d.problems.err()
}

// fileFields are the keys at the top of a file.
func (d *decoder) fileFields(f *File, profiles, builtin map[string]Shape, queues *[]rawQueue) []field {
	return []field{
		{"theme", func(n *yaml.Node) { f.Theme = d.oneOf(n, "theme", "unknown theme", ThemeNames()) }},
		{"poll", func(n *yaml.Node) { f.Poll = d.span(n, "poll") }},
		{"ascii", func(n *yaml.Node) { f.ASCII = d.flag(n, "ascii") }},
		{"record_payloads", func(n *yaml.Node) { f.Payloads = d.flag(n, "record_payloads") }},
		{"limits", func(n *yaml.Node) { f.Limits = d.limits(n, "limits") }},
		{"servers", func(n *yaml.Node) {
			d.each(n, "servers", func(k, v *yaml.Node) { f.Servers = append(f.Servers, d.server(k, v)) })
		}},
		{"profiles", func(n *yaml.Node) {
			d.each(n, "profiles", func(k, v *yaml.Node) { d.profile(k, v, profiles, builtin) })
		}},
		{"queues", func(n *yaml.Node) {
			d.each(n, "queues", func(k, v *yaml.Node) { *queues = append(*queues, d.queue(k, v)) })
		}},
	}
}

func (d *decoder) server(key, n *yaml.Node) Server {
	s := Server{Name: key.Value}
	what := "server " + key.Value
	d.object(n, what, d.serverFields(&s)...)
	if !d.has("dsn") {
		d.fail(key, "write dsn: sqlserver://user@host?database=name, or dsn: sqlite:PATH", "%s has no dsn", what)
	}
	if s.Target.Engine == EngineSQLite {
		s.Dev = true // a file of one's own is never production
	}
	return s
}

// serverFields are the keys of a server.
func (d *decoder) serverFields(s *Server) []field {
	what := "server " + s.Name
	return []field{
		{"dsn", func(n *yaml.Node) {
			text, ok := d.text(n, what+": dsn")
			if !ok {
				return
			}
			t, err := ParseDSN(text)
			if err != nil {
				d.fail(n, "", "%s: dsn: %s", what, err)
			}
			s.Target = t
		}},
		{"control", func(n *yaml.Node) { s.Control = d.flag(n, what+": control") }},
		{"print_only", func(n *yaml.Node) { s.Print = d.flag(n, what+": print_only") }},
		{"dev", func(n *yaml.Node) { s.Dev = d.flag(n, what+": dev") }},
		{"color", func(n *yaml.Node) { s.Color = d.color(n, what+": color") }},
		{"password_env", func(n *yaml.Node) { s.PasswordEnv, _ = d.text(n, what+": password_env") }},
		{"password_file", func(n *yaml.Node) { s.PasswordFile, _ = d.text(n, what+": password_file") }},
		{"password_command", func(n *yaml.Node) { s.PasswordCommand = d.argv(n, what+": password_command") }},
	}
}

// argv reads a command as a list of its words; no shell takes part.
func (d *decoder) argv(n *yaml.Node, what string) []string {
	if follow(n).Kind != yaml.SequenceNode || len(follow(n).Content) == 0 {
		d.fail(n, "write [program, argument, …]", "%s must be a list of words", what)
		return nil
	}
	var words []string
	for _, c := range follow(n).Content {
		w, _ := d.text(c, what)
		words = append(words, w)
	}
	return words
}

func (d *decoder) profile(key, n *yaml.Node, profiles, builtin map[string]Shape) {
	if _, taken := builtin[key.Value]; taken {
		d.fail(key, "give it another name", "profile %q is built in", key.Value)
		return
	}
	var s Shape
	before := len(d.problems)
	d.object(n, "profile "+key.Value, d.shapeFields(&s)...)
	if len(d.problems) == before {
		if _, err := s.Mapping(key.Value, "", model.Table{Name: "t"}); err != nil {
			d.fail(key, "", "profile %s: %s", key.Value, err)
		}
	}
	profiles[key.Value] = s
}

func (d *decoder) queue(key, n *yaml.Node) rawQueue {
	q := rawQueue{name: key.Value, at: map[string]*yaml.Node{"": key}}
	what := "queue " + key.Value
	before := len(d.problems)
	var table string
	d.object(n, what, d.queueFields(&q, &table)...)
	if table != "" {
		t, err := ParseTable(table)
		if err != nil {
			d.fail(q.place("table"), "", "%s: %s", what, err)
		}
		q.table = t
	}
	q.shaped = q.at["profile"] != nil || d.has("columns")
	q.broken = len(d.problems) > before
	return q
}

// queueFields are the keys of a queue.
func (d *decoder) queueFields(q *rawQueue, table *string) []field {
	what := "queue " + q.name
	word := func(name string, into *string) field {
		return field{name, func(n *yaml.Node) {
			q.at[name] = n
			*into, _ = d.text(n, what+": "+name)
		}}
	}
	fields := []field{
		word("server", &q.server), word("profile", &q.profile), word("table", table),
		{"limits", func(n *yaml.Node) { q.limits = d.limits(n, what+": limits") }},
		{"allow_scan", func(n *yaml.Node) { q.scan = d.flag(n, what+": allow_scan") }},
	}
	return append(fields, d.shapeFields(&q.shape)...)
}

// bind completes a queue by its server and its profile.
func (d *decoder) bind(f *File, q rawQueue, profiles map[string]Shape) {
	what := "queue " + q.name
	before := len(d.problems)
	server := d.serverOf(f, q)
	switch {
	case q.shaped:
	case q.shape.Family == model.Destructive:
		d.fail(q.place(""), "write profile: destructive, or a columns list of your own", "%s has no profile", what)
	default: // as for --table
		q.profile = DefaultProfile
	}
	base, known := profiles[q.profile]
	if q.profile != "" && !known {
		d.fail(q.place("profile"), Meant(q.profile, names(profiles)), "%s: unknown profile %q", what, q.profile)
	}
	if q.at["table"] == nil {
		d.fail(q.place(""), "write table: dbo.QueueDemo", "%s has no table", what)
	}
	if q.broken || len(d.problems) > before || server.Target.Engine == "" {
		return
	}
	m, err := Bind(server.Target.Engine, q.shape.Over(base), q.profile, q.name, q.table)
	if err != nil {
		d.fail(q.place("table"), "", "%s: %s", what, err)
	}
	m.AllowScan = q.scan
	f.Queues = append(f.Queues, Queue{Server: server.Name, Mapping: m, Limits: q.limits.Over(f.Limits)})
}

// serverOf finds the server that a queue names, or the only one.
func (d *decoder) serverOf(f *File, q rawQueue) Server {
	known := make([]string, len(f.Servers))
	for i, s := range f.Servers {
		known[i] = s.Name
		if s.Name == q.server || (q.server == "" && len(f.Servers) == 1) {
			return s
		}
	}
	switch {
	case len(known) == 0:
		d.fail(q.place("server"), "write servers: with a name and a dsn", "queue %s: the file has no servers", q.name)
	case q.server == "":
		d.fail(q.place(""), "write server: with one of its names", "queue %s does not say which of the %d servers it is on", q.name, len(known))
	default:
		d.fail(q.place("server"), Meant(q.server, known), "queue %s: unknown server %q", q.name, q.server)
	}
	return Server{}
}

// Bind gives a shape its table on an engine: a server's table without a schema is
// in dbo, an embedded one has none.
func Bind(engine string, s Shape, profile, queue string, t model.Table) (model.Mapping, error) {
	switch {
	case engine == EngineSQLServer && t.Schema == "":
		t.Schema = "dbo"
	case engine == EngineSQLite && t.Schema != "":
		return model.Mapping{}, fmt.Errorf("table %s: an embedded table has no schema; write %s", t, model.Table{Name: t.Name})
	}
	if queue == "" {
		queue = t.Name
	}
	return s.Mapping(profile, queue, t)
}

func names(m map[string]Shape) []string { return slices.Sorted(maps.Keys(m)) }
