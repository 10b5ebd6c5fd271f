package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// TestReadable holds that what is seen at a glance is what the engine would say.
func TestReadable(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	real := filepath.Join(dir, "q.db")
	db := open(t, sqlite.Options{Path: real, Create: true})
	m := mapping(t, profile.Lease, "QueueDemo")
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		real: "", write("empty.db", "", 0o600): "",
		filepath.Join(dir, "none.db"): "no such file", dir: "is a folder",
		write("words", "one two three four five", 0o600): "not a database", write("short", "SQLite", 0o600): "not a database",
		write("closed", "SQLite format 3\x00", 0): "cannot be read",
	} {
		err := sqlite.Readable(path)
		if want == "cannot be read" && os.Geteuid() == 0 {
			want = "" // nothing is closed to root
		}
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		if f := fault(t, err); f.Class != model.FaultTarget || !strings.Contains(f.Text, want) || f.Cure == "" {
			t.Errorf("%s: %v", path, f)
		}
	}
}
