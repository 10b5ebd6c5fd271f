package sqlserver

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

// TestOddTables holds the dialect to tables that others made, on a real server.
func TestOddTables(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server")
	}
	b := &oddBench{bench: newBench(t, dsn)}
	b.odds = oddTables()
	t.Cleanup(func() {
		for _, o := range b.odds {
			b.raw.ExecContext(context.Background(), "DROP TABLE IF EXISTS "+o.Table)
		}
	})
	storetest.RunOdd(t, b)
}

type oddBench struct {
	*bench
	odds []storetest.Odd
}

func (b *oddBench) Odds() []storetest.Odd { return b.odds }

func (b *oddBench) OddStand(t testing.TB, o storetest.Odd) (*store.DB, func(string)) {
	if b.caps.Engine == Babelfish {
		switch {
		case strings.Contains(o.Make[0], "rowversion"), strings.Contains(o.Make[0], "binary"):
			t.Skip("it can write no bytes as text, so bytes cannot be shown or matched there")
		case strings.Contains(o.Make[0], "]]"):
			t.Skip("it takes no name with a closing bracket")
		case strings.Contains(o.Make[0], strings.Repeat("Q", 64)):
			t.Skip("it keeps only the first letters of a long name")
		}
	}
	return b.db, func(text string) {
		t.Helper()
		if _, err := b.raw.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

func (b *oddBench) Operator(q *storetest.Losing) storetest.Act {
	desk := actions.New(map[string]actions.Target{"orders": {Store: q, Control: true}}, noJournal{}, "ops")
	return func(ctx context.Context, a model.Action, row *model.Job, at time.Time) model.Receipt {
		p, err := desk.Plan(ctx, "orders", actions.Ask{Action: a, Row: row, At: at, Reason: "a test"})
		if err != nil {
			return model.Receipt{Outcome: model.Refused, Message: err.Error()}
		}
		return desk.Apply(ctx, p, "")
	}
}

// of are the types of a table's columns.
type of struct{ state, token, lease string }

// aGUID are the tokens of a table whose tokens are as text what they are as GUIDs.
func aGUID() [2]string {
	return [2]string{"A0000000-0000-4000-8000-000000000001", "A0000000-0000-4000-8000-000000000002"}
}

// oddTable is a table of the document's five columns with another name before each, and
// types of its own.
func oddTable(name, prefix string, c of) storetest.Odd {
	sum := fnv.New32a()
	sum.Write([]byte(name))
	id := fmt.Sprintf("%d_%08x", os.Getpid(), sum.Sum32())
	m := storetest.OddMapping(model.Table{Schema: "dbo", Name: prefix + id}, prefix)
	column := func(r model.Role) string { return quote(m.Column(r).Name) }
	o := storetest.Odd{
		Name: name, Mapping: m, Table: quoted(m.Table), Quote: quote, Seen: aGUID(),
		Tokens: [2]string{"'" + aGUID()[0] + "'", "'" + aGUID()[1] + "'"},
		States: map[model.State]string{model.Ready: "'R'", model.Working: "'W'", model.Done: "'D'", model.Failed: "'F'", model.StateUnknown: "'X'"},
		First:  "'0001-01-01'", Last: "'9999-12-31T23:59:59'",
		Lease: func(d time.Duration) string {
			return fmt.Sprintf("DATEADD(millisecond, %d, SYSUTCDATETIME())", d.Milliseconds())
		},
	}
	switch c.lease {
	case "datetime":
		o.First = "'1753-01-01'"
	case "smalldatetime":
		o.First, o.Last = "'1900-01-01'", "'2079-06-06'"
	}
	token := column(model.RoleToken) + " " + c.token + ", "
	if c.token == "" {
		token = ""
	}
	o.Make = []string{fmt.Sprintf("CREATE TABLE %s (%s bigint NOT NULL PRIMARY KEY, %s %s NOT NULL, %s%s %s NULL, %s nvarchar(100) NOT NULL DEFAULT '{}')",
		o.Table, quote(m.Keys[0].Name), column(model.RoleState), c.state, token, column(model.RoleLease), c.lease, column(model.RolePayload)),
		fmt.Sprintf("CREATE INDEX [IX_Claim] ON %s (%s, %s)", o.Table, column(model.RoleState), quote(m.Keys[0].Name))}
	return o
}

// usual are the types of the document's own table.
func usual() of { return of{"char(1)", "uniqueidentifier NULL", "datetime2(3)"} }

func oddTables() []storetest.Odd {
	var out []storetest.Odd
	for _, name := range oddNames() {
		short := string([]rune(name)[:min(len([]rune(name)), 12)])
		out = append(out, oddTable("named "+short, string([]rune(name)[:min(len([]rune(name)), 109)]), usual()))
	}
	return append(append(append(append(out, oddTokens()...), oddStates()...), oddLeases()...), noPriority())
}

// noPriority is a table in which jobs may have no priority.
func noPriority() storetest.Odd {
	o := oddTable("no priority", "", usual()).WithPriority("Priority")
	o.Make[0] = strings.Replace(o.Make[0], "NOT NULL, ", "NOT NULL, [Priority] tinyint NULL, ", 1)
	o.Make[1] = strings.Replace(o.Make[1], "State], ", "State], [Priority], ", 1)
	return o
}

// tokens gives a table of the usual types another token.
func tokens(declared string, a, seenA, b, seenB string) storetest.Odd {
	c := usual()
	c.token = declared
	o := oddTable("token "+declared, "", c)
	o.Tokens, o.Seen = [2]string{a, b}, [2]string{seenA, seenB}
	return o
}

func oddTokens() []storetest.Odd {
	g := aGUID()
	out := []storetest.Odd{
		tokens("varbinary(16) NULL", "0x00A1", "0x00A1", "0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"),
		tokens("binary(20) NULL", "0xA1", "0xA1"+strings.Repeat("00", 19), "0xB1", "0xB1"+strings.Repeat("00", 19)),
		tokens("nvarchar(64) NULL", "N'pick-07→1,\\'", `pick-07→1\,\\`, "N'none'", `\none`),
		tokens("varchar(36) NULL", "'"+g[0]+"'", g[0], "'"+g[1]+"'", g[1]),
		tokens("char(40) NULL", "'one'", "one", "'two'", "two"),
		tokens("bigint NULL", "7", "7", "9223372036854775807", "9223372036854775807"),
		tokens("datetime NULL", "'2026-03-01T12:00:00.003'", "2026-03-01T12:00:00.003", "'2026-03-01T12:00:00.007'", "2026-03-01T12:00:00.007"),
		tokens("datetime2(7) NULL", "'2026-03-01T12:00:00.1234567'", "", "'2026-03-01T12:00:00.1234568'", ""),
		tokens("datetimeoffset(7) NULL", "'2026-03-01T12:00:00.1234567+02:00'", "", "'2026-03-01T12:00:00.1234568+02:00'", ""),
	}
	for _, refused := range []struct{ declared, a, b, why string }{
		{"int NULL", "7", "8", "is int: it is too narrow"}, {"varbinary(8) NULL", "0x01", "0x02", "16 bytes"}, {"nvarchar(20) NULL", "'one'", "'two'", "36 characters"},
	} {
		o := tokens(refused.declared, refused.a, strings.Trim(refused.a, "'"), refused.b, strings.Trim(refused.b, "'"))
		o.Refused = refused.why
		out = append(out, o)
	}
	for _, o := range []storetest.Odd{oddTable("no token", "", of{"char(1)", "", "datetimeoffset(7)"}), tokens("nvarchar(200) NULL", "'host-1'", "host-1", "'host-2'", "host-2")} {
		o.Name, o.Mapping.Family, o.Refused = "unfenced, "+o.Name, model.Unfenced, "unfenced"
		if strings.Contains(o.Name, "no token") {
			delete(o.Mapping.Columns, model.RoleToken)
			o.Tokens, o.Seen, o.First, o.Last = [2]string{}, [2]string{}, "", ""
		}
		out = append(out, o)
	}
	version := tokens("rowversion", "", "", "", "")
	version.Held, version.Beats = "rowversion", true
	out = append(out, version)
	for _, lease := range []string{"datetime", "datetime2(3)"} {
		o := oddTable("lease as token, "+lease, "", of{"char(1)", "", lease})
		o.Mapping.Columns[model.RoleToken] = o.Mapping.Columns[model.RoleLease]
		o.Tokens, o.Seen, o.Held, o.Beats = [2]string{}, [2]string{}, "lease and the token in one", true
		o.Lease = func(d time.Duration) string { // Babelfish keeps microseconds in a datetime, and nobody can name those
			return fmt.Sprintf("CONVERT(datetime2(0), DATEADD(second, %d, SYSUTCDATETIME()))", int(d.Seconds()))
		}
		out = append(out, o)
	}
	return out
}

// states gives a table states of another type: what each is in the table.
func states(name, declared string, kind model.Type, values map[model.State]string, unknown string) storetest.Odd {
	c := usual()
	c.state = declared
	o := oddTable(name, "", c)
	o.Mapping.States, o.States = map[model.State]model.Value{}, map[model.State]string{model.StateUnknown: unknown}
	for s, v := range values {
		o.Mapping.States[s] = model.Value{Type: kind, Text: strings.TrimRight(strings.Trim(strings.TrimPrefix(v, "N"), "'"), " ")}
		o.States[s] = v
	}
	return o
}

func oddStates() []storetest.Odd {
	in := func(ready, working, done, failed string) map[model.State]string {
		return map[model.State]string{model.Ready: ready, model.Working: working, model.Done: done, model.Failed: failed}
	}
	return []storetest.Odd{
		states("state char(10)", "char(10)", model.Text, in("'ready'", "'work'", "'done'", "'dead'"), "'else'"),
		states("state nvarchar(20) with spaces", "nvarchar(20)", model.Text, in("N'Bereit  '", "N'läuft   '", "N'fertig'", "N'tot '"), "N'läuft?'"),
		states("state int", "int", model.Int, in("0", "1", "2", "-1"), "7"),
		states("state tinyint", "tinyint", model.Int, in("0", "1", "2", "255"), "7"),
		states("state bit", "bit", model.Int, map[model.State]string{model.Ready: "1", model.Working: "0"}, ""),
		states("state by case", "char(1) COLLATE Latin1_General_CS_AS", model.Text, in("'R'", "'W'", "'D'", "'F'"), "'w'"),
		states("state by any case", "char(1) COLLATE Latin1_General_CI_AS", model.Text, in("'r'", "'w'", "'d'", "'f'"), "'x'"),
	}
}

func oddLeases() []storetest.Odd {
	var out []storetest.Odd
	for _, lease := range []string{"datetime", "datetime2(7)", "datetime2(1)", "datetimeoffset(7)", "smalldatetime"} {
		c := usual()
		c.lease = lease
		o := oddTable("lease "+lease, "", c)
		if strings.HasPrefix(lease, "datetimeoffset") {
			o.First, o.Last = "'0001-01-01T00:00:00+00:00'", "'9999-12-31T23:59:59+00:00'"
			o.Lease = func(d time.Duration) string {
				return fmt.Sprintf("SWITCHOFFSET(TODATETIMEOFFSET(DATEADD(millisecond, %d, SYSUTCDATETIME()), '+00:00'), '-03:30')", d.Milliseconds())
			}
		}
		out = append(out, o)
	}
	for name, clock := range map[string]model.Clock{"lease by the server's clock": model.ClockLocal, "lease by another clock": model.ClockFixed} {
		c := usual()
		c.lease = "datetime"
		o := oddTable(name, "", c)
		o.Mapping.Clock = clock
		now := "GETDATE()"
		if clock == model.ClockFixed {
			o.Mapping.Ahead, now = itsMinutes*time.Minute, fmt.Sprintf("DATEADD(minute, %d, SYSUTCDATETIME())", itsMinutes)
		}
		o.Lease = func(d time.Duration) string {
			return fmt.Sprintf("DATEADD(millisecond, %d, %s)", d.Milliseconds(), now)
		}
		out = append(out, o)
	}
	return out
}
