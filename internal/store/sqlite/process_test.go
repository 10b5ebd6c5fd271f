package sqlite_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// The environment of a child: what it does, and on which file.
const (
	childRole = "LEASETOP_CHILD"
	childFile = "LEASETOP_CHILD_FILE"
)

// child is this test binary once more, in a process of its own.
func child(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$", "-test.v")
	cmd.Env = append(os.Environ(), childRole+"="+role, childFile+"="+path)
	return cmd
}

// TestChild is what a child does; without its environment it is nothing.
func TestChild(t *testing.T) {
	path := os.Getenv(childFile)
	switch os.Getenv(childRole) {
	case "work":
		childWork(t, path)
	case "look":
		q := open(t, sqlite.Options{Path: path}).Queue(mapping(t, profile.Lease, "QueueDemo"))
		caps, err := q.Probe(t.Context())
		_, claim := q.Claim(t.Context(), guid(1), "w", 1, time.Minute)
		fmt.Printf("\nprobe %v; control %v; work %v; enqueue %v; claim %v\n",
			err, caps.Allows(model.CanControl), caps.Allows(model.CanWork), caps.Allows(model.CanEnqueue), claim)
	default:
		t.Skip("for child processes")
	}
}

const jobsPerChild = 40

// childWork makes the schema, adds jobs and works until nothing is ready.
func childWork(t *testing.T, path string) {
	t.Helper()
	db := open(t, sqlite.Options{Path: path, Create: true})
	m := mapping(t, profile.Lease, "QueueDemo")
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	q := db.Queue(m)
	jobs := make([]model.NewJob, jobsPerChild)
	if _, err := q.Enqueue(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		c, err := q.Claim(t.Context(), guid(int64(os.Getpid())<<16+int64(n)), "child", 1, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if len(c) == 0 {
			return
		}
		done, err := q.Complete(t.Context(), c[0].Key, c[0].Token)
		if err != nil || len(done) != 1 {
			t.Fatal(done, err)
		}
		fmt.Printf("\ndone %s %s\n", c[0].Key, c[0].Token)
	}
}

// TestProcesses is four processes that make one file and its schema at once and
// work it together: every job is done exactly once, and the file is sound.
func TestProcesses(t *testing.T) {
	const processes = 4
	path := filepath.Join(t.TempDir(), "q.db")
	var outs [processes]bytes.Buffer
	var cmds [processes]*exec.Cmd
	for i := range cmds {
		cmds[i] = child(t, "work", path)
		cmds[i].Stdout, cmds[i].Stderr = &outs[i], &outs[i]
		if err := cmds[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	by := map[string]string{}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, outs[i].String())
		}
		for lines := bufio.NewScanner(&outs[i]); lines.Scan(); {
			key, token, ok := strings.Cut(strings.TrimPrefix(lines.Text(), "done "), " ")
			if !ok || !strings.HasPrefix(lines.Text(), "done ") {
				continue
			}
			if by[key] != "" {
				t.Errorf("job %s was done with %s and with %s", key, by[key], token)
			}
			by[key] = token
		}
	}
	if len(by) != processes*jobsPerChild {
		t.Errorf("%d jobs were done, want %d", len(by), processes*jobsPerChild)
	}
	raw := openRaw(t, path)
	for key, token := range by {
		var state, has string
		err := raw.QueryRowContext(t.Context(), "SELECT State, ClaimToken FROM QueueDemo WHERE JobId = ?", key).Scan(&state, &has)
		if err != nil || state != "D" || has != token {
			t.Errorf("job %s is %s with %s, was done with %s: %v", key, state, has, token, err)
		}
	}
	var sound string
	if err := raw.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("integrity %s, %v", sound, err)
	}
}
