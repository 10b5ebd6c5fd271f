package diagnose

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// What the row itself says of why it is not moving.

func (f *WhyFacts) ended() (model.Reason, bool) {
	r := model.Reason{Kind: WhyEnded, Text: "it is done: nothing is left to do"}
	if f.Job.State == model.Failed {
		r.Severity, r.Text, r.Cure = model.Warn, "it is a dead letter: nobody claims it again by itself", "u requeues it once the cause is mended"
		if f.Job.Error != "" {
			r.Evidence = append(r.Evidence, "its last error: "+text.Clean(f.Job.Error))
		}
	}
	if e := f.Job.Ended; !e.At.IsZero() {
		r.Evidence = append(r.Evidence, "it ended "+text.Exact(f.At.Sub(e.At))+" ago")
	}
	return r, true
}

func (f *WhyFacts) unnamed() (model.Reason, bool) {
	return model.Reason{
		Kind: WhyUnnamed, Severity: model.Bad, Text: "its state is " + text.Brief(f.Job.RawState.String()) + ", which the mapping does not name",
		Evidence: []string{"no statement of leasetop looks for that value"},
		Cure:     "find out what wrote it; name the value in the mapping, or set the row's state by hand",
	}, true
}

func (f *WhyFacts) corrupt() (model.Reason, bool) {
	if !f.Job.Corrupt() {
		return model.Reason{}, false
	}
	lacks := "a token"
	switch {
	case f.Job.Token.IsZero() && f.Job.Lease.IsZero():
		lacks = "a token and a lease"
	case f.Job.Lease.IsZero():
		lacks = "a lease"
	}
	return model.Reason{
		Kind: WhyCorrupt, Severity: model.Bad, Text: "it is working without " + lacks + ": nothing will ever end it",
		Evidence: []string{"no completion can match a token that is not there, and a lease that is not there never runs out"},
		Cure:     "make sure that nobody works on it, then set its state by hand, or dead-letter it with d",
	}, true
}

func (f *WhyFacts) usedUp() (model.Reason, bool) {
	j := f.Job
	if !j.Exhausted() {
		return model.Reason{}, false
	}
	return model.Reason{
		Kind: WhyUsedUp, Severity: model.Bad, Text: "its attempts are used up, yet it is ready: no claim takes it",
		Evidence: []string{fmt.Sprintf("%d of %d attempts; a claim asks for fewer than the bound", j.Attempts.N, j.MaxAttempts.N)},
		Cure:     "d makes it a dead letter; u then requeues it with its attempts anew",
	}, true
}

// scheduled is that a job is not due, or that it is and nobody made it ready.
func (f *WhyFacts) scheduled() (model.Reason, bool) {
	due := f.Job.Available
	if due.At.IsZero() {
		return model.Reason{
			Kind: WhyNotDue, Severity: model.Warn, Text: "it is scheduled, and its row does not say for when",
			Cure: "give it a time, or make it ready by hand",
		}, true
	}
	if wait := due.At.Sub(f.At); wait > -dueGrace {
		r := model.Reason{Kind: WhyNotDue, Text: "it is not due yet: in " + text.Exact(max(0, wait))}
		if f.Job.Attempts.N > 0 {
			r.Evidence = append(r.Evidence, fmt.Sprintf("it waits out its back-off after attempt %d", f.Job.Attempts.N))
			if f.Job.Error != "" {
				r.Evidence = append(r.Evidence, "which ended with: "+text.Clean(f.Job.Error))
			}
		}
		return r, true
	}
	return model.Reason{
		Kind: WhyOverdue, Severity: model.Bad, Text: "it is due since " + text.Exact(f.At.Sub(due.At)) + " and nobody makes it ready",
		Evidence: []string{"workers of leasetop and `leasetop recover` do that every second"},
		Cure:     "`leasetop recover " + f.Queue + "` makes due jobs ready",
	}, true
}

// leased is who works on it, and whether that is over.
func (f *WhyFacts) leased() (model.Reason, bool) {
	j := f.Job
	left, ok := j.Left(f.At)
	if !ok {
		return model.Reason{}, false
	}
	r := model.Reason{Kind: WhyLeased, Evidence: f.signsOfLife()}
	who := "somebody"
	if j.Worker != "" {
		who = text.Clean(j.Worker)
	}
	held := ""
	if j.Held.Known() {
		held = " for " + text.ExactAge(j.Held)
	}
	if left >= 0 {
		r.Text = fmt.Sprintf("%s works on it%s: %s of the lease is left", who, held, text.Exact(left))
		return r, true
	}
	r.Kind, r.Severity = WhyExpired, model.Warn
	r.Text = fmt.Sprintf("its lease ran out %s ago; %s may still be running", text.Exact(-left), who)
	if found := f.found(KindNobodyRecovers); found != nil || -left > f.lateness() {
		r.Severity = model.Bad
		r.Evidence = append(r.Evidence, "nobody takes expired rows back: a recovery runs every quarter of a lease")
		r.Cure = "`leasetop recover " + f.Queue + "` takes them back"
		if found != nil && found.Cure != "" {
			r.Cure = found.Cure
		}
		r.Cure += "; r reclaims this one"
		return r, true
	}
	r.Cure = "the next recovery takes it back"
	return r, true
}

// lateness is how far past its lease a row lies that no recovery came for.
func (f *WhyFacts) lateness() time.Duration {
	lease := model.DefaultLease
	if f.Snapshot != nil && f.Snapshot.Mapping != nil {
		lease = f.Snapshot.Mapping.UsualLease()
	}
	return 3 * max(lease, leastLease) / 4
}

// signsOfLife are what the row tells of its holder.
func (f *WhyFacts) signsOfLife() []string {
	j := f.Job
	var out []string
	switch m := f.mapping(); {
	case !j.Beat.At.IsZero():
		out = append(out, "its last heartbeat came "+text.Exact(f.At.Sub(j.Beat.At))+" ago")
	case m != nil && m.Has(model.RoleHeartbeat):
		out = append(out, "no heartbeat came since it was claimed")
	}
	if j.Attempts.Known {
		s := fmt.Sprintf("this is attempt %d", j.Attempts.N)
		if j.MaxAttempts.Known {
			s += fmt.Sprintf(" of %d", j.MaxAttempts.N)
		}
		out = append(out, s)
	}
	return append(out, "its token is "+text.Brief(j.Token.String()))
}

func (f *WhyFacts) mapping() *model.Mapping {
	if f.Snapshot == nil {
		return nil
	}
	return f.Snapshot.Mapping
}
