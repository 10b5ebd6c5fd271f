package config_test

import (
	"errors"
	"flag"
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
