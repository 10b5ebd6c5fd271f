package sqlite_test

import (
	"errors"
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

// scratchQueue makes a table by a name in a file of its own.
func scratchQueue(t *testing.T, name string) (*store.DB, model.Mapping) {
	t.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: filepath.Join(t.TempDir(), "q.db"), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	m, err := profile.For(profile.Lease, "", model.Table{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	return db, m
}

// Statements with a mistake are for scratch tables, and each flaw has some.
func TestFlawsAreForScratchTables(t *testing.T) {
	db, m := scratchQueue(t, "Orders")
	if _, err := db.Flawed(m, store.FlawCompletionByKey); err == nil || !strings.Contains(err.Error(), "Orders is no scratch table") {
		t.Errorf("a table of somebody's was bound with a mistake: %v", err)
	}
	db, m = scratchQueue(t, store.ScratchPrefix+"flaw")
	for _, f := range store.Flaws() {
		q, err := db.Flawed(m, f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := q.Probe(t.Context()); err != nil {
			t.Errorf("%s: %v", f, err)
		}
		sound, err := store.AssumedFlaws(sqlite.New(sqlite.Options{}), &m, f)
		if err != nil || len(sound) == 0 {
			t.Errorf("%s: %d statements, %v", f, len(sound), err)
		}
	}
	_, err := db.Queue(m).Take(t.Context(), model.KeyOf(model.IntValue(1)), "0E5E70B5-0000-4000-8000-00000000000A", "w", time.Minute)
	var fault *model.Fault
	if !errors.As(err, &fault) || fault.Class != model.FaultReshaped {
		t.Errorf("a sound queue takes a row by its key alone: %v", err)
	}
	q, err := db.Flawed(m, "no-such-mistake")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.Probe(t.Context()); err == nil {
		t.Error("a mistake that nobody knows was bound")
	}
}

// Only scratch tables are listed, and only such are dropped.
func TestScratchTablesAreDropped(t *testing.T) {
	ctx := t.Context()
	db, m := scratchQueue(t, store.ScratchPrefix+"a")
	mine := []model.Table{m.Table, m.History, m.Brake}
	other, err := profile.For(profile.Lease, "", model.Table{Name: "leasetopXscratchXorders"})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.MakeSchema(ctx, &other); err != nil {
		t.Fatal(err)
	}
	got, err := db.Scratches(ctx)
	if err != nil || !slices.Equal(got, mine) {
		t.Errorf("listed are %v, %v; want %v", got, err, mine)
	}
	if err := db.DropScratch(ctx, append([]model.Table{other.Table}, mine...)...); err == nil || !strings.Contains(err.Error(), "no scratch table") {
		t.Errorf("a table that is no scratch table: %v", err)
	}
	if got, err := db.Scratches(ctx); err != nil || len(got) > 0 {
		t.Errorf("left are %v, %v", got, err)
	}
	if _, err := db.Queue(other).Probe(ctx); err != nil {
		t.Errorf("the other table: %v", err)
	}
}
