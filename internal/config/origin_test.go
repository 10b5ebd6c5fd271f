package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/config"
)

func TestWhatWasNamedWins(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "c.yaml")
	if err := os.WriteFile(file, []byte("poll: 7s\nservers: {s: {dsn: sqlite:/a}}\nqueues: {fromfile: {table: a, profile: bare}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(dir, "none.yaml")
	tests := []struct {
		name  string
		env   map[string]string
		def   string
		flags config.Flags
		want  string // queue names, or the error
		poll  time.Duration
	}{
		{name: "nothing", want: "", poll: config.DefaultPoll},
		{name: "absent default", def: none, want: "", poll: config.DefaultPoll},
		{name: "default file", def: file, want: "fromfile", poll: 7 * time.Second},
		{name: "named file is missing", flags: config.Flags{Config: none}, want: "error: " + none + ": there is no such configuration file; name another with --config"},
		{name: "named in the environment is missing", env: map[string]string{"LEASETOP_CONFIG": none}, want: "error: " + none + ": there is no such configuration file; name another with --config"},
		{name: "environment's DSN over default file", def: file, env: map[string]string{"LEASETOP_DSN": "sqlite:/b"}, flags: config.Flags{Tables: []string{"T"}}, want: "T", poll: 7 * time.Second},
		{name: "named file over environment's DSN", env: map[string]string{"LEASETOP_DSN": "sqlite:/b"}, flags: config.Flags{Config: file}, want: "fromfile", poll: 7 * time.Second},
		{name: "flag over environment", env: map[string]string{"LEASETOP_POLL": "3s"}, flags: config.Flags{Poll: time.Second}, want: "", poll: time.Second},
		{name: "environment over file", def: file, env: map[string]string{"LEASETOP_POLL": "3s"}, want: "fromfile", poll: 3 * time.Second},
		{name: "wrong environment", env: map[string]string{"LEASETOP_POLL": "soon"}, want: `error: LEASETOP_POLL cannot be "soon": it is not a duration with its unit; write it as 500ms or 2s`},
		{name: "DSN without a table", flags: config.Flags{DSN: "sqlite:/b"}, want: "error: --dsn names a server; say with --table which table is the queue"},
		{name: "argument names the table", flags: config.Flags{DSN: "sqlite:/b", Queues: []string{"Q"}}, want: "Q", poll: config.DefaultPoll},
		{name: "same last part", flags: config.Flags{DSN: "sqlserver://h", Tables: []string{"a.T", "b.T"}}, want: "T b.T", poll: config.DefaultPoll},
		{name: "table without a DSN", flags: config.Flags{Tables: []string{"T"}}, want: "error: --table needs --dsn: on which server is it?"},
		{name: "schema on an embedded engine", flags: config.Flags{DSN: "sqlite:/b", Tables: []string{"dbo.T"}}, want: "error: --table: table dbo.T: an embedded table has no schema; write T (--dsn names a file and no server)"},
		{name: "unknown profile", flags: config.Flags{DSN: "sqlite:/b", Tables: []string{"T"}, Profile: "bear"}, want: `error: --profile: unknown profile "bear"; did you mean "bare"?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := config.Load(config.Sources{
				Default: tt.def, Builtin: builtin(t), Flags: tt.flags,
				Env:    func(k string) string { return tt.env[k] },
				Exists: func(p string) bool { _, err := os.Stat(p); return err == nil },
			})
			if err != nil {
				if got := "error: " + err.Error(); got != tt.want {
					t.Errorf("%s\nwant %s", got, tt.want)
				}
				return
			}
			var names []string
			for _, q := range c.Queues {
				names = append(names, q.Mapping.Queue)
			}
			if got := strings.Join(names, " "); got != tt.want || c.Poll != tt.poll {
				t.Errorf("queues %q, poll %v; want %q, %v", got, c.Poll, tt.want, tt.poll)
			}
		})
	}
}
