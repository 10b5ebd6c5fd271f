package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/themes"
)

// configure puts flags, environment and file together. queues are names given as
// arguments; warnings go to standard error.
func (a *app) configure(queues ...string) (*config.Config, error) {
	return a.configured(a.Getenv, queues...)
}

// settings is the configuration of a screen that opens none of its queues. A DSN in
// the environment is not looked at: it says of what to watch and needs a table.
func (a *app) settings() (*config.Config, error) {
	return a.configured(func(name string) string {
		if name == config.EnvDSN {
			return ""
		}
		return a.Getenv(name)
	})
}

func (a *app) configured(env func(string) string, queues ...string) (*config.Config, error) {
	shapes, err := profile.Shapes()
	if err != nil {
		return nil, err
	}
	a.flags.Queues = queues
	if a.poll != "" {
		if a.flags.Poll, err = config.ParseSpan(a.poll); err != nil {
			return nil, usage("--poll cannot be %q: %w; write it as 500ms or 2s", a.poll, err)
		}
	}
	c, err := config.Load(config.Sources{
		Default: defaultFile(), Exists: exists, Env: env, Flags: a.flags, Builtin: shapes,
	})
	if err != nil {
		return nil, &exit{exitUsage, err}
	}
	if _, ok := themes.ByName(c.Theme); c.Theme != "" && !ok {
		return nil, usage("unknown theme %q; %s", c.Theme, config.Meant(c.Theme, themes.Names()))
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(a.Err, "leasetop: warning: %s\n", w)
	}
	return c, nil
}

// pick finds queues by name; none named means all.
func pick(c *config.Config, names []string) ([]config.Queue, error) {
	if len(c.Queues) == 0 {
		return nil, usage("no queue is configured; name one with --dsn and --table, or write %s", defaultFile())
	}
	if len(names) == 0 {
		return c.Queues, nil
	}
	var out []config.Queue
	for _, n := range names {
		q, ok := named(c, n)
		if !ok {
			return nil, usage("unknown queue %q; %s", n, config.Meant(n, queueNames(c)))
		}
		out = append(out, q)
	}
	return out, nil
}

// named finds a queue by its name, or by its table as it is written.
func named(c *config.Config, name string) (config.Queue, bool) {
	for _, q := range c.Queues {
		if q.Mapping.Queue == name {
			return q, true
		}
	}
	table, err := config.ParseTable(name)
	for _, q := range c.Queues {
		if t := q.Mapping.Table; err == nil && (t == table || (table.Schema == "" && t.Name == table.Name)) {
			return q, true
		}
	}
	return config.Queue{}, false
}

func queueNames(c *config.Config) []string {
	names := make([]string, len(c.Queues))
	for i, q := range c.Queues {
		names[i] = q.Mapping.Queue
	}
	return names
}

// severalQueues is the error of a command that is about one queue, none is named and
// there are several.
func severalQueues(c *config.Config) error {
	return usage("QUEUE is missing, and there are several; say which: %s", strings.Join(queueNames(c), ", "))
}

// completeQueues offers the configured queues to a shell.
func (a *app) completeQueues(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	c, err := a.configure()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return queueNames(c), cobra.ShellCompDirectiveNoFileComp
}

// defaultFile is where a configuration is looked for when none is named.
func defaultFile() string { return filepath.Join(xdg.ConfigHome, "leasetop", "config.yaml") }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func profileNames() string { return strings.Join(profile.Names(), ", ") }

func themeNames() string { return strings.Join(themes.Names(), ", ") }
