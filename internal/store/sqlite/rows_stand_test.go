package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

func TestRowContract(t *testing.T) { storetest.RunRows(t, bench{}) }

func (bench) CanRow(store.Op, storetest.RowShape) (bool, string) { return true, "" }

func (b bench) Rows(t testing.TB, s storetest.RowShape) storetest.RowStand {
	t.Helper()
	base, ok := b.Stand(t).(*stand)
	if !ok {
		t.Fatal("not a stand")
	}
	m, err := profile.For(profile.Destructive, "orders", model.Table{Name: "CustomerOrderToShip"})
	if err != nil {
		t.Fatal(err)
	}
	m.Lane.Order = s.Order
	if err := base.Open(t).MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	return &rowStand{stand: base, m: m}
}

// rowStand is one file with a destructive queue.
type rowStand struct {
	*stand
	m model.Mapping
}

func (s *rowStand) Mapping() model.Mapping { return s.m }

func (s *rowStand) Advance(_ testing.TB, d time.Duration) { s.clock.advance(d) }

func (s *rowStand) Row(t testing.TB, at time.Duration, customer, order int64) {
	t.Helper()
	s.exec(t, "INSERT INTO CustomerOrderToShip (QDateTime, CustomerID, OrderID) VALUES (?, ?, ?)",
		s.clock.Now().Add(at).UnixMilli(), customer, order)
}

// rowQueue is a destructive queue of the fifo shape, bound.
func rowQueue(t *testing.T) (*rowStand, *store.Queue) {
	t.Helper()
	s, ok := bench{}.Rows(t, storetest.RowShape{Order: model.FIFO}).(*rowStand)
	if !ok {
		t.Fatal("not a stand")
	}
	q := s.Open(t).Queue(s.m)
	if _, err := q.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, q
}

// TestCommitOfASilentSession has other sessions take the rows of one that stood
// still for too long: its commit ends nothing of theirs and says so.
func TestCommitOfASilentSession(t *testing.T) {
	s, q := rowQueue(t)
	s.Row(t, -time.Minute, 7, 1)
	s.Row(t, -time.Second, 7, 2)
	h, err := q.Hold(t.Context(), "a session", 2)
	if err != nil {
		t.Fatal(err)
	}
	s.exec(t, "DELETE FROM CustomerOrderToShip_Locks WHERE Row = 1") // as whoever finds it silent does
	var f *model.Fault
	if err := h.Commit(t.Context()); !errors.As(err, &f) || f.Class != model.FaultRaced {
		t.Errorf("commit: %v", err)
	}
	if p, _, err := q.Pulse(t.Context(), model.PulseAsk{}); err != nil || p.Ready.N != 1 {
		t.Errorf("%d rows are left, %v; the row that was no longer held is not the session's to end", p.Ready.N, err)
	}
}

// wide is a table by hand: more columns than the mapping names, with NULLs, text
// times and no table beside it.
const wide = `CREATE TABLE Wide (At DATETIME, Note TEXT COLLATE NOCASE, Price NUMERIC, Raw BLOB, Big INTEGER)`

func wideQueue(t *testing.T, more ...string) (*stand, *store.Queue, model.Caps) {
	t.Helper()
	s, ok := bench{}.Stand(t).(*stand)
	if !ok {
		t.Fatal("not a stand")
	}
	for _, text := range append([]string{wide}, more...) {
		s.exec(t, text)
	}
	by := model.Column{Name: "At", Type: model.Time, Declared: "datetime"}
	q := s.Open(t).Queue(model.Mapping{
		Queue: "wide", Family: model.Destructive, Table: model.Table{Name: "Wide"}, Keys: []model.Column{by},
		Columns: map[model.Role]model.Column{model.RoleEnqueued: by},
		Lane:    model.Lane{Order: model.FIFO, Clock: model.ClockUTC, Dead: model.Table{Name: "Wide_Dead"}},
	})
	caps, err := q.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s, q, caps
}

const wideDead = `CREATE TABLE Wide_Dead (At DATETIME, Note TEXT, Price NUMERIC, Raw BLOB, Big INTEGER,
  DeadAt INTEGER, Reason TEXT, Actor TEXT, Login TEXT, ActionId TEXT)`

