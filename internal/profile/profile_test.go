package profile

import (
	"testing"

	"github.com/leasetop/leasetop/model"
)

func TestLeaseMapsEveryRole(t *testing.T) {
	m, err := For(Lease, "", model.Table{Schema: "dbo", Name: "QueueDemo"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range model.Roles() {
		if !m.Has(r) {
			t.Errorf("role %s is not mapped", r)
		}
	}
	for _, s := range model.States() {
		if m.States[s].IsNull() {
			t.Errorf("state %s has no value", s)
		}
	}
	if want := (model.Table{Schema: "dbo", Name: "QueueDemo_History"}); m.History != want {
		t.Errorf("history is %v, want %v", m.History, want)
	}
	if m.Queue != "QueueDemo" || !m.Bounded() || m.Family != model.Fenced || m.UsualLease() != model.DefaultLease {
		t.Errorf("queue %q, bounded %v, family %v, lease %v", m.Queue, m.Bounded(), m.Family, m.UsualLease())
	}
	if c := m.Column(model.RoleLease); c != (model.Column{Name: "LeaseUntil", Type: model.Time, Declared: "datetime2(3)"}) {
		t.Errorf("lease column is %+v", c)
	}
}

func TestBareHasNeitherBoundNorHistory(t *testing.T) {
	m, err := For(Bare, "q", model.Table{Name: "QueueDemo"})
	if err != nil {
		t.Fatal(err)
	}
	if m.Bounded() || !m.History.IsZero() || !m.States[model.Scheduled].IsNull() || m.Queue != "q" {
		t.Errorf("bounded %v, history %v, states %v, queue %q", m.Bounded(), m.History, m.States, m.Queue)
	}
	if len(m.Columns) != 4 || len(m.Keys) != 1 {
		t.Errorf("columns %v, keys %v", m.Columns, m.Keys)
	}
}

func TestUnknownProfileSaysWhatWasMeant(t *testing.T) {
	_, err := For("leese", "q", model.Table{Name: "Q"})
	if want := `unknown profile "leese"; did you mean "lease"?`; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}
