//go:build unix

package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlite"
)

// TestReadOnly looks at a queue as a user who may read it and not write it: it
// says so beforehand, and when it is told to write all the same.
func TestReadOnly(t *testing.T) {
	dir := openFolder(t)
	path := filepath.Join(dir, "q.db")
	m := mapping(t, profile.Lease, "QueueDemo")
	db, err := sqlite.Open(sqlite.Options{Path: path, Create: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// A reader of a WAL file must be able to write beside it; one of a file with a
	// plain journal need not.
	raw := openPlain(t, path)
	if _, err := raw.ExecContext(t.Context(), "PRAGMA journal_mode = DELETE"); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{path: 0o444, dir: 0o555} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	cmd := child(t, "look", path)
	if os.Geteuid() == 0 {
		// Root may write everything, so another user looks, through a copy that he may run.
		cmd.Path = copyTo(t, os.Args[0])
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd.Dir = "/"
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"probe <nil>", "control {false the file or its folder takes no writes", "work {false", "enqueue {false the file", "claim claim: attempt to write a readonly database"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

func copyTo(t *testing.T, binary string) string {
	t.Helper()
	data, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(openFolder(t), "child")
	if err := os.WriteFile(name, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// openFolder is a folder of the test that other users may enter too.
func openFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	return dir
}
