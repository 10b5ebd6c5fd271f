package diagnose

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// laneFacts is a checkup of a destructive queue on a server, with an index that has
// nothing to do with its order.
func laneFacts() DoctorFacts {
	s := rowSnapshot(model.FIFO, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), -2*time.Hour, 0, 1)
	s.Mapping.Table, s.Mapping.Lane.Dead = model.Table{Schema: "dbo", Name: "Q"}, model.Table{Schema: "dbo", Name: "Q_Dead"}
	s.Mapping.Columns = map[model.Role]model.Column{model.RoleEnqueued: {Name: "QDateTime", Type: model.Time}}
	s.Mapping.Keys = append(s.Mapping.Keys, model.Column{Name: "Doc", Type: model.Opaque, Declared: "xml"})
	s.Caps = model.Caps{
		Engine: "sqlserver", Login: "ops", ProbedAt: s.Pulse.At, Triggers: model.Triggers{After: true},
		Can: map[model.Feature]model.Verdict{
			model.CanOrder: model.No("no index of dbo.Q leads on QDateTime", "CREATE INDEX"), model.CanBury: model.No("dbo.Q_Dead takes none", "mend it"),
		},
	}
	return DoctorFacts{
		Snapshot: s, Catalog: model.Catalog{Trigger: "Audit", Rows: model.NumberOf(5000), RowVersions: model.NumberOf(0), Edition: "Standard", Online: model.NumberOf(0)},
		Indexes: []model.Index{{Name: "PK_Q", Clustered: true, RowLocks: true, PageLocks: true, Columns: []string{"OrderID"}}},
	}
}

// TestDoctorOfADestructiveQueue applies its own rules and no others. Each finding has
// what it rests on, and whatever a statement mends also what that costs.
func TestDoctorOfADestructiveQueue(t *testing.T) {
	f := laneFacts()
	f.Catalog.Checks = model.Obstacle{Count: model.NumberOf(2), Name: "CK_A"}
	c := Doctor(f)
	found := map[string]model.Diagnosis{}
	var names []string
	for _, d := range c.Findings {
		found[d.Kind] = d
		names = append(names, d.Kind)
		if d.Cure == "" || len(d.Evidence) == 0 || (d.Remedy.Kind == "") != (d.Cost == "") {
			t.Errorf("%s: cure %q, evidence %q, remedy %+v, cost %q", d.Kind, d.Cure, d.Evidence, d.Remedy, d.Cost)
		}
	}
	if got, want := strings.Join(names, " "), "heap no-dead-table trigger future-row comparable mode page-locks row-versions"; got != want || len(c.Unchecked) != 0 {
		t.Errorf("found %q, want %q; unchecked %v", got, want, c.Unchecked)
	}
	if got, want := strings.Join(c.Sound, " "), "disabled-index filtered-index row-locks clock-skew"; got != want {
		t.Errorf("sound %q, want %q", got, want)
	}
	table := f.Snapshot.Mapping.Table
	for kind, want := range map[string]struct {
		evidence string
		remedy   model.Remedy
	}{
		KindHeap:         {"there are PK_Q (OrderID)", model.Remedy{Kind: model.MendIndex, Table: table, Name: "IX_Order", Columns: []string{"QDateTime"}}},
		KindNoDeadLetter: {"the mapping says dead_letters: dbo.Q_Dead; 2 checks there, the first is CK_A", model.Remedy{Kind: model.MendConstraint, Table: f.Snapshot.Mapping.Lane.Dead, Name: "CK_A"}},
		KindTrigger:      {"Audit stands on dbo.Q", model.Remedy{Kind: model.MendDisable, Table: table, Name: "Audit"}},
		KindFutureRow:    {"read as utc, its QDateTime is 2026-03-01T14:00:00Z; the server's clock said 2026-03-01T12:00:00Z", model.Remedy{}},
		"comparable":     {"the catalog declares Doc as xml", model.Remedy{}},
	} {
		d := found[kind]
		if got := strings.Join(d.Evidence, "; "); got != want.evidence || !reflect.DeepEqual(d.Remedy, want.remedy) {
			t.Errorf("%s: %q, %+v; want %q, %+v", kind, got, d.Remedy, want.evidence, want.remedy)
		}
	}
}

// TestTheOrderOfATable holds that a table without an order of its own is given one, and
// that one which could not be looked at is told no statement.
func TestTheOrderOfATable(t *testing.T) {
	heap := laneFacts()
	heap.Indexes = nil
	blind := laneFacts()
	blind.IndexErr = &model.Fault{Class: model.FaultDenied, Text: "no right"}
	for name, c := range map[string]struct {
		f                    DoctorFacts
		kind, evidence, cost string
	}{
		"a heap":            {heap, model.MendClustered, "there is no index", "writes the table anew in that order"},
		"another order":     {laneFacts(), model.MendIndex, "there are PK_Q", "every dequeue keeps it up to date"},
		"it cannot be seen": {blind, "", "could not be read: no right", ""},
	} {
		d := Doctor(c.f).Findings[0]
		if d.Kind != KindHeap || d.Remedy.Kind != c.kind || !strings.Contains(d.Evidence[0], c.evidence) || !strings.Contains(d.Cost, c.cost) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// TestEndsThatAreNotKnown are not sound: nobody has looked at a row's time.
func TestEndsThatAreNotKnown(t *testing.T) {
	f := laneFacts()
	f.Snapshot.Pulse.Data.Head, f.Snapshot.Pulse.Data.Tail = nil, nil
	c := Doctor(f)
	if len(c.Unchecked) != 1 || c.Unchecked[0].Rule != KindFutureRow {
		t.Errorf("unchecked %+v, sound %v", c.Unchecked, c.Sound)
	}
	f.Snapshot.Pulse.Data.Ready.N = 0
	if c = Doctor(f); len(c.Unchecked) != 0 {
		t.Errorf("of an empty queue: %+v", c.Unchecked)
	}
}

// TestARightOnTheDeadLetters is granted by a statement.
func TestARightOnTheDeadLetters(t *testing.T) {
	f := laneFacts()
	f.Catalog.MayRecord = model.NumberOf(0)
	for _, d := range Doctor(f).Findings {
		want := model.Remedy{Kind: model.MendGrant, Name: "INSERT", Table: f.Snapshot.Mapping.Lane.Dead, To: "ops"}
		if d.Kind == KindNoDeadLetter && (!reflect.DeepEqual(d.Remedy, want) || d.Cost == "") {
			t.Errorf("%+v", d)
		}
	}
}
