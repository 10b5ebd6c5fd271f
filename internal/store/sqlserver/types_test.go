package sqlserver

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// TestTypesThatTheDriverWouldTurnIntoSomethingElse: a time of day would arrive as a
// date, and of an XML document no part can be taken.
func TestTypesThatTheDriverWouldTurnIntoSomethingElse(t *testing.T) {
	got, err := readValue(model.Column{Name: "At", Type: valueType("time(7)"), Declared: "time(7)"}, ident("At")).Text()
	if want := "CONVERT(varchar(16), [At])"; err != nil || got != want {
		t.Errorf("a time of day is read as %s, %v, want %s", got, err, want)
	}
	m := mapping(t, profile.Lease)
	c := m.Column(model.RolePayload)
	c.Declared = "xml"
	m.Columns[model.RolePayload] = c
	s, err := Dialect{}.Statement(store.OpPayload, m, &model.Caps{})
	if err != nil || !strings.Contains(s.Texts[0], "SUBSTRING(CONVERT(nvarchar(max), q.["+c.Name+"]), 1, @max)") {
		t.Errorf("an XML payload is read by %v, %v", s.Texts, err)
	}
}

// TestAPurgeOfWhatIsDeletedByItsDequeue: a destructive queue has no such statement, and
// the answer says so.
func TestAPurgeOfWhatIsDeletedByItsDequeue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, destructive(), always(nothing()))
		_, err := w.q.PurgeStatement(t.Context(), store.PurgeAsk{Op: store.OpPurgeDone, Until: time.Now(), N: 1})
		var f *model.Fault
		if !errors.As(err, &f) || f.Class != model.FaultReshaped || !strings.Contains(f.Text, "destructive") {
			t.Errorf("error %v", err)
		}
	})
}
