package sqlite_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

const bareDDL = `CREATE TABLE QueueDemo (JobId INTEGER PRIMARY KEY, State TEXT NOT NULL, ClaimToken TEXT, LeaseUntil INTEGER, Payload TEXT NOT NULL);`

// probed runs a script in a new file and binds a profile to the table QueueDemo.
func probed(t *testing.T, name, table, script string) (*store.Queue, model.Caps, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "q.db")
	raw := openRaw(t, path)
	if _, err := raw.ExecContext(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	q := open(t, sqlite.Options{Path: path}).Queue(mapping(t, name, table))
	caps, err := q.Probe(t.Context())
	return q, caps, err
}

// TestReshaped is every way in which a table is not the mapped one.
func TestReshaped(t *testing.T) {
	for name, c := range map[string]struct{ profile, table, script, want, cure string }{
		"empty file":   {profile.Bare, "QueueDemo", "PRAGMA user_version = 1", "no table QueueDemo", "tables: none"},
		"a near name":  {profile.Bare, "QueuDemo", bareDDL, "no table QueuDemo", "perhaps QueueDemo is meant"},
		"another name": {profile.Bare, "Zebra", bareDDL + "CREATE TABLE Other (a)", "no table Zebra", "Other, QueueDemo"},
		"a view":       {profile.Bare, "V", bareDDL + "CREATE VIEW V AS SELECT * FROM QueueDemo", "V is a view", "below it"},
		"a column":     {profile.Bare, "QueueDemo", strings.Replace(bareDDL, "LeaseUntil", "LeaseUntill", 1), "no column LeaseUntil", "perhaps LeaseUntill is meant"},
		"the profile":  {profile.Lease, "QueueDemo", bareDDL, "no column Priority", "profile bare"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := probed(t, c.profile, c.table, c.script)
			f := fault(t, err)
			if f.Class != model.FaultReshaped || !strings.Contains(f.Text, c.want) || !strings.Contains(f.Cure, c.cure) {
				t.Errorf("%s: %v", f.Class, f)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "q.db")
	if _, err := openRaw(t, path).ExecContext(t.Context(), bareDDL); err != nil {
		t.Fatal(err)
	}
	m := mapping(t, profile.Bare, "QueueDemo")
	m.Table.Schema = "dbo"
	_, err := open(t, sqlite.Options{Path: path}).Queue(m).Probe(t.Context())
	if f := fault(t, err); !strings.Contains(f.Text, "no schema dbo") {
		t.Error(f)
	}
	m.Table.Schema, m.Clock = "", model.ClockLocal
	_, err = open(t, sqlite.Options{Path: path}).Queue(m).Probe(t.Context())
	if f := fault(t, err); f.Class != model.FaultTarget || !strings.Contains(f.Text, "read and written as UTC") {
		t.Error(f)
	}
	m.Clock = model.ClockUnknown
	m.Table = model.Table{Schema: "main", Name: "queuedemo"}
	if _, err := open(t, sqlite.Options{Path: path}).Queue(m).Probe(t.Context()); err != nil {
		t.Errorf("names are without case here: %v", err)
	}
}

// TestCaps holds what a probe finds out about tables that people make.
func TestCaps(t *testing.T) {
	no := func(caps model.Caps, f model.Feature) string { return caps.Allows(f).Why }
	trigger := func(head, body string) string {
		return bareDDL + "CREATE TRIGGER \"on update\" " + head + " ON QueueDemo BEGIN " + body + "; END"
	}
	for name, c := range map[string]struct {
		script string
		check  func(model.Caps) bool
	}{
		"small, no index": {bareDDL, func(c model.Caps) bool {
			return c.Allows(model.CanCount).OK && c.Allows(model.CanControl).OK && c.Allows(model.CanWork).OK && !c.Ours
		}},
		"no history": {bareDDL, func(c model.Caps) bool { return strings.Contains(no(c, model.CanHistory), "no history") }},
		"a key that is not unique": {strings.Replace(bareDDL, "INTEGER PRIMARY KEY", "INTEGER", 1), func(c model.Caps) bool {
			return strings.Contains(no(c, model.CanControl), "not unique") && strings.Contains(no(c, model.CanWork), "not unique")
		}},
		"a unique index on the key": {strings.Replace(bareDDL, "INTEGER PRIMARY KEY", "INTEGER", 1) + "CREATE UNIQUE INDEX u ON QueueDemo (JobId)", func(c model.Caps) bool {
			return c.Allows(model.CanControl).OK
		}},
		"a unique index on part of the rows": {strings.Replace(bareDDL, "INTEGER PRIMARY KEY", "INTEGER", 1) + "CREATE UNIQUE INDEX u ON QueueDemo (JobId) WHERE State = 'R'", func(c model.Caps) bool {
			return !c.Allows(model.CanControl).OK
		}},
		"an AFTER trigger": {trigger("AFTER UPDATE", "SELECT 1"), func(c model.Caps) bool {
			return c.Triggers.After && !c.Triggers.Instead && c.Allows(model.CanControl).OK
		}},
		"a trigger that may skip a row": {trigger("BEFORE UPDATE OF State", "SELECT RAISE(IGNORE)"), func(c model.Caps) bool {
			return c.Triggers.Instead && strings.Contains(no(c, model.CanControl), "trigger")
		}},
		"the same without the word": {trigger("UPDATE", "SELECT RAISE(ignore)"), func(c model.Caps) bool { return c.Triggers.Instead }},
		"a trigger on inserts":      {trigger("BEFORE INSERT", "SELECT RAISE(IGNORE)"), func(c model.Caps) bool { return c.Triggers == model.Triggers{} }},
	} {
		t.Run(name, func(t *testing.T) {
			_, caps, err := probed(t, profile.Bare, "QueueDemo", c.script)
			if err != nil {
				t.Fatal(err)
			}
			if !c.check(caps) {
				t.Errorf("%+v", caps)
			}
		})
	}
}

// TestUnindexed is a large table without an index on its state: nothing that would
// scan it is sent, and the reason names the index.
func TestUnindexed(t *testing.T) {
	rows := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
INSERT INTO QueueDemo SELECT i, 'D', NULL, NULL, '' FROM n;`
	q, caps, err := probed(t, profile.Bare, "QueueDemo", bareDDL+rows)
	if err != nil {
		t.Fatal(err)
	}
	v := caps.Allows(model.CanCount)
	if v.OK || !strings.Contains(v.Why, "State") || v.Fix != `CREATE INDEX "IX_QueueDemo_State" ON "QueueDemo" ("State", "JobId")` {
		t.Errorf("%+v", v)
	}
	_, _, err = q.Pulse(t.Context(), model.PulseAsk{})
	if f := fault(t, err); f.Class != model.FaultReshaped || !strings.Contains(f.Text, "CREATE INDEX") {
		t.Error(f)
	}
	_, err = q.Claim(t.Context(), guid(1), "w", 1, time.Minute)
	if f := fault(t, err); f.Class != model.FaultReshaped {
		t.Error(f)
	}
	if _, _, err := q.Inspect(t.Context(), model.KeyOf(model.IntValue(7))); err != nil {
		t.Errorf("a row is still found by its key: %v", err)
	}

	q, caps, err = probed(t, profile.Bare, "QueueDemo", bareDDL+rows+v.Fix)
	if err != nil || !caps.Allows(model.CanCount).OK {
		t.Fatalf("after the cure: %+v, %v", caps.Allows(model.CanCount), err)
	}
	p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
	if err != nil || p.Done.N != 10001 || p.Ready != (model.Count{Trust: model.Exact}) {
		t.Errorf("%+v, %v", p, err)
	}

	partial := "CREATE INDEX r ON QueueDemo (JobId) WHERE State = 'R'; CREATE INDEX w ON QueueDemo (LeaseUntil) WHERE State = 'W'"
	q, caps, err = probed(t, profile.Bare, "QueueDemo", bareDDL+rows+partial)
	if err != nil || !caps.Allows(model.CanCount).OK || len(caps.Notes) == 0 {
		t.Fatalf("indexes of two states: %+v, %v", caps, err)
	}
	if p, _, err = q.Pulse(t.Context(), model.PulseAsk{}); err != nil || p.Failed.Known() || !p.Ready.Known() {
		t.Errorf("the failed rows have no index and must not be counted: %+v, %v", p, err)
	}
}

// TestCapped is more of a state than is counted.
func TestCapped(t *testing.T) {
	q, _, err := probed(t, profile.Bare, "QueueDemo", bareDDL+`CREATE INDEX s ON QueueDemo (State, JobId);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
INSERT INTO QueueDemo SELECT i, 'R', NULL, NULL, '' FROM n;`)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
	if err != nil || p.Ready != (model.Count{N: store.CountCap, Trust: model.Capped}) || p.Done.Known() {
		t.Errorf("ready %+v, done %+v, %v", p.Ready, p.Done, err)
	}
}

// TestHistoryGone is the shipped table without its history: it is still worked,
// and no statement names the missing table.
func TestHistoryGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.db")
	m := mapping(t, profile.Lease, "QueueDemo")
	if err := open(t, sqlite.Options{Path: path, Create: true}).MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	if _, err := openRaw(t, path).ExecContext(t.Context(), "DROP TABLE QueueDemo_History"); err != nil {
		t.Fatal(err)
	}
	q := open(t, sqlite.Options{Path: path}).Queue(m)
	caps, err := q.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if v := caps.Allows(model.CanHistory); v.OK || !strings.Contains(v.Why, "QueueDemo_History") || caps.Ours {
		t.Errorf("%+v, ours %v", v, caps.Ours)
	}
	if _, err := q.Enqueue(t.Context(), []model.NewJob{{Payload: "a"}}); err != nil {
		t.Fatal(err)
	}
	c, err := q.Claim(t.Context(), guid(1), "w", 1, time.Minute)
	if err != nil || len(c) != 1 {
		t.Fatal(c, err)
	}
	if done, err := q.Complete(t.Context(), c[0].Key, c[0].Token); err != nil || len(done) != 1 {
		t.Error(done, err)
	}
	if !m.History.IsZero() && q.Mapping().History != (model.Table{}) {
		t.Error("the binding still names the history")
	}
}

// TestOddNames is a table whose names need quoting everywhere.
func TestOddNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.db")
	m := mapping(t, profile.Lease, `it's "my" table; --`)
	m.Columns[model.RolePayload] = model.Column{Name: `pay"load ]`, Type: model.Text}
	db := open(t, sqlite.Options{Path: path, Create: true})
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	q := db.Queue(m)
	if _, err := q.Enqueue(t.Context(), []model.NewJob{{Payload: "a"}}); err != nil {
		t.Fatal(err)
	}
	c, err := q.Claim(t.Context(), guid(1), "w", 1, time.Minute)
	if err != nil || len(c) != 1 || c[0].Payload != "a" {
		t.Fatal(c, err)
	}
	if p, _, err := q.Pulse(t.Context(), model.PulseAsk{}); err != nil || p.Working.N != 1 || p.Enqueued.N != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestPartialMappings is a mapping that names less: every statement is sound or
// absent with its reason.
func TestPartialMappings(t *testing.T) {
	s, _, caps := bound(t, "ms")
	for name, c := range map[string]struct {
		change func(*model.Mapping)
		absent []store.Op
	}{
		"no failed state":  {func(m *model.Mapping) { delete(m.States, model.Failed) }, nil},
		"no done state":    {func(m *model.Mapping) { delete(m.States, model.Done) }, []store.Op{store.OpComplete}},
		"no working state": {func(m *model.Mapping) { delete(m.States, model.Working) }, []store.Op{store.OpPulse, store.OpClaim, store.OpReclaim}},
		"no token":         {func(m *model.Mapping) { delete(m.Columns, model.RoleToken) }, []store.Op{store.OpClaim, store.OpReclaim, store.OpForce}},
		"no lease":         {func(m *model.Mapping) { delete(m.Columns, model.RoleLease) }, []store.Op{store.OpClaim, store.OpRecover}},
		"no payload":       {func(m *model.Mapping) { delete(m.Columns, model.RolePayload) }, []store.Op{store.OpPayload, store.OpEnqueue}},
		"two key columns": {func(m *model.Mapping) {
			m.Keys = append(m.Keys, model.Column{Name: "Payload", Type: model.Text, Declared: "TEXT"})
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			m := mapping(t, profile.Bare, "QueueDemo")
			c.change(&m)
			for _, spec := range store.Specs() {
				st, err := s.Dialect().Statement(spec.Op, &m, &caps)
				if gone := slices.Contains(c.absent, spec.Op); gone && err == nil {
					t.Errorf("%s has a statement", spec.Op)
				}
				for _, text := range st.Texts {
					prepare(t, s, text)
				}
			}
		})
	}
}
