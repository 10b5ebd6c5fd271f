package sqlserver

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// clock is the server's time in every answer.
const clock = "2026-03-01T12:00:00.1234567"

// facts is what a server says to a probe. The zero facts are a healthy server
// with row versions and a table of the profile lease.
type facts struct {
	profile   string // empty: lease
	babelfish string
	noRCSI    bool
	snapshot  bool
	readOnly  bool
	level     int // compatibility level; 0: 160
	rows      int
	noTable   bool
	view      bool
	noHistory bool
	memory    bool
	instead   bool
	after     bool
	noIndex   bool     // none leads on the state
	unordered bool     // the one that does has not the order of claims
	noAtIndex bool     // the history has none on its time
	obstacle  bool     // a trigger on the history
	without   string   // a column that is not there
	unread    []string // columns that may not be read
	unwritten []string // columns that may not be written
	noInsert  bool     // into the history
	noRecall  bool     // no right to read the history
	noEnqueue bool     // into the table
	heap      bool     // the key is no identity
	refused   string   // a question that this server cannot answer
}

func (f facts) mapping(t testing.TB) *model.Mapping {
	t.Helper()
	name := f.profile
	if name == "" {
		name = profile.Lease
	}
	m, err := profile.For(name, "orders", model.Table{Schema: "dbo", Name: "QueueDemo"})
	if err != nil {
		t.Fatal(err)
	}
	return &m
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// one is an answer of one row by column name; now is added.
func one(values map[string]any) tdstest.Reply {
	columns, row := []string{"now"}, []any{clock}
	for _, name := range sortedKeys(values) {
		columns, row = append(columns, name), append(row, values[name])
	}
	return tdstest.Reply{tdstest.Rows(columns, row)}
}

func sortedKeys(m map[string]any) []string {
	var out []string
	for k := range maps.Keys(m) {
		out = append(out, k)
	}
	return out
}

// answer answers a question of a probe; false: it is none.
func (f facts) answer(t testing.TB, r tdstest.Request) (tdstest.Reply, bool) {
	for name, part := range questions() {
		if text, _ := part.Text(); text != r.Text {
			continue
		}
		if name == f.refused {
			return tdstest.Reply{tdstest.Error{Number: 208, Message: "Invalid object name 'sys." + name + "'."}}, true
		}
		return f.about(t, name), true
	}
	return nil, false
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func (f facts) about(t testing.TB, question string) tdstest.Reply {
	switch question {
	case "server":
		babelfish := any(nil)
		if f.babelfish != "" {
			babelfish = f.babelfish
		}
		level, upd := 160, "READ_WRITE"
		if f.level != 0 {
			level = f.level
		}
		if f.readOnly {
			upd = "READ_ONLY"
		}
		return one(map[string]any{
			"version": "16.0.4135.4", "babelfish": babelfish, "database": "Shop", "login": "ops",
			"rcsi": yes(!f.noRCSI), "snapshot": yes(f.snapshot), "level": level, "updateability": upd,
		})
	case "who":
		return one(map[string]any{"version": "16.0.4135.4", "database": "Shop", "login": "ops"})
	case "tables":
		return f.tablesAnswer()
	case "there":
		return one(map[string]any{"object_id": 42, "history_id": 43})
	case "columns":
		return f.columnsAnswer(t)
	case "indexes":
		return f.indexesAnswer(t)
	}
	t.Errorf("a question that nobody answers: %s", question)
	return nil
}

func (f facts) tablesAnswer() tdstest.Reply {
	id, history, kind := any(42), any(43), "U "
	if f.noTable {
		id = nil
	}
	if f.noHistory || f.profile == profile.Bare {
		history = nil
	}
	if f.view {
		kind = "V"
	}
	return one(map[string]any{
		"object_id": id, "type": kind, "memory": yes(f.memory), "rows": f.rows, "insert": yes(!f.noEnqueue),
		"after": yes(f.after), "instead": yes(f.instead),
		"history_id": history, "history_select": yes(!f.noRecall), "history_insert": yes(!f.noInsert), "history_obstacles": yes(f.obstacle),
	})
}

func (f facts) columnsAnswer(t testing.TB) tdstest.Reply {
	m := f.mapping(t)
	set := tdstest.Set{Columns: []string{"now", "name", "declared", "identity", "select", "update"}}
	has := func(list []string, name string) bool {
		return slices.Contains(list, name)
	}
	for _, r := range model.Roles() {
		c := m.Column(r)
		if c.IsZero() || c.Name == f.without {
			continue
		}
		set.Rows = append(set.Rows, []any{clock, c.Name, c.Declared, yes(r == model.RoleKey && !f.heap), yes(!has(f.unread, c.Name)), yes(!has(f.unwritten, c.Name))})
	}
	return tdstest.Reply{set}
}

func (f facts) indexesAnswer(t testing.TB) tdstest.Reply {
	m := f.mapping(t)
	set := tdstest.Set{Columns: []string{"now", "history", "index", "type", "name"}}
	add := func(history, id, kind int, names ...string) {
		for _, n := range names {
			set.Rows = append(set.Rows, []any{clock, history, id, kind, n})
		}
	}
	add(0, 1, 1, m.Keys[0].Name)
	order := []string{m.Column(model.RoleState).Name}
	for _, r := range []model.Role{model.RolePriority, model.RoleAvailable} {
		if m.Has(r) {
			order = append(order, m.Column(r).Name)
		}
	}
	if f.unordered {
		order = append(order[:1], "Payload")
	}
	if !f.noIndex {
		add(0, 2, 2, order...)
	}
	add(1, 1, 1, "Seq")
	add(1, 2, 2, "JobId", "Seq")
	if !f.noAtIndex {
		add(1, 3, 2, "At")
	}
	return tdstest.Reply{set}
}

// wire is a queue of the store whose server is a tdstest.
type wire struct {
	*tdstest.Server
	db *store.DB
	q  *store.Queue
}

// dial opens a queue over a server that answers a probe by facts and everything
// else by h.
func dial(t *testing.T, f facts, h tdstest.Handler) *wire {
	t.Helper()
	return serve(t, f, func(r tdstest.Request) tdstest.Reply {
		if a, ok := f.answer(t, r); ok {
			return a
		}
		return h(r)
	})
}

// serve opens a queue over a server that answers by h alone.
func serve(t *testing.T, f facts, h tdstest.Handler) *wire {
	t.Helper()
	s := tdstest.New(t, h)
	db, err := Open(tdstest.DSN, Options{Version: "1.2.3", Dialer: s.Dialer()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &wire{s, db, db.Queue(*f.mapping(t))}
}

// probed is a dialled queue that has probed.
func probed(t *testing.T, f facts, h tdstest.Handler) *wire {
	t.Helper()
	w := dial(t, f, h)
	if _, err := w.q.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// sent are the statements beside a probe's.
func (w *wire) sent(t testing.TB) []tdstest.Request {
	var out []tdstest.Request
	for _, r := range w.Requests() {
		if _, ok := (facts{}).answer(t, r); !ok {
			out = append(out, r)
		}
	}
	return out
}

// always answers everything the same way.
func always(parts ...tdstest.Part) tdstest.Handler {
	return func(tdstest.Request) tdstest.Reply { return parts }
}

// nothing is the answer of a statement that found no row: the time alone.
func nothing() tdstest.Set { return tdstest.Rows([]string{"now", "key"}, []any{clock, nil}) }

// replies is a list of replies, one a statement.
type replies struct {
	mu   sync.Mutex
	list []tdstest.Reply
}

// inTurn answers by replies in their order, then by nothing.
func inTurn(list ...tdstest.Reply) tdstest.Handler {
	r := &replies{list: list}
	return func(tdstest.Request) tdstest.Reply {
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.list) == 0 {
			return tdstest.Reply{nothing()}
		}
		next := r.list[0]
		r.list = r.list[1:]
		return next
	}
}
