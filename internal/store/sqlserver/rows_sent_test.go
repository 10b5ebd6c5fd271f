package sqlserver

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

func (f facts) rowColumnsAnswer(t testing.TB) tdstest.Reply {
	m := f.mapping(t)
	set := tdstest.Set{Columns: []string{"now", "dead", "name", "declared", "identity", "computed", "nullable", "select"}}
	add := func(dead int, name, declared string, nullable int) {
		set.Rows = append(set.Rows, []any{clock, dead, name, declared, 0, 0, nullable, 1})
	}
	for _, c := range m.Keys {
		if c.Name == f.without {
			continue
		}
		add(0, c.Name, c.Declared, 0)
		if f.otherDead != "" && c.Name == "OrderID" {
			c.Declared = f.otherDead
		}
		if !f.noHistory {
			add(1, c.Name, c.Declared, 0)
		}
	}
	if f.xml {
		add(0, "Document", "xml", 1)
		add(1, "Document", "xml", 1)
	}
	if !f.noHistory {
		for name, declared := range map[string]string{
			"DeadAt": "datetime2(3)", "Reason": "nvarchar(2000)", "Actor": "nvarchar(128)", "Login": "nvarchar(128)", "ActionId": "uniqueidentifier",
		} {
			add(1, name, declared, 1)
		}
	}
	return tdstest.Reply{set}
}

func destructive() facts { return facts{profile: profile.Destructive} }

func theRowKey() model.Key {
	return model.KeyOf(model.TimeValue("2026-03-01T11:58:00.003"), model.IntValue(17), model.IntValue(4711))
}

// rowAnswer is an answer of one row of the queue.
func rowAnswer(more map[string]any) tdstest.Set {
	values := map[string]any{"present": 1, "key": "2026-03-01T11:58:00.003", "key2": 17, "key3": 4711}
	maps.Copy(values, more)
	return row(values)
}

// noRow is an answer without one.
func noRow() tdstest.Set { return row(map[string]any{"present": 0, "key": nil}) }

var theRowParams = []tdstest.Param{
	arg("key", "varchar(max)", "2026-03-01T11:58:00.003"), arg("key2", "bigint", int64(17)), arg("key3", "bigint", int64(4711)),
}

func rowCalls() []call {
	keyed := func(more ...tdstest.Param) []tdstest.Param {
		return append(append([]tdstest.Param(nil), theRowParams...), more...)
	}
	dead := model.RowKeyOf(theRowKey().Values(), model.GUIDValue(tokenA))
	apply := func(i model.Intent) func(context.Context, *store.Queue) error {
		return func(ctx context.Context, q *store.Queue) error {
			i.ActionID, i.Actor, i.Reason = tokenB, "ops@jump", "stuck since noon"
			_, _, err := q.Apply(ctx, i)
			return err
		}
	}
	page := func(v model.View) func(context.Context, *store.Queue) error {
		return func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Page(ctx, v)
			return err
		}
	}
	limit := []tdstest.Param{arg("limit", "bigint", int64(501))}
	catalog := []tdstest.Param{theTable, arg("history", "nvarchar(22)", "[dbo].[QueueDemo_Dead]")}
	return []call{
		{store.OpCatalog, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Catalog(ctx)
			return err
		}, catalog},
		{store.OpIndexes, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Indexes(ctx)
			return err
		}, catalog},
		{store.OpDepth, "depth.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Pulse(ctx, model.PulseAsk{Since: time.Date(2026, 3, 1, 11, 59, 58, 5e6, time.UTC)})
			return err
		}, []tdstest.Param{arg("cap", "bigint", int64(10_000)), arg("since", "varchar(23)", "2026-03-01T11:59:58.005"), theTable}},
		{store.OpHead, "head.rcsi", page(model.ViewReady), limit},
		{store.OpTail, "tail.rcsi", page(model.ViewTail), limit},
		{store.OpDead, "dead-letters.rcsi", page(model.ViewFailed), limit},
		{store.OpRow, "row.committed", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Inspect(ctx, theRowKey())
			return err
		}, theRowParams},
		{store.OpDeadRow, "dead-row.committed", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Inspect(ctx, dead)
			return err
		}, keyed(theToken)},
		{store.OpRowsOf, "dead-letters-of-act.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Audit(ctx, theRowKey(), tokenB)
			return err
		}, []tdstest.Param{theAction, arg("limit", "bigint", int64(1))}},
		{store.OpPut, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Enqueue(ctx, []model.NewJob{{Payload: `{"CustomerID": 17, "OrderID": "4711"}`}})
			return err
		}, []tdstest.Param{arg("jobs", "nvarchar(max)", `[{"key2":"17","key3":"4711"}]`)}},
		{store.OpDequeue, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Dequeue(ctx, 50)
			return err
		}, []tdstest.Param{arg("n", "bigint", int64(50))}},
		{store.OpBuryMine, "", func(ctx context.Context, q *store.Queue) error {
			return q.Bury(ctx, theRowKey(), tokenB, "ops@jump", "stuck since noon")
		}, keyed(theAction, theActor, theReason)},
		{store.OpBury, "", apply(model.Intent{Action: model.DeadLetter, Key: theRowKey()}), keyed(theAction, theActor, theReason)},
		{store.OpBuryOldest, "", apply(model.Intent{Action: model.DeadLetter, Oldest: 5}), []tdstest.Param{arg("n", "bigint", int64(5)), theAction, theActor, theReason}},
		{store.OpRequeueRow, "", apply(model.Intent{Action: model.Requeue, Key: dead}), keyed(theToken, theAction)},
		{store.OpRequeueKept, "", apply(model.Intent{Action: model.Requeue, Key: dead, KeepTime: true}), keyed(theToken, theAction)},
	}
}

