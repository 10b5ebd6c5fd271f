package sqlserver

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// facts is what a server says to a probe. The zero facts are a healthy server
// with row versions and a table of the profile lease.
type facts struct {
	profile     string            // empty: lease
	token       string            // how its token is declared; empty: as the profile says
	declared    map[string]string // the same of other columns, by name
	babelfish   string
	noRCSI      bool
	snapshot    bool
	readOnly    bool
	level       int // compatibility level; 0: 160
	rows        int
	noTable     bool
	view        bool
	noHistory   bool
	memory      bool
	instead     bool
	after       bool
	noIndex     bool       // none leads on the state
	insist      bool       // the user wants the figures all the same
	bothWays    bool       // the one that does has the priority the other way round
	unordered   bool       // the one that does has not the order of claims
	noAtIndex   bool       // the history has none on its time
	obstacle    bool       // a trigger on the history
	without     string     // a column that is not there
	unread      []string   // columns that may not be read
	unwritten   []string   // columns that may not be written
	noInsert    bool       // into the history
	noRecall    bool       // no right to read the history
	noEnqueue   bool       // into the table
	heap        bool       // the key is no identity
	noBrake     int        // the error that the question after the brake meets; 0: it is there
	unclustered bool       // the key has an index beside the clustered one, or the table is a heap
	refused     string     // a question that this server cannot answer
	callable    []store.Op // operations whose procedures may be called

	local     bool           // of a destructive queue: its times are the server's local ones
	xml       bool           // a column of it cannot be compared
	otherDead string         // how its dead letters declare OrderID
	noDelete  bool           // no right to DELETE
	noForget  bool           // the same of the history
	state     bool           // VIEW DATABASE STATE
	server    map[string]any // what it says of itself beside
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
	m.AllowScan = f.insist
	if f.token != "" {
		m.Columns[model.RoleToken] = model.Column{Name: "ClaimToken", Type: typeOf(f.token), Declared: f.token}
	}
	if f.local {
		m.Lane.Clock = model.ClockLocal
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

// askedBy gives the name of a probe's question by its text. They are rendered once: a
// server looks at every statement.
var askedBy = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for name, part := range questions() {
		text, _ := part.Text()
		out[text] = name
	}
	m, err := profile.For(profile.Lease, "orders", model.Table{Schema: "dbo", Name: "QueueDemo"})
	if err != nil {
		panic(err)
	}
	ask, err := askBrake(&m)
	if err != nil {
		panic(err)
	}
	out[ask.Texts[0]] = "brake"
	return out
})

// answer answers a question of a probe; false: it is none.
func (f facts) answer(t testing.TB, r tdstest.Request) (tdstest.Reply, bool) {
	name, ok := askedBy()[r.Text]
	switch {
	case !ok:
		return nil, false
	case name == "brake" && f.noBrake != 0:
		return tdstest.Reply{tdstest.Error{Number: int32(f.noBrake), Class: 16, State: 1, Message: "The brake cannot be read."}}, true
	case name == "brake":
		return one(map[string]any{"braked": 0}), true
	case name == f.refused:
		return tdstest.Reply{tdstest.Error{Number: 208, Message: "Invalid object name 'sys." + name + "'."}}, true
	}
	return f.about(t, name), true
}

func textOf(v any) string {
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
	case "procedures":
		return f.proceduresAnswer()
	case "row-columns":
		return f.rowColumnsAnswer(t)
	case "rows":
		return one(map[string]any{"delete": yes(!f.noDelete), "dead_delete": 1, "state": yes(f.state), "obstacles": yes(f.obstacle)})
	case "facts":
		server := map[string]any{"state": yes(f.state)}
		maps.Copy(server, f.server)
		return one(server)
	case "edition":
		return one(f.server)
	}
	t.Errorf("a question that nobody answers: %s", question)
	return nil
}

// proceduresAnswer are the shipped procedures, those that this login may call.
func (f facts) proceduresAnswer() tdstest.Reply {
	set := tdstest.Set{Columns: []string{"now", "name", "execute"}, Rows: [][]any{{clock, nil, nil}}}
	for _, op := range f.callable {
		set.Rows = append(set.Rows, []any{clock, procedureTable(&model.Mapping{Table: model.Table{Name: "QueueDemo"}}, op).Name, 1})
	}
	return tdstest.Reply{set}
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
		"object_id": id, "type": kind, "memory": yes(f.memory), "rows": f.rows, "insert": yes(!f.noEnqueue), "delete": yes(!f.noDelete), "history_delete": yes(!f.noForget),
		"after": yes(f.after), "instead": yes(f.instead),
		"history_id": history, "history_select": yes(!f.noRecall), "history_insert": yes(!f.noInsert), "history_obstacles": yes(f.obstacle),
	})
}

func (f facts) columnsAnswer(t testing.TB) tdstest.Reply {
	m := f.mapping(t)
	set := tdstest.Set{Columns: []string{"now", "name", "declared", "nullable", "identity", "select", "update"}}
	has := func(list []string, name string) bool {
		return slices.Contains(list, name)
	}
	for _, r := range model.Roles() {
		c := m.Column(r)
		if c.IsZero() || c.Name == f.without {
			continue
		}
		declared, nullable := strings.CutSuffix(cmp.Or(f.declared[c.Name], c.Declared), " NULL")
		set.Rows = append(set.Rows, []any{clock, c.Name, declared, yes(nullable), yes(r == model.RoleKey && !f.heap), yes(!has(f.unread, c.Name)), yes(!has(f.unwritten, c.Name))})
	}
	return tdstest.Reply{set}
}

func (f facts) indexesAnswer(t testing.TB) tdstest.Reply {
	m := f.mapping(t)
	set := tdstest.Set{Columns: []string{"now", "history", "index", "type", "name", "descending"}}
	add := func(history, id, kind int, names ...string) {
		for _, n := range names {
			set.Rows = append(set.Rows, []any{clock, history, id, kind, n, yes(f.bothWays && n == "Priority")})
		}
	}
	if m.IsDestructive() {
		if !f.noIndex {
			add(0, 1, 1, "QDateTime")
		}
		add(1, 1, 1, "DeadAt")
		return tdstest.Reply{set}
	}
	clustered := 1
	if f.unclustered {
		clustered = 2
	}
	add(0, 1, clustered, m.Keys[0].Name)
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
	if f.profile != profile.Bare {
		add(0, 3, 2, "OperationId")
		if !f.noIndex {
			add(0, 4, 2, m.Column(model.RoleState).Name, m.Column(model.RoleAvailable).Name)
		}
	}
	add(1, 1, 1, "Seq")
	add(1, 2, 2, "JobId", "Seq")
	if !f.noAtIndex {
		add(1, 3, 2, "At")
	}
	return tdstest.Reply{set}
}
