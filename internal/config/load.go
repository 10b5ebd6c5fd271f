package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/leasetop/leasetop/model"
)

// What holds where nothing else is said.
const (
	DefaultPoll    = 2 * time.Second
	DefaultProfile = "lease"
)

// The environment variables that are read.
const (
	EnvDSN      = "LEASETOP_DSN"
	EnvPassword = "LEASETOP_PASSWORD"
	EnvConfig   = "LEASETOP_CONFIG"
	EnvTheme    = "LEASETOP_THEME"
	EnvPoll     = "LEASETOP_POLL"
	EnvASCII    = "LEASETOP_ASCII"
	EnvPayloads = "LEASETOP_RECORD_PAYLOADS"
)

// Flags is what the command line said; zero fields say nothing.
type Flags struct {
	Config, DSN, Profile, Theme string
	Tables                      []string
	Queues                      []string // named as arguments; beside a DSN without a table they name tables
	Poll                        time.Duration
	Control, Dev, ASCII         bool
	Print, AllowScan, Payloads  bool
}

// Sources is where a configuration comes from, the weakest first: the default
// file, the environment, the command line.
type Sources struct {
	Default string              // the file that is read when none is named; it may be absent
	Exists  func(string) bool   // whether Default is there
	Env     func(string) string // the environment
	Flags   Flags
	Builtin map[string]Shape
}

// Config is what all sources come to.
type Config struct {
	Theme    string
	Poll     time.Duration
	ASCII    bool
	Payloads bool // those that are read are kept, for the past and what is recorded
	Servers  []Server
	Queues   []Queue      // none: nothing is configured
	Limits   model.Limits // of queues that have none of their own
	File     string       // the file that was read, empty when none was
	Named    string       // the file that was asked for by name, empty when none was
	Origins  Origins
	Warnings []string

	builtin map[string]Shape
}

// Server finds a queue's server.
func (c *Config) Server(q Queue) Server {
	for _, s := range c.Servers {
		if s.Name == q.Server {
			return s
		}
	}
	return Server{}
}

// Load puts the sources together. A DSN on the command line wins over a file
// named there, that over a DSN in the environment, and that over the default
// file; what was named and cannot be read is an error.
func Load(src Sources) (*Config, error) {
	c := &Config{Poll: DefaultPoll, Named: src.Flags.Config, Origins: Origins{}, builtin: src.Builtin}
	dsn, origin := src.Flags.DSN, "--dsn"
	file := src.Flags.Config
	if dsn == "" && file == "" {
		dsn, origin = src.Env(EnvDSN), EnvDSN
		file = src.Env(EnvConfig)
		c.Named = file
		if file == "" && src.Default != "" && src.Exists(src.Default) {
			file = src.Default
		}
	}
	if file != "" {
		f, err := Read(file, src.Builtin)
		if err != nil {
			return nil, err
		}
		c.Theme, c.ASCII, c.Payloads, c.Servers, c.Queues, c.Limits = f.Theme, f.ASCII, f.Payloads, f.Servers, f.Queues, f.Limits
		if f.Poll > 0 {
			c.Poll = f.Poll
		}
		c.File = file
		c.Origins.file(file, f.lines)
	}
	if why, ok := noGlyphs(src.Env); ok && c.Origins.Of("ascii") == fromDefault {
		c.ASCII = true
		c.Origins.set(why, "ascii")
	}
	if err := c.environment(src.Env); err != nil {
		return nil, err
	}
	if err := c.flags(src, dsn, origin); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Config) environment(env func(string) string) error {
	if v := env(EnvTheme); v != "" {
		c.Theme = v
		c.Origins.set(EnvTheme, "theme")
	}
	for _, x := range []struct {
		name, key string
		is        *bool
	}{{EnvASCII, "ascii", &c.ASCII}, {EnvPayloads, "record_payloads", &c.Payloads}} {
		switch v := env(x.name); v {
		case "":
		case "true", "false":
			*x.is = v == "true"
			c.Origins.set(x.name, x.key)
		default:
			return fmt.Errorf("%s cannot be %q; write true or false", x.name, v)
		}
	}
	if v := env(EnvPoll); v != "" {
		d, err := ParseSpan(v)
		if err != nil {
			return fmt.Errorf("%s cannot be %q: %w; write it as 500ms or 2s", EnvPoll, v, err)
		}
		c.Poll = d
		c.Origins.set(EnvPoll, "poll")
	}
	return nil
}

