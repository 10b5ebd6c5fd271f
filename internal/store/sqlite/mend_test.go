package sqlite_test

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// TestMendMends makes one fault of each kind, finds it, runs the statement that is
// printed for it, and finds it no more.
func TestMendMends(t *testing.T) {
	full := func(values string) string {
		return "INSERT INTO QueueDemo (State, ClaimToken, LeaseUntil, AvailableAt, CompletedAt, Attempts, MaxAttempts, Payload) VALUES " + values
	}
	for rule, c := range map[string]struct {
		row, mend string
		scan      bool
	}{
		model.SymptomNoToken:   {full("('W', NULL, 1, 1, NULL, 1, 5, '')"), model.MendFree, false},
		model.SymptomNoLease:   {full("('W', 'A', NULL, 1, NULL, 1, 5, '')"), model.MendFree, false},
		model.SymptomUsedUp:    {full("('R', NULL, NULL, 1, NULL, 5, 5, '')"), model.MendBound, false},
		model.SymptomNoEnd:     {full("('F', 'A', NULL, 1, NULL, 5, 5, '')"), model.MendEnded, false},
		model.SymptomDoneLease: {full("('D', 'A', 9, 1, 5, 1, 5, '')"), model.MendLease, true},
	} {
		t.Run(rule, func(t *testing.T) {
			s, _, _ := bound(t, "")
			db := s.Open(t)
			q := db.Queue(mapping(t, profile.Lease, "QueueDemo"))
			run := func(text string) {
				t.Helper()
				if _, err := s.raw.ExecContext(t.Context(), text); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
			}
			run(c.row)
			found, ok := symptom(t, q, rule, c.scan)
			if !ok {
				t.Fatal("not found")
			}
			text, err := q.Mend(model.Remedy{Kind: c.mend, Table: q.Mapping().Table, Key: found.Key})
			if err != nil {
				t.Fatal(err)
			}
			run(text)
			if s, ok := symptom(t, q, rule, c.scan); ok {
				t.Errorf("after\n%s\nit is still there: %+v", text, s)
			}
		})
	}
}

func symptom(t *testing.T, q *store.Queue, rule string, scan bool) (model.Symptom, bool) {
	t.Helper()
	all, _, err := q.Health(t.Context(), scan)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.Rule == rule {
			return s, true
		}
	}
	return model.Symptom{}, false
}

// TestMendIndexes runs the statements that make indexes, and sees them listed.
func TestMendIndexes(t *testing.T) {
	q, _, err := probed(t, profile.Bare, "QueueDemo", strings.Replace(bareDDL, "INTEGER PRIMARY KEY", "INTEGER", 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []model.Remedy{
		{Kind: model.MendIndex, Table: q.Mapping().Table, Name: "Claim", Columns: []string{"State", "JobId"}},
		{Kind: model.MendUnique, Table: q.Mapping().Table, Name: "Key", Columns: []string{"JobId"}},
	} {
		text, err := q.Mend(r)
		if err != nil || !strings.Contains(text, `"IX_QueueDemo_`+r.Name+`" ON "QueueDemo"`) {
			t.Errorf("%q, %v", text, err)
		}
	}
	if text, err := q.Mend(model.Remedy{Kind: model.MendVersions}); err == nil {
		t.Errorf("a file is mended by %q", text)
	}
}

// TestCatalogOfABareTable holds what is said of a table that has no index at all.
func TestCatalogOfABareTable(t *testing.T) {
	q, _, err := probed(t, profile.Bare, "QueueDemo", strings.Replace(bareDDL, "INTEGER PRIMARY KEY", "INTEGER", 1))
	if err != nil {
		t.Fatal(err)
	}
	c, err := q.Catalog(t.Context())
	if err != nil || c.NullableKeys != model.NumberOf(1) || c.Events.Known || c.Rows != model.NumberOf(0) {
		t.Errorf("%+v, %v", c, err)
	}
	if all, err := q.Indexes(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestATriggerIsNamed holds that the one trigger of a table is named, and what drops it.
func TestATriggerIsNamed(t *testing.T) {
	q, _, err := probed(t, profile.Bare, "QueueDemo", bareDDL+`CREATE TRIGGER "on ""update""" AFTER UPDATE ON QueueDemo BEGIN SELECT 1; END`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := q.Catalog(t.Context())
	if err != nil || c.Trigger != `on "update"` {
		t.Errorf("%+v, %v", c, err)
	}
	text, err := q.Mend(model.Remedy{Kind: model.MendDisable, Table: q.Mapping().Table, Name: c.Trigger})
	if want := `DROP TRIGGER "on ""update""";`; err != nil || text != want {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
}

// TestNoGUIDIsWrittenOverANumber: a row whose token is of another type is not freed by
// a GUID.
func TestNoGUIDIsWrittenOverANumber(t *testing.T) {
	m := mapping(t, profile.Lease, "QueueDemo")
	m.Columns[model.RoleToken] = model.Column{Name: "Version", Type: model.Int, Declared: "INTEGER"}
	got, err := sqlite.New(sqlite.Options{}).Mend(&m, model.Remedy{Kind: model.MendFree, Key: model.KeyOf(model.IntValue(7))})
	if err == nil {
		t.Errorf("offered %s", got)
	}
}
