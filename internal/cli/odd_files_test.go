//go:build unix

package cli

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/model"
)

// What lies in the journals' folder and is no plain file is passed over: to open a
// pipe would wait for whoever writes into it.
func TestJournalsPassOverPipes(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "a.jsonl"), 0o600); err != nil {
		t.Skip("the file system has no pipes:", err)
	}
	if _, _, err := reopen(filepath.Join(dir, "a.jsonl")); err == nil || exitCode(err) != exitUsage {
		t.Errorf("a pipe is gone on with: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "b.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if runs, err := unfinished(dir); err != nil || len(runs) > 0 {
		t.Errorf("%d runs are unfinished, error %v", len(runs), err)
	}
	if err := journalIn(dir).Sent(planned(actA), moment(1)); err != nil {
		t.Fatal(err)
	}
	prune(dir, moment(30))
	if left, err := unresolved(dir, moment(30), time.Second); err != nil || len(left) != 1 {
		t.Errorf("%d acts are unresolved, error %v, want the one", len(left), err)
	}
}

// An act's code is that of what became of it, also where its receipt has no place.
func TestActKeepsItsCodeWhereItsReceiptCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("the system has no file that is always full:", err)
	}
	defer full.Close()
	a := &app{World: World{Out: full}}
	m := planned(actA).Mapping
	for outcome, code := range map[model.Outcome]int{
		model.Applied: 0, model.Changed: exitNot, model.Gone: exitNot, model.Refused: exitNot, model.OutcomeUnknown: exitUnknown,
	} {
		err := a.printReceipt(model.Receipt{Intent: planned(actA).Intent, Outcome: outcome, Message: outcome.String()}, m, false)
		if err == nil || exitCode(err) != code {
			t.Errorf("%s: error %v, code %d, want %d", outcome, err, exitCode(err), code)
		}
	}
}

// TestAListKeepsItsCodeWhereItsReceiptsCannotBeWritten holds the same of an act on a
// list: 1 would say that the server could not be asked.
func TestAListKeepsItsCodeWhereItsReceiptsCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("the system has no file that is always full:", err)
	}
	defer full.Close()
	dir := t.TempDir()
	q, list := expiredJobs(t, dir, 3)
	a := &app{World: World{Out: full, Err: io.Discard}}
	r := &room{config: config.Queue{Mapping: *q.Mapping()}, queue: q}
	rows, err := a.readList(t.Context(), list, q.Mapping())
	if err != nil {
		t.Fatal(err)
	}
	for p := (model.Pulse{}); p.Expired.N < 3; { // the last lease is a millisecond young
		if p, _, err = q.Pulse(t.Context(), model.PulseAsk{}); err != nil {
			t.Fatal(err)
		}
	}
	desk := actions.New(map[string]actions.Target{"orders": {Store: q, Control: true}}, &journal{dir: dir, now: time.Now}, "anna")
	desk.KeepRuns(records{dir: filepath.Join(dir, "bulk")}, nil)
	set := actions.Set{Queue: "orders", Action: model.Reclaim, Rows: rows}
	if err := a.carryOut(t.Context(), desk, r, set, actions.RunOptions{Pace: -1}, true); err == nil || exitCode(err) != 0 {
		t.Errorf("error %v, code %d, want 0: all were reclaimed", err, exitCode(err))
	}
	if p, _, err := q.Pulse(t.Context(), model.PulseAsk{}); err != nil || p.Ready.N != 3 {
		t.Errorf("%+v ready, error %v", p.Ready, err)
	}
}
