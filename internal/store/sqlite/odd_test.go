package sqlite_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

// TestOddTables holds the dialect to tables that others made.
func TestOddTables(t *testing.T) { storetest.RunOdd(t, bench{}) }

func (bench) OddStand(t testing.TB, _ storetest.Odd) (*store.DB, func(string)) {
	s, ok := bench{}.Stand(t).(*stand)
	if !ok {
		t.Fatal("not a stand")
	}
	return s.Open(t), func(text string) { t.Helper(); s.exec(t, text) }
}

// noJournal keeps nothing: what a journal must keep is tested where it is written.
type noJournal struct{}

func (noJournal) Sent(model.Plan, time.Time) error { return nil }
func (noJournal) Done(model.Receipt) error         { return nil }
func (noJournal) Place() string                    { return "nowhere" }

func (bench) Operator(q *storetest.Losing) storetest.Act {
	desk := actions.New(map[string]actions.Target{"orders": {Store: q, Control: true}}, noJournal{}, "ops")
	return func(ctx context.Context, a model.Action, row *model.Job, at time.Time) model.Receipt {
		p, err := desk.Plan(ctx, "orders", actions.Ask{Action: a, Row: row, At: at, Reason: "a test"})
		if err != nil {
			return model.Receipt{Outcome: model.Refused, Message: err.Error()}
		}
		return desk.Apply(ctx, p, "")
	}
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// oddTable is a table of the document's five columns with another name before each, and
// types of its own.
func oddTable(name, prefix, state, token, lease string) storetest.Odd {
	m := storetest.OddMapping(model.Table{Name: prefix + "QueueDemo"}, prefix)
	column := func(r model.Role) string { return quoted(m.Column(r).Name) }
	o := storetest.Odd{
		Name: name, Mapping: m, Table: quoted(m.Table.Name), Quote: quoted,
		Tokens: [2]string{"'A0000000-0000-4000-8000-000000000001'", "'A0000000-0000-4000-8000-000000000002'"},
		Seen:   [2]string{"A0000000-0000-4000-8000-000000000001", "A0000000-0000-4000-8000-000000000002"},
		States: map[model.State]string{model.Ready: "'R'", model.Working: "'W'", model.Done: "'D'", model.Failed: "'F'", model.StateUnknown: "'X'"},
		Lease:  func(d time.Duration) string { return fmt.Sprint(newClock().now.Add(d).UnixMilli()) },
		First:  "-62135596800000", Last: "253402300799999",
	}
	if strings.HasPrefix(lease, "TEXT") {
		o.Lease = func(d time.Duration) string {
			return "'" + newClock().now.Add(d).UTC().Format("2006-01-02T15:04:05.000") + "'"
		}
		o.First, o.Last = "'0001-01-01T00:00:00.000'", "'9999-12-31T23:59:59.999'"
	}
	if token != "" {
		token = column(model.RoleToken) + " " + token + ", "
	}
	o.Make = []string{fmt.Sprintf("CREATE TABLE %s (%s INTEGER PRIMARY KEY, %s %s NOT NULL, %s%s %s, %s TEXT NOT NULL DEFAULT '{}')",
		o.Table, quoted(m.Keys[0].Name), column(model.RoleState), state, token, column(model.RoleLease), lease, column(model.RolePayload))}
	return o
}

func (bench) Odds() []storetest.Odd {
	var out []storetest.Odd
	for _, name := range []string{"a.b", "my]table", "it's", `say "so"`, "my table", "Ünïcode→名", "select", "--", "{hole}", strings.Repeat("Q", 119)} {
		out = append(out, oddTable("named "+name[:min(len(name), 12)], name, "TEXT", "TEXT", "INTEGER"))
	}
	out = append(out,
		oddTable("ISO times", "", "CHAR(1)", "CHAR(36)", "TEXT"),
		oddToken(oddTable("bigint token", "", "TEXT", "BIGINT", "INTEGER"), "7", "7", "9007199254740993", "9007199254740993"),
		oddToken(oddTable("bytes as token", "", "TEXT", "VARBINARY(16)", "TEXT"), "x'00A1'", "0x00A1", "x'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF'", "0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"),
	)
	for _, lease := range []string{"INTEGER", "TEXT"} {
		o := oddTable("lease as token, "+lease, "", "TEXT", "", lease)
		o.Mapping.Columns[model.RoleToken] = o.Mapping.Columns[model.RoleLease]
		o.Tokens, o.Seen, o.Held, o.Beats = [2]string{}, [2]string{}, "lease and the token in one", true
		out = append(out, o)
	}
	narrow := oddToken(oddTable("int token", "", "TEXT", "INT", "INTEGER"), "7", "7", "8", "8")
	narrow.Refused = "too narrow"
	number := oddTable("states by number", "", "INTEGER", "TEXT", "INTEGER")
	number.Mapping.States = map[model.State]model.Value{model.Ready: model.IntValue(0), model.Working: model.IntValue(1), model.Done: model.IntValue(2), model.Failed: model.IntValue(-1)}
	number.States = map[model.State]string{model.Ready: "0", model.Working: "1", model.Failed: "-1", model.StateUnknown: "7"}
	gone := oddTable("two states", "", "INTEGER", "TEXT", "INTEGER")
	gone.Mapping.States = map[model.State]model.Value{model.Ready: model.IntValue(1), model.Working: model.IntValue(0)}
	gone.States = map[model.State]string{model.Ready: "1", model.Working: "0"}
	unfenced := oddTable("unfenced", "", "TEXT", "", "INTEGER")
	delete(unfenced.Mapping.Columns, model.RoleToken)
	unfenced.Mapping.Family, unfenced.Refused, unfenced.Tokens, unfenced.Seen = model.Unfenced, "unfenced", [2]string{}, [2]string{}
	urgent := oddTable("no priority", "", "TEXT", "TEXT", "INTEGER").WithPriority("Priority")
	urgent.Make[0] = strings.Replace(urgent.Make[0], "NOT NULL, ", "NOT NULL, Priority INTEGER, ", 1)
	return append(out, narrow, number, gone, unfenced, urgent)
}

func oddToken(o storetest.Odd, a, seenA, b, seenB string) storetest.Odd {
	o.Tokens, o.Seen = [2]string{a, b}, [2]string{seenA, seenB}
	return o
}
