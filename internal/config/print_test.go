package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/model"
)

const several = `
poll: 3s
limits: {oldest: {warn: 2m, bad: 10m}, failed: 5}
servers:
  prod: {dsn: "sqlserver://sa:hunter2@db1:1433?database=orders&pwd=hunter3", color: red, password_command: [pass, show, "a b"]}
  local: {dsn: "sqlite:q.db"}
queues:
  orders: {server: prod, table: dbo.QueueDemo, profile: lease, lease: 90s, clock: local, limits: {failed: 0}}
  "odd: name": {server: local, table: "[a b]", profile: bare, states: {failed: none}}
  mail: {server: prod, table: "mail.[Out.Box]", profile: tickets, clock: "-03:30"}
  ship: {server: prod, table: dbo.Ship, profile: destructive, order: lifo, mode: transaction, clock: local}
profiles:
  tickets:
    family: fenced
    columns: {key: [Tenant int, "[Ticket Id] bigint"], state: Status tinyint, token: Token uniqueidentifier, lease: LockedUntil datetime2(7)}
    states: {ready: 0, working: 1, done: 2}
`

func load(t *testing.T, text string, env map[string]string, flags config.Flags) *config.Config {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	flags.Config = file
	c, err := config.Load(config.Sources{Env: func(k string) string { return env[k] }, Flags: flags, Builtin: builtin(t)})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c
}

func printed(t *testing.T, c *config.Config) string {
	t.Helper()
	var b strings.Builder
	if err := c.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What is printed says, for every value, where it came from, and holds no secret.
func TestPrintedWithOrigins(t *testing.T) {
	c := load(t, several, map[string]string{config.EnvTheme: "none"}, config.Flags{Control: true})
	got := printed(t, c)
	golden(t, filepath.Join("testdata", "printed.golden"), strings.ReplaceAll(got, filepath.Dir(c.File)+string(filepath.Separator), ""))
	for _, secret := range []string{"hunter2", "hunter3"} {
		if strings.Contains(got, secret) {
			t.Errorf("%s is in it", secret)
		}
	}
}

// What is printed is a configuration that says the same.
func TestPrintedIsTheSameConfiguration(t *testing.T) {
	c := load(t, several, nil, config.Flags{})
	again := load(t, printed(t, c), nil, config.Flags{})
	same := cmp.Options{
		cmpopts.IgnoreFields(config.Config{}, "Origins", "File", "Named", "Warnings", "Servers"), cmpopts.IgnoreUnexported(config.Config{}),
		cmp.Comparer(func(a, b model.Value) bool { return a == b }), cmpopts.IgnoreFields(model.Mapping{}, "Profile"), cmpopts.EquateEmpty(),
	}
	c.Theme = "auto" // which is what an empty one means
	for _, one := range []*config.Config{c, again} {
		for i := range one.Queues {
			one.Queues[i].Mapping.Lease = one.Queues[i].Mapping.UsualLease()
		}
	}
	if d := cmp.Diff(c, again, same); d != "" {
		t.Error(d)
	}
	for i, s := range c.Servers {
		o := again.Servers[i]
		if s.Name != o.Name || s.Target.DSN() != o.Target.DSN() || s.Dev != o.Dev || s.Color != o.Color {
			t.Errorf("server %+v became %+v", s, o)
		}
	}
}
