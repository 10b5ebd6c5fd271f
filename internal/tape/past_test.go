package tape

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/model"
)

// clock is our own clock in a test.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func keyEqual(a, b model.Key) bool     { return a == b }
func tokenEqual(a, b model.Token) bool { return a == b }

func differs(a, b any) string {
	return cmp.Diff(a, b, cmp.Comparer(keyEqual), cmp.Comparer(tokenEqual))
}

// TestThePastIsWhatWasSeen walks back to looks of the last minutes: each is, to the
// last field, what was published then.
func TestThePastIsWhatWasSeen(t *testing.T) {
	c := &clock{at: epoch}
	tape := New(Options{Every: busyEvery, Now: c.now})
	b := &busy{}
	var seen []*model.Snapshot
	for i := range 60 {
		c.at = epoch.Add(time.Duration(i) * busyEvery)
		s := b.poll()
		switch {
		case i == 20:
			s.Findings = []model.Finding{{Kind: "expired", Severity: model.Warn, Key: s.Page.Data.Jobs[3].Key, Text: "it expired"}}
		case i > 20 && i < 30:
			s.Findings = seen[20].Findings
		case i == 40:
			s.Pulse.Err = &model.Fault{Class: model.FaultNetwork, Code: 10060, Text: "no route", Unsure: true}
			s.Watch = model.Watch{Health: model.Down, Err: s.Pulse.Err, RetryAt: c.at.Add(time.Minute)}
		case i == 41:
			s.Page.Data = model.Page{View: model.ViewHistory, More: true, Events: []model.Event{
				{Change: model.Change{Key: s.Page.Data.Jobs[0].Key, NewToken: s.Page.Data.Jobs[1].Token, At: c.at}, Kind: model.EventFailed, Reason: "why"},
			}}
		case i == 42:
			s.Caps = model.Caps{Engine: "sqlserver", ProbedAt: c.at, Can: map[model.Feature]model.Verdict{model.CanRead: model.Yes()}}
			s.Pulse.Data.Brake = &model.Brake{}
		case i > 42:
			s.Caps = seen[42].Caps
		}
		tape.Observe(s)
		tape.Keep(s)
		seen = append(seen, s)
	}
	for i, want := range seen {
		board := tape.At(epoch.Add(time.Duration(i) * busyEvery).Add(busyEvery / 2))
		if board == nil || len(board.Queues) != 1 {
			t.Fatalf("look %d is not there: %+v", i, board)
		}
		if d := differs(want, board.Queues[0]); d != "" {
			t.Fatalf("look %d is not what was seen:\n%s", i, d)
		}
	}
	if board := tape.At(epoch.Add(-time.Second)); board != nil {
		t.Errorf("before the beginning there was %+v", board)
	}
}

// TestRowsOfAnyTypeAreKept holds that a destructive queue, whose rows are their values,
// can be looked back at and read from a file whatever the types of its columns are.
func TestRowsOfAnyTypeAreKept(t *testing.T) {
	c := &clock{at: epoch}
	tape := New(Options{Now: c.now})
	row := model.RowKeyOf([]model.Value{{Type: model.Fraction, Text: "19.90"}, {Type: model.Opaque, Text: "<a/>"}, {}}, model.Value{})
	s := listed(good(epoch, model.Pulse{Ready: exact(1)}), model.ViewReady, &model.Job{Key: row, State: model.Ready})
	s.Watch.Health = model.Live
	tape.Keep(s)
	path := filepath.Join(t.TempDir(), "a")
	if err := tape.Save(path, about()); err != nil {
		t.Fatal(err)
	}
	for from, board := range map[string]*model.Board{"the past": tape.At(epoch), "the file": open(t, path).At(epoch)} {
		if board == nil || len(board.Queues) != 1 || len(board.Queues[0].Page.Data.Jobs) != 1 || board.Queues[0].Page.Data.Jobs[0].Key != row {
			t.Errorf("from %s: %+v", from, board)
		}
	}
}

