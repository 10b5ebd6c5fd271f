//go:build unix

package cli

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPurgeStopsBetweenTwoBatches holds that an interrupted purge has removed whole
// batches and nothing else, says so at once however long its pause is, and leaves a
// trace of who removed what.
func TestPurgeStopsBetweenTwoBatches(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "orders.db")
	expiredJobs(t, dir, 0)
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.ExecContext(t.Context(), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
INSERT INTO orders (State, Payload, EnqueuedAt, CompletedAt) SELECT 'D', '', 1000, 2000 FROM n`); err != nil {
		t.Fatal(err)
	}
	left := func() (n int) {
		if err := raw.QueryRowContext(t.Context(), "SELECT count(*) FROM orders").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	cmd := exec.CommandContext(t.Context(), "leasetop", "purge", "orders", "--done-before", "1d", "--batch", "3", "--pace", "1h",
		"--dsn", "sqlite:"+path, "--table", "orders")
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir)
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(2 * time.Minute); left() == 7; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no batch was removed")
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var code *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &code) || code.ExitCode() != 1 {
		t.Errorf("it ended with %v", err)
	}
	if left() != 4 || !strings.Contains(out.String(), "3 done jobs removed") || !strings.Contains(said.String(), "what is left is left") {
		t.Errorf("%d left; it said %q and %q", left(), out.String(), said.String())
	}
	data, err := os.ReadFile(filepath.Join(dir, "leasetop", "purges.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != 2 {
		t.Fatalf("the trace is\n%s", data)
	}
	var begun, ended purgeTrace
	if err := errors.Join(json.Unmarshal([]byte(lines[0]), &begun), json.Unmarshal([]byte(lines[1]), &ended)); err != nil {
		t.Fatal(err)
	}
	if begun.Event != "begun" || begun.RunID == "" || begun.Actor == "" || begun.Table != "orders" || begun.What[0].Until == nil || begun.What[0].Removed != 0 {
		t.Errorf("begun: %s", lines[0])
	}
	if ended.Event != "ended" || ended.RunID != begun.RunID || ended.Whole || ended.What[0].Removed != 3 || !strings.Contains(ended.Error, "stopped") {
		t.Errorf("ended: %s", lines[1])
	}
}
