package storetest

import (
	"testing"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// Unindexed is a table of the document's five columns, of which no index leads on the
// state. Its jobs 1 to 4 are ready, 5 is failed, 6 is in work past its lease, and the
// rest is done.
type Unindexed struct {
	DB      *store.DB
	Mapping model.Mapping
	Exec    func(text string) // runs a statement past the store
}

// InsistBench is what a dialect's test brings for them.
type InsistBench interface {
	// Unindexed makes such a table, which goes with the test.
	Unindexed(t testing.TB, rows int) Unindexed
}

// unindexed is more rows than are counted without an index unasked.
const unindexed = 10_010

// RunInsist holds a dialect to what happens where somebody insists on figures that no
// index gives: unasked nothing is read, asked the figures and lists are those of a
// count by hand, and the statement that is offered as the cure ends it.
func RunInsist(t *testing.T, b InsistBench) {
	u := b.Unindexed(t, unindexed)
	probe := func(insist bool) (*store.Queue, model.Caps) {
		t.Helper()
		m := u.Mapping
		m.AllowScan = insist
		q := u.DB.Queue(m)
		caps, err := q.Probe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return q, caps
	}
	q, caps := probe(false)
	if v := caps.Allows(model.CanCount); v.OK || v.Fix == "" || caps.Scan.On {
		t.Errorf("unasked: %+v, %+v", v, caps.Scan)
	}
	if p, _, err := q.Pulse(t.Context(), model.PulseAsk{}); err == nil && p.Ready.Known() {
		t.Errorf("unasked the table is read: %+v", p)
	}
	q, caps = probe(true)
	if v := caps.Allows(model.CanCount); !v.OK || !caps.Scan.On || caps.Scan.Index == "" {
		t.Fatalf("asked: %+v, %+v", v, caps.Scan)
	}
	p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
	if err != nil || p.Ready.N != 4 || p.Failed.N != 1 || p.Working.N != 1 || p.Expired.N != 1 {
		t.Errorf("%v, %+v", err, p)
	}
	for v, want := range map[model.View]int{model.ViewReady: 4, model.ViewWorking: 1, model.ViewFailed: 1} {
		if page, _, err := q.Page(t.Context(), v); err != nil || len(page.Jobs) != want || page.More {
			t.Errorf("%s: %v, %d jobs, want %d", v, err, len(page.Jobs), want)
		}
	}
	u.Exec(caps.Scan.Index)
	if _, caps = probe(true); caps.Scan.On || !caps.Allows(model.CanCount).OK {
		t.Errorf("after the cure: %+v, %+v", caps.Scan, caps.Allows(model.CanCount))
	}
}
