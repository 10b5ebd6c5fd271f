package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// someJobs makes a bare queue of so many ready jobs in a file.
func someJobs(t *testing.T, path string, jobs int) {
	t.Helper()
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for _, s := range append([]string{"CREATE TABLE QueueDemo (JobId INTEGER PRIMARY KEY, State TEXT, ClaimToken TEXT, LeaseUntil INTEGER, Payload TEXT)"},
		slicesOf("INSERT INTO QueueDemo (State, Payload) VALUES ('R', '')", jobs)...) {
		if _, err := raw.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

func slicesOf(s string, n int) []string {
	return strings.Split(strings.TrimSuffix(strings.Repeat(s+";", n), ";"), ";")
}

// TestReplacedFile holds that a file which was removed or replaced under its path is
// not read and written on: nobody else would ever see what is done there.
func TestReplacedFile(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "q.db"), filepath.Join(dir, "other.db")
	someJobs(t, path, 3)
	someJobs(t, other, 5)
	q := open(t, sqlite.Options{Path: path}).Queue(mapping(t, profile.Bare, "QueueDemo"))
	if _, err := q.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	ready := func() int64 {
		t.Helper()
		p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
		if err != nil {
			t.Fatal(err)
		}
		return p.Ready.N
	}
	if n := ready(); n != 3 {
		t.Fatalf("%d jobs, want 3", n)
	}
	if c, err := q.Claim(t.Context(), guid(1), "w", 1, time.Minute); err != nil {
		t.Fatalf("%v, %v", c, err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Skip("this system keeps a file that is open where it is:", err)
	}
	if n := ready(); n != 5 {
		t.Errorf("%d jobs, want the 5 of the file that lies there now", n)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, _, err := q.Pulse(t.Context(), model.PulseAsk{})
	if f := fault(t, err); f.Class != model.FaultTarget || !strings.Contains(f.Text, "there is no such file") {
		t.Errorf("a look at a removed file: %v", f)
	}
	if _, err := q.Claim(t.Context(), guid(2), "w", 1, time.Minute); err == nil {
		t.Error("a job was claimed from a removed file")
	}
}