func (c *Config) flags(src Sources, dsn, origin string) error {
	f := src.Flags
	if f.Theme != "" {
		c.Theme = f.Theme
		c.Origins.set("--theme", "theme")
	}
	if f.Poll > 0 {
		c.Poll = f.Poll
		c.Origins.set("--poll", "poll")
	}
	if f.ASCII {
		c.ASCII = true
		c.Origins.set("--ascii", "ascii")
	}
	if f.Payloads {
		c.Payloads = true
		c.Origins.set("--record-payloads", "record_payloads")
	}
	if f.AllowScan {
		defer c.insist()
	}
	if dsn == "" {
		switch {
		case len(f.Tables) > 0:
			return errors.New("--table needs --dsn: on which server is it?")
		case f.Profile != "":
			return errors.New("--profile needs --dsn: a configuration file says it for each queue")
		case f.Dev:
			return errors.New("--dev needs --dsn: in a configuration file write dev: true at the server")
		}
		for i := range c.Servers {
			if f.Control {
				c.Servers[i].Control = true
				c.Origins.set("--control", "servers", c.Servers[i].Name, "control")
			}
			if f.Print {
				c.Servers[i].Print = true
				c.Origins.set("--print-only", "servers", c.Servers[i].Name, "print_only")
			}
		}
		return nil
	}
	return c.single(src, dsn, origin)
}

// insist is --allow-scan: every queue is watched, whatever it costs.
func (c *Config) insist() {
	for i := range c.Queues {
		c.Queues[i].Mapping.AllowScan = true
		c.Origins.set("--allow-scan", "queues", c.Queues[i].Mapping.Queue, "allow_scan")
	}
}

// single is the configuration of one DSN; the file's own queues step aside.
func (c *Config) single(src Sources, dsn, origin string) error {
	t, err := ParseDSN(dsn)
	if err != nil {
		return fmt.Errorf("%s: %w", origin, err)
	}
	if t.HasPassword() && origin == "--dsn" {
		c.Warnings = append(c.Warnings, "a password on the command line can be read by other users of this machine; give it in "+EnvPassword)
	}
	f := src.Flags
	s := Server{Name: t.String(), Target: t, Control: f.Control, Print: f.Print, Dev: f.Dev || t.Engine == EngineSQLite}
	c.Servers, c.Queues = []Server{s}, nil
	c.Origins.set(origin, "servers", s.Name, "dsn")
	if f.Control {
		c.Origins.set("--control", "servers", s.Name, "control")
	}
	if f.Print {
		c.Origins.set("--print-only", "servers", s.Name, "print_only")
	}
	if f.Dev {
		c.Origins.set("--dev", "servers", s.Name, "dev")
	}
	profile := cmp.Or(f.Profile, DefaultProfile)
	shape, ok := src.Builtin[profile]
	if !ok {
		return fmt.Errorf("--profile: unknown profile %q; %s", profile, Meant(profile, names(src.Builtin)))
	}
	tables := f.Tables
	if len(tables) == 0 {
		tables = f.Queues
	}
	if len(tables) == 0 {
		return fmt.Errorf("%s names a server; say with --table which table is the queue", origin)
	}
	for _, text := range tables {
		if err := c.add(s, shape, profile, text); err != nil && s.Target.Engine == EngineSQLite {
			return fmt.Errorf("--table: %w (%s names a file and no server)", err, origin)
		} else if err != nil {
			return fmt.Errorf("--table: %w", err)
		}
	}
	return nil
}

// add is one more queue; its name is the table's last part, or all of it when
// another queue has that name.
func (c *Config) add(s Server, shape Shape, profile, text string) error {
	table, err := ParseTable(text)
	if err != nil {
		return err
	}
	m, err := Bind(s.Target.Engine, shape, profile, "", table)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(c.Queues, func(q Queue) bool { return q.Mapping.Queue == m.Queue }) {
		m.Queue = m.Table.String()
	}
	c.Queues = append(c.Queues, Queue{Server: s.Name, Mapping: m, Limits: c.Limits})
	c.Origins.set("--table", "queues", m.Queue, "table")
	c.Origins.set("--table", "queues", m.Queue, "server")
	if profile != DefaultProfile {
		c.Origins.set("--profile", "queues", m.Queue, "profile")
	}
	return nil
}
