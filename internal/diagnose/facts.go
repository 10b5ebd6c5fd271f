package diagnose

import (
	"time"

	"github.com/leasetop/leasetop/model"
)

// facts are what a good poll knows, in the form that the rules ask for.
type facts struct {
	s       *model.Snapshot
	now     time.Time
	lease   time.Duration // the usual one: as rows were last seen to be given, else as configured
	figures model.Pulse
	jobs    []*model.Job // a fresh list of working rows; empty: none was read
	whole   bool         // jobs are all working rows
}

func factsOf(s *model.Snapshot) facts {
	f := facts{s: s, now: s.Now(), lease: model.DefaultLease, figures: s.Figures()}
	if s.Mapping != nil {
		f.lease = s.Mapping.UsualLease()
	}
	p := &s.Page
	if p.Err == nil && p.Data.View == model.ViewWorking && !p.At.Before(s.Pulse.At) {
		f.jobs, f.whole = p.Data.Jobs, !p.Data.More
	}
	return f
}

// job finds a row in the list, nil when it is not there.
func (f *facts) job(k model.Key) *model.Job {
	for _, j := range f.jobs {
		if j.Key == k {
			return j
		}
	}
	return nil
}

// granted is the longest lease that the rows of the list were given by their claim
// or their last heartbeat; zero: the table does not record it.
func (f *facts) granted() time.Duration {
	var longest time.Duration
	for _, j := range f.jobs {
		from := j.Claimed.At
		if j.Beat.At.After(from) {
			from = j.Beat.At
		}
		if !from.IsZero() && !j.Lease.At.IsZero() {
			longest = max(longest, j.Lease.At.Sub(from))
		}
	}
	return longest
}

// some reports whether a count is known not to be zero.
func some(c model.Count) bool { return c.Known() && c.N > 0 }
