package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/ui"
)

// TestKeysAreWrittenDown holds that docs/keys.md is what the bindings say. With the
// environment variable LEASETOP_UPDATE set it writes that file instead.
func TestKeysAreWrittenDown(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "keys.md")
	want := markdownKeys(ui.CheatSheet())
	if os.Getenv("LEASETOP_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the program has: LEASETOP_UPDATE=1 go test -run KeysAreWritten ./internal/cli (%v)", path, err)
	}
}

func TestPlainKeys(t *testing.T) {
	sheet := plainKeys(ui.CheatSheet())
	for _, want := range []string{"A queue\n", "  r                  reclaim\n", "  [ ]                time\n", ":job [QUEUE] KEY"} {
		if !strings.Contains(sheet, want) {
			t.Errorf("%q is not in\n%s", want, sheet)
		}
	}
}