// TestEveryRowOperationArrivesToTheLetter holds the wire to the golden files.
func TestEveryRowOperationArrivesToTheLetter(t *testing.T) {
	seen := map[store.Op]bool{}
	for _, c := range rowCalls() {
		seen[c.op] = true
		t.Run(string(c.op), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, destructive(), always(noRow()))
				if err := c.do(t.Context(), w.q); err != nil {
					t.Fatal(err)
				}
				sent := w.sent(t)
				if len(sent) != 1 {
					t.Fatalf("%d statements were sent, want one", len(sent))
				}
				file := c.file
				if file == "" {
					file = string(c.op)
				}
				golden, err := os.ReadFile(filepath.Join(goldenDir, profile.Destructive, file+".sql"))
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(golden), sent[0].Text+"\n"); d != "" {
					t.Errorf("sent (-golden +sent):\n%s", d)
				}
				if !reflect.DeepEqual(sent[0].Params, c.want) {
					t.Errorf("parameters\n%v\nwant\n%v", sent[0].Params, c.want)
				}
			})
		})
	}
	for _, s := range store.SpecsOf(model.Destructive) {
		// Those of a transaction run within one, which this server does not speak of.
		if !seen[s.Op] && !strings.HasPrefix(string(s.Op), "hold") && s.Op != store.OpBuryHeld {
			t.Errorf("%s is not asserted", s.Op)
		}
	}
}

// TestARowHasItsOwnClock holds that a time is shown in UTC, whatever it was written
// by, and that an age is judged by its own clock.
func TestARowHasItsOwnClock(t *testing.T) {
	for name, c := range map[string]struct {
		clock any
		local bool
		age   time.Duration
	}{
		"UTC":           {nil, false, 2 * time.Minute},
		"local, +02:00": {"2026-03-01T14:00:00.1240000", true, 2*time.Minute + 2*time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := destructive()
				f.local = c.local
				w := probed(t, f, always(rowAnswer(map[string]any{"clock": c.clock, "end": "head", "depth": 3, "dead": 1, "locked": 2, "rows": 3})))
				p, _, err := w.q.Pulse(t.Context(), model.PulseAsk{})
				if err != nil || p.Head == nil {
					t.Fatalf("%+v, %v", p, err)
				}
				if got := p.Head.Waiting.D.Round(time.Second); got != c.age {
					t.Errorf("age %s, want %s", got, c.age)
				}
				if p.Working != (model.Count{N: 2, Trust: model.Estimated}) || p.Ready != (model.Count{N: 3, Trust: model.Exact}) {
					t.Errorf("locked %+v, depth %+v", p.Working, p.Ready)
				}
			})
		})
	}
}

