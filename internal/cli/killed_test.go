//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// expiredJobs makes a queue of n jobs whose leases ran out long ago, and a list of
// them.
func expiredJobs(t *testing.T, dir string, n int) (q *store.Queue, list string) {
	t.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: filepath.Join(dir, "orders.db"), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	m, err := profile.For(profile.Lease, "orders", model.Table{Name: "orders"})
	if err == nil {
		err = db.MakeSchema(t.Context(), &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	q = db.Queue(m)
	if _, err := q.Enqueue(t.Context(), make([]model.NewJob, n)); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range n {
		claims, err := q.Claim(t.Context(), fmt.Sprintf("6F9619FF-8B86-4011-B42D-00C04FC9%04X", i), "pick-07", 1, time.Millisecond)
		if err != nil || len(claims) != 1 {
			t.Fatal(claims, err)
		}
		fmt.Fprintf(&b, "%s\t%s\n", claims[0].Key, claims[0].Token)
	}
	list = filepath.Join(dir, "list")
	if err := os.WriteFile(list, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return q, list
}

var sentAt = regexp.MustCompile(`("event":"sent","at":")[^"]*`)

// TestKilledInTheMiddle kills leasetop with SIGKILL while it acts on a list, three
// times, and goes on with what is left: no job twice, none forgotten.
func TestKilledInTheMiddle(t *testing.T) {
	const jobs, slow = 200, "10" // at the third kill the run has a quarter of a minute before its end
	dir := t.TempDir()
	q, list := expiredJobs(t, dir, jobs)
	records := filepath.Join(dir, "leasetop", "bulk")
	start := func(pace string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "leasetop", append(args, "--dsn", "sqlite:"+filepath.Join(dir, "orders.db"), "--table", "orders", "--pace", pace, "--batch", "1")...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir, "GORACE="+noNap)
		return cmd
	}
	record := func() (path, text string) {
		files, _ := filepath.Glob(filepath.Join(records, "*.jsonl"))
		if len(files) == 0 {
			return "", ""
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		return files[0], string(data)
	}
	// A plain reclaim would wait out this mass expiry.
	cmd := start(slow, "reclaim", "orders", "--force", "--from", list, "--reason", "carrier is back")
	for round := range 3 {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		tick := time.NewTicker(time.Millisecond)
		for end := time.Now().Add(2 * time.Minute); ; <-tick.C {
			if _, text := record(); strings.Count(text, `"event":"done"`) >= 5*(round+1) {
				break
			}
			if time.Now().After(end) {
				t.Fatal("it does not get on")
			}
		}
		tick.Stop()
		path, _ := record()
		if _, _, err := reopen(path); err == nil || !strings.Contains(err.Error(), "under way in another process") {
			t.Errorf("it could be gone on with while it is under way: %v", err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err == nil {
			t.Fatal("it came to its end before it was killed")
		}
		// An hour later: what was sent and not seen can no longer take effect.
		_, text := record()
		if err := os.WriteFile(path, []byte(sentAt.ReplaceAllString(text, "${1}2026-01-01T00:00:00Z")), 0o600); err != nil {
			t.Fatal(err)
		}
		pace := slow
		if round == 2 { // nobody kills the last one
			pace = "4000"
		}
		cmd = start(pace, "resume", path)
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), fmt.Sprintf("force-reclaim of %d jobs in orders: %d applied\n", jobs, jobs)) {
		t.Errorf("%v\n%s", err, out)
	}
	for i := range int64(jobs) {
		k := model.KeyOf(model.IntValue(i + 1))
		events, _, err := q.History(t.Context(), k, 10)
		if err != nil {
			t.Fatal(err)
		}
		if len(events) != 1 || events[0].Kind != model.EventReclaimed || events[0].Reason != "carrier is back" {
			t.Errorf("job %s: %+v", k, events)
		}
	}
}
