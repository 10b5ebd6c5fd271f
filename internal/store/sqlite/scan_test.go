package sqlite_test

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// TestInsisting holds that where somebody insists a large table without an index on
// its state has its figures and lists all the same, each beside a count by hand, and
// that what it costs and what would end it is known.
func TestInsisting(t *testing.T) {
	s, m, _ := bound(t, "")
	for _, name := range []string{"Ready", "Working", "Scheduled", "Failed", "Operation"} {
		s.exec(t, "DROP INDEX IX_QueueDemo_"+name)
	}
	s.exec(t, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10007)
INSERT INTO QueueDemo (JobId, State, Payload, Priority, AvailableAt, EnqueuedAt, ClaimToken, LeaseUntil)
SELECT i, CASE WHEN i <= 4 THEN 'R' WHEN i = 5 THEN 'S' WHEN i = 6 THEN 'F' WHEN i = 7 THEN 'W' ELSE 'D' END,
       '{}', i, CASE WHEN i <= 4 THEN ?1 - i * 60000 ELSE ?1 + 60000 END, ?1, 'x', ?1 - 1000 FROM n`, s.clock.Now().UnixMilli())
	wanted := *m
	q := s.Open(t).Queue(wanted)
	if caps, err := q.Probe(t.Context()); err != nil || caps.Allows(model.CanCount).OK || caps.Scan != (model.Scan{}) {
		t.Fatalf("unasked: %v, %+v, %+v", err, caps.Allows(model.CanCount), caps.Scan)
	}
	wanted.AllowScan = true
	q = s.Open(t).Queue(wanted)
	caps, err := q.Probe(t.Context())
	want := model.Scan{On: true, Rows: model.NumberOf(10007), Index: `CREATE INDEX "IX_QueueDemo_State" ON "QueueDemo" ("State", "Priority", "AvailableAt", "JobId")`}
	if err != nil || !caps.Allows(model.CanCount).OK || caps.Scan != want {
		t.Fatalf("%v, %+v", err, caps.Scan)
	}
	p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
	one := model.Count{N: 1, Trust: model.Exact}
	if err != nil || p.Ready.N != 4 || p.Scheduled != one || p.Failed != one || p.Working != one || p.Expired != one || p.Done.N != 10000 {
		t.Errorf("%v, %+v", err, p)
	}
	if p.Oldest == nil || p.Oldest.Key != model.KeyOf(model.IntValue(4)) || p.Oldest.Waiting.D != 4*time.Minute {
		t.Errorf("the one that waits longest is 4: %+v", p.Oldest)
	}
	if page, _, err := q.Page(t.Context(), model.ViewReady); err != nil || len(page.Jobs) != 4 {
		t.Errorf("%v, %d ready jobs", err, len(page.Jobs))
	}
	s.exec(t, want.Index)
	if caps, err = q.Probe(t.Context()); err != nil || caps.Scan != (model.Scan{}) {
		t.Errorf("after the cure: %v, %+v", err, caps.Scan)
	}
}

// TestTheScanReadsAFewTimes holds the pulse of one who insists to its text, and to
// reading the table once for each figure and not for each priority too.
func TestTheScanReadsAFewTimes(t *testing.T) {
	s, m, caps := bound(t, "")
	caps.Form[string(store.OpPulse)] = "scan"
	st, err := s.Dialect().Statement(store.OpPulse, m, &caps)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "testdata/sql/scan/pulse.sql", st)
	for _, name := range []string{"Ready", "Working", "Scheduled", "Failed", "Operation"} {
		s.exec(t, "DROP INDEX IX_QueueDemo_"+name)
	}
	reads := strings.Count(strings.Join(s.plan(t, st.Texts[0]), "\n")+"\n", "SCAN QueueDemo\n")
	if reads < 5 || reads > 8 {
		t.Errorf("reads the table %d times", reads)
	}
}