// TestARowIsAllItsColumns holds that rows which differ in a column that the mapping
// does not name, or only in a NULL, are different rows.
func TestARowIsAllItsColumns(t *testing.T) {
	s, q, caps := wideQueue(t, wideDead)
	if v := caps.Allows(model.CanBury); !v.OK || caps.Emulated {
		t.Errorf("dead letters %v, emulated %v", v, caps.Emulated)
	}
	rows := [][]any{
		{"2026-03-01 11:59:00.000", "a,b\\", 1.5, []byte{0, 0xff}, int64(1) << 62},
		{"2026-03-01 11:59:00.000", nil, 1.5, []byte{0, 0xff}, int64(1) << 62},
		{"2026-03-01 11:59:00.000", "A,b\\", 1.5, []byte{0, 0xff}, int64(1) << 62},
		{"2026-03-01 11:59:00.000", "a,b\\", nil, nil, nil},
		{nil, nil, nil, nil, nil},
		{nil, nil, nil, nil, nil},
		{"2026-03-01 11:59:00.000", "NULL", 0, []byte{}, 0},
		{nil, nil, 0.3, nil, nil},
		{nil, nil, 0.30000000000000004, nil, nil}, // its text has all of its digits
	}
	for _, r := range rows {
		s.exec(t, "INSERT INTO Wide VALUES (?, ?, ?, ?, ?)", r...)
	}
	p, _, err := q.Page(t.Context(), model.ViewReady)
	if err != nil || len(p.Jobs) != 8 {
		t.Fatalf("%d different rows, %v; want 8", len(p.Jobs), err)
	}
	for i, j := range p.Jobs {
		read, err := model.ParseRow(q.Mapping().Keys, model.RowText(q.Mapping().Keys, j.Key))
		if err != nil || read != j.Key {
			t.Errorf("%s is read as %s: %v", model.RowText(q.Mapping().Keys, j.Key), read, err)
		}
		got, _, err := q.Inspect(t.Context(), j.Key)
		if err != nil || got == nil || got.Copies != j.Copies {
			t.Errorf("inspect %s = %+v, %v", j.Key, got, err)
		}
		c, _, err := q.Apply(t.Context(), model.Intent{
			Action: model.DeadLetter, Key: j.Key, ActionID: fmt.Sprintf("0E5E70B5-0000-4000-8000-%012X", i), Actor: "ops",
		})
		if err != nil || len(c) != 1 || c[0].Key != j.Key || c[0].Alike.N != j.Copies.N-1 {
			t.Errorf("dead letter of %s: %+v, %v", j.Key, c, err)
		}
	}
	dead, _, err := q.Page(t.Context(), model.ViewFailed)
	if err != nil || len(dead.Jobs) != 8 {
		t.Errorf("%d dead letters, %v", len(dead.Jobs), err)
	}
}

// TestWhatAHandMadeTableLacks holds that each thing that is missing is named with
// its cure, and costs only what needs it.
func TestWhatAHandMadeTableLacks(t *testing.T) {
	for _, c := range []struct {
		name  string
		more  []string
		why   string
		order bool
	}{
		{"no dead letters", nil, "there is no table of dead letters Wide_Dead", false},
		{"another shape", []string{"CREATE TABLE Wide_Dead (At DATETIME, Note TEXT, DeadAt INTEGER, Reason TEXT, Actor TEXT, Login TEXT, ActionId TEXT)"},
			"Wide_Dead has another shape: it lacks Price, Raw, Big", false},
		{"a heap", []string{wideDead}, "", false},
		{"an index of the order", []string{wideDead, "CREATE INDEX IX ON Wide (At)"}, "", true},
		{"a trigger that skips", []string{wideDead, "CREATE TRIGGER Tr BEFORE DELETE ON Wide BEGIN SELECT RAISE(IGNORE); END"},
			"a trigger on the table can skip a delete without saying so", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, q, caps := wideQueue(t, c.more...)
			if v := caps.Allows(model.CanControl); v.OK != (c.why == "") || v.Why != c.why {
				t.Errorf("control %+v, want %q", v, c.why)
			}
			if v := caps.Allows(model.CanOrder); v.OK != c.order || !v.OK && v.Fix == "" {
				t.Errorf("order %+v", v)
			}
			if _, err := q.Hold(t.Context(), "x", 1); err == nil {
				t.Error("a transaction without a lock table")
			}
			s.exec(t, "INSERT INTO Wide (At, Note) VALUES ('2026-03-01 11:00:00.000', 'x')")
			p, _, err := q.Page(t.Context(), model.ViewReady)
			if err != nil || len(p.Jobs) != 1 || p.Jobs[0].Locked.Known || p.Jobs[0].Waiting.D.Round(time.Minute) != time.Hour {
				t.Errorf("list %+v, %v", p.Jobs, err)
			}
			if caps.Triggers.Instead {
				return
			}
			if got, err := q.Dequeue(t.Context(), 1); err != nil || len(got) != 1 {
				t.Errorf("dequeue %v, %v", got, err)
			}
		})
	}
}