// TestWhatADestructiveQueueLacks holds each verdict of a probe to its reason.
func TestWhatADestructiveQueueLacks(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*facts)
		feature model.Feature
		why     string
		form    string
	}{
		"nothing":            {func(*facts) {}, model.CanControl, "", "rcsi"},
		"a heap":             {func(f *facts) { f.noIndex = true }, model.CanOrder, "no index of dbo.QueueDemo leads on QDateTime: every dequeue reads, locks and sorts the whole table", "rcsi-heap"},
		"no dead letters":    {func(f *facts) { f.noHistory = true }, model.CanControl, "there is no table of dead letters dbo.QueueDemo_Dead", "rcsi"},
		"another type":       {func(f *facts) { f.otherDead = "bigint" }, model.CanBury, "dbo.QueueDemo_Dead has another shape: OrderID is bigint", "rcsi"},
		"a trigger":          {func(f *facts) { f.instead = true }, model.CanWork, "an INSTEAD OF trigger stands on dbo.QueueDemo: what a statement reports may not have happened", "rcsi"},
		"obstacles":          {func(f *facts) { f.obstacle = true }, canReturn, "dbo.QueueDemo has a trigger, a foreign key or a check, and OUTPUT INTO refuses those", "rcsi"},
		"no right":           {func(f *facts) { f.noDelete = true }, model.CanControl, "DELETE on dbo.QueueDemo is missing", "rcsi"},
		"more rights":        {func(f *facts) { f.state = true }, model.CanControl, "", "rcsi-stats"},
		"no row versions":    {func(f *facts) { f.noRCSI = true }, model.CanControl, "", "readpast"},
		"the table is Babel": {func(f *facts) { f.babelfish = "4.3.0" }, model.CanWork, errNoOrderedDelete.Error(), "babelfish"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := destructive()
				c.change(&f)
				w := probed(t, f, always(noRow()))
				caps, _ := w.q.Caps()
				if v := caps.Can[c.feature]; v.Why != c.why || v.OK != (c.why == "") {
					t.Errorf("%s: %+v, want %q", c.feature, v, c.why)
				}
				if got := caps.Form[string(store.OpDepth)]; got != c.form {
					t.Errorf("form %s, want %s", got, c.form)
				}
			})
		})
	}
}

// TestRowsThatCannotBeCompared leave only the oldest to act on.
func TestRowsThatCannotBeCompared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := destructive()
		f.xml = true
		w := probed(t, f, always(noRow()))
		key := model.KeyOf(append(theRowKey().Values(), model.Value{})...)
		_, err := w.q.Render(t.Context(), model.Intent{Action: model.DeadLetter, Key: key})
		if err == nil || !strings.Contains(err.Error(), "Document is xml, which cannot be compared: act on the oldest rows instead") {
			t.Errorf("%v", err)
		}
		if _, err := w.q.Render(t.Context(), model.Intent{Action: model.DeadLetter, Oldest: 3}); err != nil {
			t.Error(err)
		}
	})
}

// TestANullableRow holds how a row with NULLs, text and fractions is told.
func TestANullableRow(t *testing.T) {
	m := mapping(t, profile.Destructive)
	m.Keys = append(m.Keys,
		model.Column{Name: "Note", Type: model.Text, Declared: "nvarchar(50)", Nullable: true},
		model.Column{Name: "Price", Type: model.Fraction, Declared: "money"},
		model.Column{Name: "Seq", Type: model.Int, Declared: "bigint", Made: true},
	)
	c := &model.Caps{Engine: Engine, Form: map[string]string{}}
	for op, want := range map[store.Op][]string{
		store.OpBury: {
			"EXISTS (SELECT CONVERT(varbinary(max), [QueueDemo].[Note]) INTERSECT SELECT CONVERT(varbinary(max), CONVERT(nvarchar(50), @key4)))",
			"[QueueDemo].[Price] = CONVERT(money, @key5)", "CONVERT(varchar(60), d.[Price], 2) AS [key5]",
		},
		store.OpPut:        {"INSERT INTO [dbo].[QueueDemo] ([QDateTime], [CustomerID], [OrderID], [Note], [Price])\n"},
		store.OpRequeueRow: {"INTO [dbo].[QueueDemo] ([QDateTime], [CustomerID], [OrderID], [Note], [Price])\n"},
	} {
		s, err := Dialect{}.Statement(op, m, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(s.Texts[0], part) {
				t.Errorf("%s has no %s:\n%s", op, part, s.Texts[0])
			}
		}
	}
}
