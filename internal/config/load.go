package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
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
)

// Flags is what the command line said; zero fields say nothing.
type Flags struct {
	Config, DSN, Profile, Theme string
	Tables                      []string
	Queues                      []string // named as arguments; beside a DSN without a table they name tables
	Poll                        time.Duration
	Control, Dev, ASCII         bool
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
	Servers  []Server
	Queues   []Queue // none: nothing is configured
	Named    string  // the file that was asked for by name, empty when none was
	Warnings []string
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
	c := &Config{Poll: DefaultPoll, Named: src.Flags.Config}
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
		c.Theme, c.ASCII, c.Servers, c.Queues = f.Theme, f.ASCII, f.Servers, f.Queues
		if f.Poll > 0 {
			c.Poll = f.Poll
		}
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
	}
	if v := env(EnvPoll); v != "" {
		d, err := ParseSpan(v)
		if err != nil {
			return fmt.Errorf("%s cannot be %q: %w; write it as 500ms or 2s", EnvPoll, v, err)
		}
		c.Poll = d
	}
	return nil
}

func (c *Config) flags(src Sources, dsn, origin string) error {
	f := src.Flags
	if f.Theme != "" {
		c.Theme = f.Theme
	}
	if f.Poll > 0 {
		c.Poll = f.Poll
	}
	c.ASCII = c.ASCII || f.ASCII
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
			c.Servers[i].Control = c.Servers[i].Control || f.Control
		}
		return nil
	}
	return c.single(src, dsn, origin)
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
	s := Server{Name: t.String(), Target: t, Control: f.Control, Dev: f.Dev || t.Engine == EngineSQLite}
	c.Servers, c.Queues = []Server{s}, nil
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
		if err := c.add(s, shape, profile, text); err != nil {
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
	c.Queues = append(c.Queues, Queue{Server: s.Name, Mapping: m})
	return nil
}
