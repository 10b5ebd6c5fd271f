package sqlite_test

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// TestMain opens the store before any test opens a file by itself, since the
// first to come decides how files are locked.
func TestMain(m *testing.M) {
	if _, err := sqlite.Open(sqlite.Options{Path: "none"}); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// openPlain opens a file past the store and changes nothing about it.
func openPlain(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// TestEngine holds the engine to a version without the WAL-reset corruption
// (SQLite 3.7.0 to 3.51.2), and its C library to the one that it was made with.
func TestEngine(t *testing.T) {
	var major, minor, patch int
	var version string
	if err := openRaw(t, filepath.Join(t.TempDir(), "q.db")).QueryRowContext(t.Context(), "SELECT sqlite_version()").Scan(&version); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch); err != nil {
		t.Fatal(err)
	}
	if n := major*1_000_000 + minor*1000 + patch; n < 3_051_003 {
		t.Errorf("SQLite %s can corrupt a file that several processes write", version)
	}
	list := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "go", append([]string{"list", "-m"}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	mod, err := os.ReadFile(list("-f", "{{.GoMod}}", "modernc.org/sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`modernc\.org/libc (\S+)`).FindSubmatch(mod)
	if got := list("-f", "{{.Version}}", "modernc.org/libc"); want == nil || got != string(want[1]) {
		t.Errorf("modernc.org/libc is %s, modernc.org/sqlite was made with %s", got, want)
	}
}

func TestInstant(t *testing.T) {
	d := sqlite.New(sqlite.Options{})
	const want = "2026-03-01T12:00:00.123Z"
	for _, text := range []string{
		"1772366400123", "2026-03-01T12:00:00.123Z", "2026-03-01 12:00:00.123", "2026-03-01T12:00:00.123",
		"2026-03-01T14:00:00.123+02:00", " 2026-03-01 12:00:00.123 ",
	} {
		at, err := d.Instant(model.TextValue(text))
		if err != nil || at.Format("2006-01-02T15:04:05.000Z07:00") != want {
			t.Errorf("%q is %s, %v", text, at, err)
		}
	}
	if at, err := d.Instant(model.Value{}); err != nil || !at.IsZero() {
		t.Errorf("NULL is %s, %v", at, err)
	}
	if _, err := d.Instant(model.TextValue("yesterday")); err == nil {
		t.Error("yesterday is a time")
	}
	if at, err := d.Instant(model.TextValue("2026-03-01")); err != nil || at.Hour() != 0 {
		t.Errorf("a date is %s, %v", at, err)
	}
}