// TestNotWatchedIsNotShown holds that a look speaks for its own interval and no
// more, and that a queue in trouble stays on the board as what it was.
func TestNotWatchedIsNotShown(t *testing.T) {
	c := &clock{at: epoch}
	tape := New(Options{Now: c.now})
	look := func(queue string, h model.Health) {
		s := good(c.at, model.Pulse{Ready: exact(1)})
		s.Queue, s.Watch = queue, model.Watch{Health: h, Every: 2 * time.Second}
		tape.Observe(s)
		tape.Keep(s)
	}
	look("a", model.Live)
	look("b", model.Broken)
	c.at = after(600)
	look("c", model.Live)
	for _, want := range []struct {
		at     float64
		queues string
	}{{0, "ab"}, {14, "ab"}, {15, "b"}, {599, "b"}, {600, "bc"}} {
		var got strings.Builder
		for _, s := range tape.At(after(want.at)).Queues {
			got.WriteString(s.Queue)
		}
		if got.String() != want.queues {
			t.Errorf("after %v s the board has %q, want %q", want.at, got.String(), want.queues)
		}
	}
	c.at = after(300) // our own clock was set back
	look("a", model.Live)
	if from, to := tape.Reach(); !from.Equal(epoch) || !to.Equal(after(600)) {
		t.Errorf("it reaches from %v to %v", from, to)
	}
}

// TestTheHourIsBounded watches a queue at work by the clock of the test for longer
// than is remembered, and prints what that takes: once the hour is full, it grows no
// more.
func TestTheHourIsBounded(t *testing.T) {
	c := &clock{at: epoch}
	tape := New(Options{Every: busyEvery, Now: c.now})
	b := &busy{}
	var before, end runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	full := 0
	polls := int(busyHours * float64(time.Hour/busyEvery))
	for i := range polls {
		c.at = epoch.Add(time.Duration(i) * busyEvery)
		s := b.poll()
		tape.Observe(s)
		tape.Keep(s)
		if i == int(62*time.Minute/busyEvery) {
			full = tape.Size()
		}
	}
	took := time.Since(began)
	runtime.GC()
	runtime.ReadMemStats(&end)
	from, to := tape.Reach()
	heap := int64(end.HeapAlloc) - int64(before.HeapAlloc) //nolint:gosec // far below the limit
	t.Logf("%v h of polls every 2 s, %d leases, %d ends a poll: %d bytes by our own count, %d on the heap, reaches %v, %v a poll with its making",
		busyHours, busyLeases, busyEnds, tape.Size(), heap, to.Sub(from), took/time.Duration(polls))
	if reach := to.Sub(from); reach < 59*time.Minute || reach > 62*time.Minute {
		t.Errorf("it reaches back %v", reach)
	}
	if tape.Size() > DefaultBytes || tape.Size() > full+full/5 {
		t.Errorf("it takes %d bytes, with its first hour it took %d", tape.Size(), full)
	}
	if heap > 20<<20 {
		t.Errorf("the heap grew by %d bytes", heap)
	}
	runtime.KeepAlive(tape)
}

// TestFullForgetsTheOldest holds that the bound of bytes is kept by a shorter past.
func TestFullForgetsTheOldest(t *testing.T) {
	const most = busyLeases * 400
	c := &clock{at: epoch}
	tape := New(Options{Every: busyEvery, Now: c.now, Bytes: most})
	b := &busy{}
	for i := range 300 {
		c.at = epoch.Add(time.Duration(i) * busyEvery)
		tape.Keep(b.poll())
	}
	from, to := tape.Reach()
	if tape.past.bytes > most || to.Sub(from) > 8*time.Minute || to.Sub(from) < time.Minute {
		t.Errorf("%d bytes reach back %v", tape.past.bytes, to.Sub(from))
	}
	if tape.At(from) == nil || tape.At(from.Add(-time.Millisecond)) != nil {
		t.Error("the reach is not where the past begins")
	}
}

func BenchmarkKeep(b *testing.B) {
	c := &clock{at: epoch}
	tape := New(Options{Every: busyEvery, Now: c.now})
	q := &busy{}
	looks := make([]*model.Snapshot, 600)
	for i := range looks {
		looks[i] = q.poll()
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.at = c.at.Add(busyEvery)
		tape.Keep(looks[i%len(looks)])
	}
}

func BenchmarkAt(b *testing.B) {
	c := &clock{at: epoch}
	tape := New(Options{Every: busyEvery, Now: c.now})
	q := &busy{}
	for range 600 {
		tape.Keep(q.poll())
		c.at = c.at.Add(busyEvery)
	}
	for i := 0; b.Loop(); i++ {
		tape.At(c.at.Add(-time.Duration(i%500) * busyEvery))
	}
}
