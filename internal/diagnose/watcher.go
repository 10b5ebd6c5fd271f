// Package diagnose says what about a queue a person should know: rules that take
// facts in and give findings with their evidence and their cure. It asks nothing,
// changes nothing and has no clock: the facts are the snapshots that it is shown.
//
// A finding must not flap. What one statement counted (expired, corrupt) is found
// exactly as long as it is counted, so that finding and figure never disagree.
// What is judged against a limit has two of them, one to begin and a lower one to
// end: nobody-recovers begins at three quarters of a lease and ends at one half,
// clock-skew begins at a second and ends at half of one. A stall ends with a claim
// or with the last ready row, a clock step after one lease. A job that is passed over
// is found until it is no longer the next of its priority, a crash loop until a list
// that would show it does not. While polls fail the
// findings of the last good one stand. Ages in texts are coarse, so that a text
// does not change with every poll.
package diagnose

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// The kinds of findings, stable in JSON and docs.
const (
	KindNobodyRecovers = "nobody-recovers" // expired rows lie longer than any recovery would leave them
	KindCorrupt        = "corrupt"         // working without a token or a lease
	KindBraked         = "braked"          // the brake stops the claims
	KindStalled        = "stalled"         // ready rows, and nobody claims
	KindOverLimit      = "over-limit"      // a figure is over the limit that the configuration sets it
	KindCrashLoop      = "crash-loop"      // leases of a job end again and again with no failure recorded
	KindPassedOver     = "passed-over"     // a job is the next to be claimed, and others are claimed instead
	KindHidden         = "hidden"          // a job is locked by another session, so that neither claims nor figures have it
	KindUrgentWaits    = "urgent-waits"    // a job waits longer than those of a lower priority
	KindExpired        = "expired"         // working, and the lease has run out
	KindClockStep      = "clock-step"      // the server's clock was set
	KindClockSkew      = "clock-skew"      // the server's clock and ours differ
	KindNoIndex        = "no-index"        // no index leads on the state: nothing can be counted
	KindScan           = "scan"            // no index leads on the state, and each look reads the whole table
	KindControlOff     = "control-off"     // acts are not possible here, and why
	KindLowCounts      = "low-counts"      // counts are at least, never exact
)

// Kinds lists the kinds in the order in which findings of one severity stand.
func Kinds() []string {
	return []string{
		KindNobodyRecovers, KindCorrupt, KindBraked, KindStalled, KindOverLimit, KindCrashLoop, KindPassedOver, KindHidden, KindUrgentWaits, KindExpired,
		KindStarving, KindStuckHead, KindFutureRow, KindHeap, KindNoDeadLetter, KindTrigger,
		KindClockStep, KindClockSkew, KindNoIndex, KindScan, KindControlOff, KindLowCounts,
	}
}

// Watcher finds what is wrong with queues. Some rules compare a snapshot with
// those before it, so that one Watcher is to see all snapshots of a queue in
// their order. It is safe for use by several goroutines.
type Watcher struct {
	mu       sync.Mutex
	queues   map[string]*state
	limits   map[string]model.Limits
	recovery map[string]string
}

// state is what the rules remember of one queue.
type state struct {
	at       time.Time // server's time of the last good pulse
	got      time.Time // when it came, by our own clock
	broken   bool      // the poll before this one failed
	standing []model.Finding

	granted   time.Duration // the longest lease of the last list that showed any
	abandoned bool          // nobody-recovers stands
	skewed    bool          // clock-skew stands
	step      step
	rows      rows
	claims    claims
	passes    passes
	hidden    hidden
	loops     loops
	late      bool // urgent-waits stands
}

// New makes a watcher that has seen nothing.
func New() *Watcher {
	return &Watcher{queues: map[string]*state{}, limits: map[string]model.Limits{}, recovery: map[string]string{}}
}

// Limit sets the limits of a queue's figures. What passes one is a finding.
func (w *Watcher) Limit(queue string, l model.Limits) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limits[queue] = l
}

// Recovery says how a queue's expired rows are taken back, where that is not by
// `leasetop recover`.
func (w *Watcher) Recovery(queue, how string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recovery[queue] = how
}

// Observe sets the findings of a snapshot that is not yet published, worst first.
func (w *Watcher) Observe(s *model.Snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	st := w.queues[s.Queue]
	if st == nil {
		st = &state{}
		w.queues[s.Queue] = st
	}
	switch {
	case s.Pulse.Err != nil || !s.Pulse.Known():
		st.broken = true
	case !s.Pulse.At.Equal(st.at):
		st.standing = append(st.watch(s), OverLimits(s, w.limits[s.Queue])...)
		for i := range st.standing {
			if how := w.recovery[s.Queue]; how != "" && st.standing[i].Kind == KindNobodyRecovers {
				st.standing[i].Cure = how
			}
		}
		st.at, st.got, st.broken = s.Pulse.At, s.Pulse.Got, false
	}
	found := slices.Concat(st.standing, st.server(s), rowServer(s))
	order := Kinds()
	slices.SortStableFunc(found, func(a, b model.Finding) int {
		if c := cmp.Compare(b.Severity, a.Severity); c != 0 {
			return c
		}
		return cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind))
	})
	s.Findings = found
}

// watch applies the rules about what a good poll saw.
func (st *state) watch(s *model.Snapshot) []model.Finding {
	f := factsOf(s)
	if g := f.granted(); g > 0 {
		st.granted = g
	}
	if st.granted > 0 {
		f.lease = st.granted
	}
	st.step.observe(s, st)
	if s.Mapping.IsDestructive() {
		found := st.rows.observe(s, st.joined())
		if x, ok := st.step.finding(f); ok {
			found = append(found, x)
		}
		return found
	}
	found := st.leases(f)
	brake, stopped := braked(f)
	if stopped { // that nothing is claimed needs no further reason
		found = append(found, brake)
	}
	if x, ok := st.claims.observe(f, st.joined()); ok && !stopped {
		found = append(found, x)
	}
	passed, over := st.passes.observe(f, st.joined())
	if over && !stopped {
		found = append(found, passed)
	}
	if x, ok := st.hidden.observe(f, st.joined()); ok && !stopped {
		found = append(found, x)
	}
	if x, ok := st.urgent(f); ok && !stopped && (!over || x.Key != passed.Key) {
		found = append(found, x)
	}
	if x, ok := st.loops.observe(f); ok {
		found = append(found, x)
	}
	if x, ok := st.step.finding(f); ok {
		found = append(found, x)
	}
	return found
}

// joined reports whether the poll before this one was good too, and by the same
// clock, so that the two can be compared.
func (st *state) joined() bool {
	return !st.broken && !st.at.IsZero() && !st.step.now
}
