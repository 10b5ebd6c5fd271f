package diagnose

import (
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// The kinds of reasons, stable like those of findings.
const (
	WhyGone    = "gone"     // there is no such row
	WhyEnded   = "ended"    // done or failed: nothing is to come
	WhyCorrupt = "corrupt"  // working without a token or a lease
	WhyUnnamed = "unnamed"  // its state is none that the mapping names
	WhyUsedUp  = "used-up"  // the bound of attempts is reached
	WhyBrake   = "brake"    // claims of the queue are stopped
	WhyNotDue  = "not-due"  // scheduled for later
	WhyOverdue = "overdue"  // due, and nobody made it ready
	WhyBlocked = "blocked"  // a lock on its page or table, which no claim passes over
	WhyLocked  = "locked"   // its row is locked by another session
	WhyLeased  = "leased"   // somebody works on it
	WhyExpired = "expired"  // its lease ran out
	WhyNoIndex = "no-index" // claims find no way to it by an index
	WhyStalled = "stalled"  // nobody claims at all
	WhyBehind  = "behind"   // others come first
	WhyNext    = "next"     // nothing is in its way
)

// WhyFacts is what is known when somebody asks why a job is not moving.
type WhyFacts struct {
	Queue string
	Key   model.Key

	Job *model.Job // as it was read; nil: there is no such row
	At  time.Time  // the server's time of Job
	Err error      // why it could not be read

	Snapshot *model.Snapshot // the newest poll; nil: none

	Ready    model.Page // the ready jobs in the order of claims, read for a ready job
	ReadyAt  time.Time  // zero: they were not read
	ReadyErr error

	Locks model.Locks
}

// dueGrace is how long a job may be due without being made ready: that is done
// every second.
const dueGrace = 5 * time.Second

// Why gives the reasons for which a job is not moving, the decisive ones first.
func Why(f WhyFacts) model.Why {
	w := model.Why{Key: f.Key, Job: f.Job, At: f.At}
	if f.Err != nil {
		w.Unknown = append(w.Unknown, "the job could not be read: "+text.Clean(f.Err.Error()))
		if r, ok := f.locked(); ok {
			w.Reasons = append(w.Reasons, r)
		}
		return w
	}
	if f.Job == nil {
		gone := "it was purged, deleted, or its transaction was rolled back"
		if s := f.Snapshot; s != nil && s.Mapping != nil && s.Mapping.IsDestructive() {
			gone = "it was dequeued: who took it is not recorded, nor whether its work has ended"
		}
		w.Reasons = []model.Reason{{Kind: WhyGone, Severity: model.Warn, Text: "there is no such row", Evidence: []string{gone}}}
		return w
	}
	for _, rule := range f.rules() {
		if r, ok := rule(); ok {
			w.Reasons = append(w.Reasons, r)
		}
	}
	if f.moves() {
		w.Unknown = f.unknown()
	}
	return w
}

// rules are what may hold up a job in its state, the decisive first.
func (f *WhyFacts) rules() []func() (model.Reason, bool) {
	switch f.Job.State {
	case model.Scheduled:
		return []func() (model.Reason, bool){f.scheduled, f.locked}
	case model.Working:
		return []func() (model.Reason, bool){f.corrupt, f.locked, f.leased}
	case model.Ready:
		return []func() (model.Reason, bool){f.usedUp, f.braked, f.locked, f.noIndex, f.stalled, f.turn}
	case model.Done, model.Failed:
		return []func() (model.Reason, bool){f.ended}
	case model.StateUnknown:
	}
	return []func() (model.Reason, bool){f.unnamed, f.locked}
}

// moves reports whether the job has anything still to come.
func (f *WhyFacts) moves() bool { return f.Job.State != model.Done && f.Job.State != model.Failed }
