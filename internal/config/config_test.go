package config_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/model"
)

var update = flag.Bool("update", false, "write the golden files anew")

func builtin(t *testing.T) map[string]config.Shape {
	t.Helper()
	shapes, err := profile.Shapes()
	if err != nil {
		t.Fatal(err)
	}
	return shapes
}

// Every *.yaml of testdata is wrong; its *.want lists all that is wrong with it.
func TestMistakesAreAllReportedWithTheirPlace(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			_, err := config.Read(file, builtin(t))
			if err == nil {
				t.Fatal("the file is taken as right")
			}
			golden(t, strings.TrimSuffix(file, ".yaml")+".want", filepath.ToSlash(err.Error())+"\n")
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and read the change\ngot:\n%s", file, got)
	}
}

const good = `
# a comment
poll: 1s
theme: light
servers:
  prod:
    dsn: sqlserver://watcher@db1.example:1433?database=orders
    control: true
  local:
    dsn: sqlite:/tmp/q.db
profiles:
  tickets:
    family: fenced
    lease: 90s
    columns:
      key: [Tenant nvarchar(40), Id bigint]
      state: Status tinyint
      token: "[Claim Token] uniqueidentifier"
      lease: Until datetime2(7)
    states: {ready: 0, working: 1, done: 2}
queues:
  orders: {server: prod, table: QueueDemo, profile: lease, lease: 10m, columns: {priority: none}}
  mail: {server: local, table: "[my.table]", profile: bare, states: {failed: none}}
  desk: {server: prod, table: "app.[a]]b]", profile: tickets}
`

func TestRightFile(t *testing.T) {
	f, err := config.Parse("x.yaml", []byte(good), builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	if f.Poll != time.Second || f.Theme != "light" || len(f.Servers) != 2 || len(f.Queues) != 3 {
		t.Fatalf("read %+v", f)
	}
	orders, mail, desk := f.Queues[0].Mapping, f.Queues[1].Mapping, f.Queues[2].Mapping
	if orders.Table.String() != "dbo.QueueDemo" || orders.History.String() != "dbo.QueueDemo_History" || orders.Has(model.RolePriority) || orders.Lease != 10*time.Minute {
		t.Errorf("orders: %+v", orders)
	}
	if mail.Table != (model.Table{Name: "my.table"}) || !mail.States[model.Failed].IsNull() || f.Servers[0].Dev || !f.Servers[1].Dev {
		t.Errorf("mail: %+v", mail)
	}
	if desk.Table.Name != "a]b" || desk.States[model.Working] != model.IntValue(1) || len(desk.Keys) != 2 || desk.Column(model.RoleToken).Name != "Claim Token" {
		t.Errorf("desk: %+v", desk)
	}
	if builtin(t)["lease"].Columns[model.RolePriority].IsZero() {
		t.Error("a queue's change reached the built-in profile")
	}
}

func TestEmptyAndBrokenFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		"# nothing but a comment":                "",
		"a: [1,\n":                               "x.yaml:2:1: not YAML: did not find expected node content",
		"a: 1\n b: 2\n":                          "x.yaml:2:3: not YAML: mapping values are not allowed in this context",
		"- a\n- b\n":                             `x.yaml:1:1: configuration must be a list of "key: value" lines; indent them below it`,
		"queues: {a: {table: t, profile: bare}}": "x.yaml:1:10: queue a: the file has no servers; write servers: with a name and a dsn",
		"poll: 2s\npoll: 3s\n":                   `x.yaml:2:1: configuration: "poll" stands twice, first in line 1; remove one of them`,
		"servers: &s {}\nascii: *s":              "x.yaml:1:10: ascii must be one value",
	} {
		_, err := config.Parse("x.yaml", []byte(text), builtin(t))
		if got := errText(err); got != want {
			t.Errorf("%q: error is\n%s\nwant\n%s", text, got, want)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func FuzzParseNeverPanics(f *testing.F) {
	f.Add(good)
	f.Add("queues: {a: *a}")
	f.Add("&a [*a]")
	shapes, err := profile.Shapes()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := config.Parse("x.yaml", []byte(text), shapes)
		var ps config.Problems
		if err != nil && !errors.As(err, &ps) {
			t.Errorf("error of type %T", err)
		}
		if err == nil && file == nil {
			t.Error("neither a file nor an error")
		}
	})
}

