package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// TestFaults makes the engine's errors for real and holds how each is classified.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "q.db")
	raw := openRaw(t, path)
	other, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	look, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close()
	run := func(db *sql.DB, texts ...string) error {
		for _, text := range texts {
			if _, err := db.ExecContext(t.Context(), text); err != nil {
				return err
			}
		}
		return nil
	}
	if err := run(raw, "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL CHECK (b <> 'x')) STRICT", "INSERT INTO t VALUES (1, 'a')"); err != nil {
		t.Fatal(err)
	}
	d := sqlite.New(sqlite.Options{Path: path})
	for name, c := range map[string]struct {
		err   func() error
		class model.FaultClass
		want  string
	}{
		"locked": {func() error {
			if err := run(raw, "BEGIN IMMEDIATE"); err != nil {
				return err
			}
			defer run(raw, "ROLLBACK")
			return run(other, "BEGIN IMMEDIATE")
		}, model.FaultBusy, "locked"},
		"read-only":  {func() error { return run(look, "INSERT INTO t VALUES (2, 'b')") }, model.FaultReadOnly, "readonly"},
		"no table":   {func() error { return run(raw, "SELECT * FROM u") }, model.FaultReshaped, "no such table: u"},
		"no column":  {func() error { return run(raw, "SELECT c FROM t") }, model.FaultReshaped, "no such column: c"},
		"constraint": {func() error { return run(raw, "INSERT INTO t VALUES (3, 'x')") }, model.FaultRefused, "CHECK"},
		"not null":   {func() error { return run(raw, "INSERT INTO t VALUES (3, NULL)") }, model.FaultRefused, "NOT NULL"},
		"wrong type": {func() error { return run(raw, "INSERT INTO t VALUES ('q', 'b')") }, model.FaultRefused, "datatype mismatch"},
		"a full disk": {func() error {
			return run(raw, "PRAGMA max_page_count = 3", "INSERT INTO t VALUES (4, zeroblob(100000) || '')")
		}, model.FaultRefused, "full"},
		"syntax":        {func() error { return run(raw, "SELEC 1") }, model.FaultOther, "syntax error"},
		"not an engine": {func() error { return fmt.Errorf("something else") }, model.FaultOther, "something else"},
	} {
		err := c.err()
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		f := d.Fault(err)
		if f.Class != c.class || !strings.Contains(f.Text, c.want) {
			t.Errorf("%s: %s: %v", name, f.Class, f)
		}
		if strings.HasSuffix(f.Text, ")") {
			t.Errorf("%s: the code stands twice in %v", name, f)
		}
	}
}

// waits claims while somebody is in the way, and gives what the claim says when it has
// waited for long enough. A process that stood still has not even asked by then: it
// claims again.
func waits(t *testing.T, q *store.Queue) (f *model.Fault) {
	t.Helper()
	for range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err := q.Claim(ctx, guid(1), "w", 1, time.Minute)
		cancel()
		if f = fault(t, err); f.Class != model.FaultHung || f.Unsure {
			break
		}
	}
	return f
}

// TestLocked is a step while another process holds the write lock: it waits, says
// so at its deadline, and changed nothing.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.db")
	db := open(t, sqlite.Options{Path: path, Create: true})
	m := mapping(t, profile.Lease, "QueueDemo")
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	q := db.Queue(m)
	if _, err := q.Enqueue(t.Context(), []model.NewJob{{Payload: "a"}}); err != nil {
		t.Fatal(err)
	}
	raw := openRaw(t, path)
	if _, err := raw.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	f := waits(t, q)
	if f.Class != model.FaultBusy || f.Unsure || f.Op != "claim" || !strings.Contains(f.Cure, "write lock") {
		t.Errorf("%s, unsure %v: %v", f.Class, f.Unsure, f)
	}
	if p, _, err := q.Pulse(t.Context(), model.PulseAsk{}); err != nil || p.Ready.N != 1 {
		t.Errorf("a reader waits for a writer: ready %v, %v", p.Ready, err)
	}
	if _, err := raw.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if c, err := q.Claim(t.Context(), guid(2), "w", 1, time.Minute); err != nil || len(c) != 1 {
		t.Errorf("claimed %v afterwards: %v", c, err)
	}
}
