package scratch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/model"
)

// file is a place in a named file, with a DB to look into it.
func file(t *testing.T) (Place, *store.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "q.db")
	p := Place{Clock: true, Open: func(now func() time.Time) (*store.DB, error) {
		return sqlite.Open(sqlite.Options{Path: path, Create: true, Now: now})
	}}
	db, err := p.Open(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, db
}

func mappingOf(t *testing.T, table string) model.Mapping {
	t.Helper()
	m, err := profile.For(profile.Lease, "", model.Table{Name: table})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A lab leaves nothing behind, and its clock moves by itself and by Pass.
func TestBench(t *testing.T) {
	p, db := file(t)
	lab, err := On(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if e := lab.Engine(); e.Name != sqlite.Engine || e.Version == "" || e.Locking != LockingEmulated || !e.Clock {
		t.Errorf("the engine is %+v", e)
	}
	b, err := lab.Make(t.Context(), drill.Order{Name: "late-ones", Skew: -time.Hour, Processes: 2})
	if err != nil {
		t.Fatal(err)
	}
	if made, err := db.Scratches(t.Context()); err != nil || len(made) != 3 || !strings.HasSuffix(made[0].Name, "_late_ones") {
		t.Errorf("made are %v, %v", made, err)
	}
	now := func(i int) time.Time {
		_, at, err := b.Queue(i).Pulse(t.Context(), model.PulseAsk{})
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if behind := time.Since(now(0)); behind < time.Hour-time.Second || behind > time.Hour+time.Minute {
		t.Errorf("the queue's clock is %v behind, want an hour", behind)
	}
	before := now(0)
	if err := b.Pass(t.Context(), 10*time.Minute); err != nil {
		t.Fatal(err)
	}
	if passed := now(1).Sub(before); passed < 10*time.Minute {
		t.Errorf("%v passed for the other process, want ten minutes", passed)
	}
	if err := b.Drop(t.Context()); err != nil {
		t.Error(err)
	}
	if left, err := db.Scratches(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// A mistake that the dialect does not know leaves no table behind either.
func TestNothingIsLeftOfWhatCouldNotBeMade(t *testing.T) {
	p, db := file(t)
	lab, err := On(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lab.Make(t.Context(), drill.Order{Name: "x", Flaw: "no-such-mistake"}); err == nil {
		t.Error("it was made")
	}
	if left, err := db.Scratches(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// What processes left behind that are gone is swept away, what may be in use stays.
func TestSweep(t *testing.T) {
	p, db := file(t)
	lab, err := On(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	const nobody = 1<<22 + 17 // beyond the ids that a system gives
	at := func(o owner) string {
		return (&Lab{}).named(o, 1, "x").Name
	}
	now, here, beside := time.Now(), lab.host, hostOf("the same boot and host, and another container")
	dead := []string{
		at(owner{here, nobody, now}), at(owner{here, os.Getppid(), now.Add(-25 * time.Hour)}), at(owner{"0badcafe", nobody, now.Add(-25 * time.Hour)}),
	}
	alive := []string{
		at(owner{here, os.Getppid(), now}), at(owner{"0badcafe", nobody, now.Add(-time.Minute)}), at(owner{beside, nobody, now.Add(-8 * time.Hour)}),
		store.ScratchPrefix + "by_hand",
		store.ScratchPrefix + "backup_2024_11_20", store.ScratchPrefix + "orders_2024_11_20_copy", store.ScratchPrefix + "20241120_1_2_3_copy",
	}
	for _, name := range slices.Concat(dead, alive) {
		m := mappingOf(t, name)
		if err := db.MakeSchema(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
	}
	swept, err := lab.Sweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(swept.Dropped) != 3*len(dead) || len(swept.Left) != 3*len(alive) {
		t.Errorf("dropped %v\nleft %v", swept.Dropped, swept.Left)
	}
	left, err := db.Scratches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range left {
		if slices.Contains(dead, table.Name) {
			t.Errorf("%s was left", table)
		}
	}
	if len(left) != 3*len(alive) {
		t.Errorf("left are %v", left)
	}
}

// Folders of temporary files go with their process, or with the next one.
func TestSweepFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	here := hostOf(machine())
	old := filepath.Join(os.TempDir(), filePrefix+here+"-4194321-abc")
	beside := filepath.Join(os.TempDir(), filePrefix+hostOf("another container")+"-4194321-abc")
	foreign := filepath.Join(os.TempDir(), filePrefix+"by-hand")
	for _, dir := range []string{old, beside, foreign} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	lab, err := Embedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lab.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the folder of a process that is gone is there: %v", err)
	}
	for _, dir := range []string{lab.dir, beside, foreign} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("a folder that may be in use: %v", err)
		}
	}
	if err := lab.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// A drill that is stopped in the midst of a scene leaves nothing behind, nor does
// one whose checks fail.
func TestDrillsLeaveNothing(t *testing.T) {
	p, db := file(t)
	lab, err := On(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	_, err = drill.Run(ctx, lab, drill.Options{Jobs: 500, Claimers: 4, Progress: func(p drill.Progress) {
		if p.Scene == "claims" && p.Share > 0.2 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped with %v", err)
	}
	out, err := drill.Run(t.Context(), lab, drill.Options{Break: "expiry-refuses", Only: []string{"late-completes"}})
	if err != nil || out.OK() {
		t.Errorf("ok %t, %v", out.OK(), err)
	}
	if left, err := db.Scratches(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// Two containers of one machine have one name and each a process 1: neither judges the
// other's processes by their ids. Where nothing tells machines apart nobody does.
func TestContainersAreToldApart(t *testing.T) {
	one, other := hostOf("boot 1 pid:[4026531836]"), hostOf("boot 1 pid:[4026532201]")
	if one == other || one != hostOf("boot 1 pid:[4026531836]") {
		t.Errorf("%s and %s", one, other)
	}
	if once, again := hostOf(""), hostOf(""); once == again {
		t.Error("two processes of which nothing is known are taken for neighbours")
	}
	if here := machine(); here != "" && here != machine() {
		t.Errorf("the machine is %q, then another", here)
	}
	gone := func(int) bool { return false }
	now := time.Now()
	if (owner{other, 1, now}).dead(one, now, gone) {
		t.Error("the live drill of another container is dropped")
	}
	if !(owner{one, 1, now}).dead(one, now, gone) {
		t.Error("what a process of this container left behind stays")
	}
}