// TestRowGolden holds every statement of a destructive queue to its text in
// testdata, and to finding its rows by an index.
func TestRowGolden(t *testing.T) {
	s, q := rowQueue(t)
	caps, _ := q.Caps()
	dir := filepath.Join("testdata", "sql", "destructive")
	var written []string
	for _, spec := range store.SpecsOf(model.Destructive) {
		st, err := s.Dialect().Statement(spec.Op, q.Mapping(), &caps)
		if err != nil {
			t.Error(err)
			continue
		}
		written = append(written, string(spec.Op)+".sql")
		compare(t, filepath.Join(dir, string(spec.Op)+".sql"), st)
		for _, text := range st.Texts {
			plan := strings.Join(s.plan(t, text), "\n")
			if strings.Contains(plan, "SCAN q\n") || strings.HasSuffix(plan, "SCAN q") || strings.Contains(plan, "TEMP B-TREE") && !slices.Contains([]store.Op{store.OpPut, store.OpRowsOf, store.OpIndexes}, spec.Op) {
				t.Errorf("%s reads or sorts all:\n%s\n%s", spec.Op, plan, text)
			}
		}
	}
	st, err := s.Dialect().Schema(q.Mapping())
	if err != nil {
		t.Fatal(err)
	}
	compare(t, filepath.Join(dir, "schema.sql"), st)
	unused(t, dir, append(written, "schema.sql"))
}

// TestRowNumbersAreAnOrder has a queue in the order of its rows' own numbers: the table
// is the index that leads on them, and both ends are one step away.
func TestRowNumbersAreAnOrder(t *testing.T) {
	for name, c := range map[string]struct {
		key   string
		order bool
	}{
		"the row's number":     {"Id INTEGER PRIMARY KEY", true},
		"a number beside it":   {"Id INT PRIMARY KEY ON CONFLICT FAIL", true}, // with an index of its own
		"a number without one": {"Id INTEGER", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, ok := bench{}.Stand(t).(*stand)
			if !ok {
				t.Fatal("not a stand")
			}
			s.exec(t, "CREATE TABLE Numbered ("+c.key+", Note TEXT)")
			s.exec(t, "INSERT INTO Numbered VALUES (2, 'b'), (1, 'a'), (3, 'c')")
			by := model.Column{Name: "id", Type: model.Int, Declared: "int"}
			q := s.Open(t).Queue(model.Mapping{
				Queue: "numbered", Family: model.Destructive, Table: model.Table{Name: "Numbered"}, Keys: []model.Column{by},
				Columns: map[model.Role]model.Column{model.RoleEnqueued: by}, Lane: model.Lane{Order: model.FIFO, Clock: model.ClockUTC},
			})
			caps, err := q.Probe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if v := caps.Allows(model.CanOrder); v.OK != c.order {
				t.Errorf("order %+v, want %v", v, c.order)
			}
			p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
			if err != nil || (p.Head != nil) != c.order {
				t.Fatalf("head %+v, %v; want one: %v", p.Head, err, c.order)
			}
			if c.order && (p.Head.Key.Values()[0].Text != "1" || p.Tail.Key.Values()[0].Text != "3") {
				t.Errorf("the ends are %s and %s, want 1 and 3", p.Head.Key, p.Tail.Key)
			}
		})
	}
}