func TestTableNames(t *testing.T) {
	for text, want := range map[string]string{
		"QueueDemo":              "QueueDemo",
		"dbo.QueueDemo":          "dbo.QueueDemo",
		"[my.table]":             "[my.table]",
		"[a]]b]":                 "[a]]b]",
		"dbo.[a b]":              "dbo.[a b]",
		"[x y].[z]":              "[x y].z",
		"a.b.c":                  "error",
		"":                       "error",
		"dbo.":                   "error",
		"[open":                  "error",
		"[a]b":                   "error",
		"a]b":                    "error",
		"a;drop":                 "error",
		"[a\nb]":                 "error",
		strings.Repeat("x", 129): "error",
	} {
		got := "error"
		if table, err := config.ParseTable(text); err == nil {
			got = table.String()
			if back, err := config.ParseTable(got); err != nil || back != table {
				t.Errorf("%q prints as %q, which reads as %v, %v", text, got, back, err)
			}
		}
		if got != want {
			t.Errorf("%q reads as %s, want %s", text, got, want)
		}
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	const secret = "s3cr%24t/pa:ss"
	for _, dsn := range []string{
		"sqlserver://sa:s3cr%2524t%2Fpa%3Ass@db1:1433?database=orders",
		"sqlserver://db1:1433?database=orders&user+id=sa&password=s3cr%2524t%2Fpa%3Ass",
	} {
		target, err := config.ParseDSN(dsn)
		if err != nil {
			t.Fatal(err)
		}
		if !target.HasPassword() || target.NeedsPassword() {
			t.Errorf("password taken: %v, missing: %v", target.HasPassword(), target.NeedsPassword())
		}
		for _, shown := range []string{target.String(), fmt.Sprint(target), fmt.Sprintf("%+v %#v %q", target, target, target)} {
			if strings.Contains(shown, "s3cr") {
				t.Errorf("shown: %s", shown)
			}
		}
		if want := "sqlserver://sa:s3cr%2524t%2Fpa%3Ass@db1:1433?database=orders"; target.Reveal() != want {
			t.Errorf("the driver is given %s", target.Reveal())
		}
	}
	for _, dsn := range []string{
		"sqlserver://sa:" + secret + "%zz@db1", "sqlserver://sa:" + secret + "@", "mysql://sa:" + secret + "@h",
		"sqlserver://sa:" + secret + "\x01@h", "sqlserver://h?password=" + secret + "%zz", secret,
	} {
		if _, err := config.ParseDSN(dsn); err == nil || strings.Contains(err.Error(), "s3cr") {
			t.Errorf("%q: error is %v", dsn, err)
		}
	}
}

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
		{name: "schema on an embedded engine", flags: config.Flags{DSN: "sqlite:/b", Tables: []string{"dbo.T"}}, want: "error: --table: table dbo.T: an embedded table has no schema; write T"},
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

func TestPasswords(t *testing.T) {
	env := map[string]string{"LEASETOP_PASSWORD": "general", "ORDERS_PW": "own"}
	file := filepath.Join(t.TempDir(), "pw")
	if err := os.WriteFile(file, []byte("filed\r\nrest"), 0o600); err != nil {
		t.Fatal(err)
	}
	target, err := config.ParseDSN("sqlserver://watcher@db1")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		server config.Server
		env    map[string]string
		want   string
	}{
		{config.Server{}, env, "general"},
		{config.Server{PasswordEnv: "ORDERS_PW"}, env, "own"},
		{config.Server{PasswordFile: file}, env, "filed"},
		{config.Server{PasswordCommand: []string{os.Args[0], "-test.list", "NothingIsCalledThis"}}, env, ""},
		{config.Server{PasswordEnv: "UNSET"}, env, "server s: password_env: UNSET is not set"},
		{config.Server{}, nil, "server s: it names a login and no password; give that in LEASETOP_PASSWORD, or write password_env, password_file or password_command at the server"},
	}
	for _, tt := range tests {
		tt.server.Name, tt.server.Target = "s", target
		got, err := tt.server.Unlock(context.Background(), func(k string) string { return tt.env[k] })
		text := strings.TrimSuffix(strings.TrimPrefix(got.Reveal(), "sqlserver://watcher:"), "@db1")
		if err != nil {
			text = err.Error()
		}
		if tt.want != "" && text != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.server, text, tt.want)
		}
	}
}

func TestMeant(t *testing.T) {
	known := []string{"columns", "states", "lease"}
	for word, want := range map[string]string{
		"colums": `did you mean "columns"?`, "Sattes": `did you mean "states"?`, "zzz": "known are columns, states, lease",
	} {
		if got := config.Meant(word, known); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}

// The example of the documentation is a configuration that works.
func TestDocumentedExampleIsRight(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(doc), "```yaml\n")
	example, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatal("the page has no example")
	}
	f, err := config.Parse("example.yaml", []byte(example), builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Queues) != 3 || f.Queues[1].Mapping.Table.Name != "Out.Box" || f.Queues[1].Mapping.Lease != 90*time.Second {
		t.Errorf("read %+v", f.Queues)
	}
}
