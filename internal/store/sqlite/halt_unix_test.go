//go:build unix

package sqlite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// TestAStoppedProcessAsksAgain stops this process in the midst of a question for longer
// than its deadline, as Ctrl-Z and a machine without a free processor do. That says
// nothing about the file: the question is asked again, and answered.
func TestAStoppedProcessAsksAgain(t *testing.T) {
	var stop atomic.Bool
	stops := 0
	db := open(t, sqlite.Options{Path: filepath.Join(t.TempDir(), "q.db"), Create: true, Now: func() time.Time {
		if stop.CompareAndSwap(true, false) { // the engine asks for the time between the deadline's beginning and the question
			stops++
			halted(t, store.WatchDeadline+time.Second)
		}
		return time.Now()
	}})
	m := mapping(t, profile.Lease, "QueueDemo")
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	q := db.Queue(m)
	if _, err := q.Enqueue(t.Context(), []model.NewJob{{Payload: "a"}}); err != nil {
		t.Fatal(err)
	}
	stop.Store(true)
	p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
	if err != nil || p.Ready.N != 1 || stops != 1 {
		t.Errorf("stopped %d times, %d jobs are ready, %v", stops, p.Ready.N, err)
	}
}

// halted stops this process, and lets another one wake it.
func halted(t *testing.T, d time.Duration) {
	t.Helper()
	me := strconv.Itoa(os.Getpid())
	script := `kill -STOP "$0"; sleep "$1"; kill -CONT "$0"`
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", script, me, strconv.FormatFloat(d.Seconds(), 'f', 1, 64)).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
