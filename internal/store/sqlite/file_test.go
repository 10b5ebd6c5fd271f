package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// open opens a file as a user would who named it.
func open(t *testing.T, o sqlite.Options) *store.DB {
	t.Helper()
	db, err := sqlite.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func mapping(t testing.TB, name, table string) model.Mapping {
	t.Helper()
	m, err := profile.For(name, "orders", model.Table{Name: table})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fault is the fault that a call must have met.
func fault(t *testing.T, err error) *model.Fault {
	t.Helper()
	var f *model.Fault
	if !errors.As(err, &f) {
		t.Fatalf("error %v, want a fault", err)
	}
	return f
}

// TestTarget is every way in which a path names no queue. Each says what it is
// about and what to do.
func TestTarget(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database, only words\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	torn := tornFile(t, dir)
	for name, c := range map[string]struct {
		path, want, cure string
		create           bool
	}{
		"missing":           {path: filepath.Join(dir, "none.db"), want: "no such file", cure: "schema --apply"},
		"a folder":          {path: dir, want: "is a folder", cure: "in it"},
		"no folder":         {path: filepath.Join(dir, "no", "q.db"), want: "no such folder", cure: "make the folder", create: true},
		"words":             {path: text, want: "not a database", cure: "another"},
		"words, to be made": {path: text, want: "not a database", cure: "another", create: true},
		"a torn file":       {path: torn, want: "malformed", cure: "backup"},
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t, sqlite.Options{Path: c.path, Create: c.create})
			m := mapping(t, profile.Lease, "QueueDemo")
			var err error
			if c.create {
				err = db.MakeSchema(t.Context(), &m)
			} else {
				_, err = db.Queue(m).Probe(t.Context())
			}
			f := fault(t, err)
			if f.Class != model.FaultTarget || !strings.Contains(f.Text, c.want) || !strings.Contains(f.Text, filepath.Base(c.path)) || !strings.Contains(f.Cure, c.cure) {
				t.Errorf("%s: %v", f.Class, f)
			}
			if f.Unsure {
				t.Error("nothing was sent")
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "none.db")); !os.IsNotExist(err) {
		t.Errorf("looking made the file: %v", err)
	}
	_, err := sqlite.Open(sqlite.Options{})
	if f := fault(t, err); f.Class != model.FaultTarget {
		t.Error(f)
	}
}

// tornFile is a queue whose pages after the first were overwritten.
func tornFile(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "torn.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		if _, err := db.ExecContext(t.Context(), "CREATE TABLE t"+string(rune('a'+i%26))+strings.Repeat("x", i)+" (a, b, c)"); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 100; i < len(data); i++ {
		data[i] = 0xA5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPaths holds that a path opens the file that it names.
func TestPaths(t *testing.T) {
	for _, name := range []string{"plain.db", "with space.db", "a#b.db", "a?b.db", "a%41.db", "ü€.db", "file:x.db", "a'b&mode=ro.db"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			m := mapping(t, profile.Lease, "QueueDemo")
			if err := open(t, sqlite.Options{Path: filepath.Join(dir, name), Create: true}).MakeSchema(t.Context(), &m); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
			if _, err := open(t, sqlite.Options{Path: filepath.Join(dir, name)}).Queue(m).Probe(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	m := mapping(t, profile.Lease, "QueueDemo")
	if err := open(t, sqlite.Options{Path: "q.db", Create: true}).MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("q.db"); err != nil {
		t.Error(err)
	}
}

// TestLooksOnly holds that a file which was not to be made keeps its journal, and
// that the reader cannot write.
func TestLooksOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.db")
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.ExecContext(t.Context(), `CREATE TABLE QueueDemo (JobId INTEGER PRIMARY KEY, State TEXT, ClaimToken TEXT, LeaseUntil INTEGER, Payload TEXT);
INSERT INTO QueueDemo VALUES (1, 'R', NULL, NULL, '')`); err != nil {
		t.Fatal(err)
	}
	q := open(t, sqlite.Options{Path: path}).Queue(mapping(t, profile.Bare, "QueueDemo"))
	caps, err := q.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(caps.Notes) == 0 || !strings.Contains(caps.Notes[0], "journal is delete") {
		t.Errorf("notes %q", caps.Notes)
	}
	if _, err := q.Claim(t.Context(), guid(1), "w", 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	var journal string
	if err := raw.QueryRowContext(t.Context(), "PRAGMA journal_mode").Scan(&journal); err != nil || journal != "delete" {
		t.Errorf("journal %s, %v", journal, err)
	}
}

// TestCommitWaitsForReaders is a file without WAL, where a reader keeps a commit
// from ending.
func TestCommitWaitsForReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.db")
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.ExecContext(t.Context(), `CREATE TABLE QueueDemo (JobId INTEGER PRIMARY KEY, State TEXT, ClaimToken TEXT, LeaseUntil INTEGER, Payload TEXT);
INSERT INTO QueueDemo (State, Payload) VALUES ('R', 'a'), ('R', 'b')`); err != nil {
		t.Fatal(err)
	}
	q := open(t, sqlite.Options{Path: path}).Queue(mapping(t, profile.Bare, "QueueDemo"))
	if _, err := q.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows, err := raw.QueryContext(t.Context(), "SELECT JobId FROM QueueDemo")
	if err != nil || !rows.Next() {
		t.Fatal(err)
	}
	defer rows.Close()
	if f := waits(t, q); f.Class != model.FaultBusy || f.Unsure {
		t.Errorf("%s, unsure %v: %v", f.Class, f.Unsure, f)
	}
	claimed := make(chan error, 1)
	go func() {
		c, err := q.Claim(t.Context(), guid(2), "w", 5, time.Minute)
		if err == nil && len(c) != 2 {
			err = errors.New("the claim that gave up took a job")
		}
		claimed <- err
	}()
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-claimed; err != nil {
		t.Error(err)
	}
}
