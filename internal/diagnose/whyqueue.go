package diagnose

import (
	"errors"
	"fmt"
	"slices"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// What the queue around a ready job says of why it is not moving.

// found is a finding of the newest poll, nil where there is none of the kind.
func (f *WhyFacts) found(kind string) *model.Finding {
	if f.Snapshot == nil {
		return nil
	}
	i := slices.IndexFunc(f.Snapshot.Findings, func(x model.Finding) bool { return x.Kind == kind })
	if i < 0 {
		return nil
	}
	return &f.Snapshot.Findings[i]
}

func (f *WhyFacts) braked() (model.Reason, bool) {
	if f.Snapshot == nil || f.Snapshot.Pulse.Data.Brake == nil || !f.Snapshot.Pulse.Data.Brake.On {
		return model.Reason{}, false
	}
	b := f.Snapshot.Pulse.Data.Brake
	r := model.Reason{Kind: WhyBrake, Severity: model.Bad, Text: "the queue's brake is on: nobody claims"}
	if !b.At.At.IsZero() {
		r.Text += fmt.Sprintf(", since %s", text.Exact(f.At.Sub(b.At.At)))
	}
	by := text.Clean(b.Actor)
	if b.Login != "" && b.Login != b.Actor {
		by += " (" + text.Clean(b.Login) + ")"
	}
	if by != "" {
		r.Evidence = append(r.Evidence, "put on by "+by)
	}
	if b.Reason != "" {
		r.Evidence = append(r.Evidence, "because: "+text.Clean(b.Reason))
	}
	r.Cure = "ask whoever put it on; releasing it lets claims go on"
	return r, true
}

func (f *WhyFacts) noIndex() (model.Reason, bool) {
	if f.Snapshot == nil {
		return model.Reason{}, false
	}
	v, probed := f.Snapshot.Caps.Can[model.CanCount]
	if !probed || v.OK {
		return model.Reason{}, false
	}
	return model.Reason{
		Kind: WhyNoIndex, Severity: model.Warn, Text: "no index leads claims to it: each claim reads the table from end to end",
		Evidence: []string{text.Clean(v.Why)}, Cure: text.Clean(v.Fix),
	}, true
}

func (f *WhyFacts) stalled() (model.Reason, bool) {
	x := f.found(KindStalled)
	if x == nil {
		return model.Reason{}, false
	}
	return model.Reason{Kind: WhyStalled, Severity: x.Severity, Text: "no worker claims: " + x.Text, Cure: x.Cure}, true
}

// turn is how many jobs are claimed before this one. The list of ready jobs is
// in the order of claims.
func (f *WhyFacts) turn() (model.Reason, bool) {
	if f.ReadyAt.IsZero() || f.Job.Exhausted() || f.dequeued() {
		return model.Reason{}, false
	}
	at := slices.IndexFunc(f.Ready.Jobs, func(j *model.Job) bool { return j.Key == f.Key })
	switch {
	case at == 0:
		return model.Reason{
			Kind: WhyNext, Text: "it is ready and the next in line: the next claim takes it, unless a lock hides it", Evidence: f.waiting(),
		}, true
	case at > 0:
		return f.behind(text.Plural(int64(at), "ready job is", "ready jobs are"), f.Ready.Jobs[0]), true
	case f.Ready.More:
		return f.behind("more than "+text.Plural(int64(len(f.Ready.Jobs)), "ready job is", "ready jobs are"), f.Ready.Jobs[0]), true
	}
	return model.Reason{}, false
}

func (f *WhyFacts) behind(n string, head *model.Job) model.Reason {
	r := model.Reason{Kind: WhyBehind, Text: n + " claimed before it", Evidence: f.waiting()}
	first := "the first of them is " + text.Brief(head.Key.String())
	switch p, own := head.Priority, f.Job.Priority; {
	case !comesFirst(p, own):
	case p.Known:
		first += fmt.Sprintf(", priority %d before this one's %d", p.N, own.N)
	default:
		first += fmt.Sprintf(", without a priority and so before this one's %d", own.N)
	}
	r.Evidence = append(r.Evidence, first)
	return r
}

func (f *WhyFacts) waiting() []string {
	if !f.Job.Waiting.Known() {
		return nil
	}
	return []string{"it has been ready for " + text.ExactAge(f.Job.Waiting)}
}

// unknown is what could not be found out.
func (f *WhyFacts) unknown() []string {
	var out []string
	say := func(what string, err error) {
		if f := new(model.Fault); errors.As(err, &f) { // what was tried is said already
			c := *f
			c.Op, err = "", &c
		}
		out = append(out, what+": "+text.Clean(err.Error()))
	}
	if f.Job.State == model.Ready && f.ReadyErr != nil {
		say("how many jobs come first", f.ReadyErr)
	}
	switch l := &f.Locks; {
	case f.Job.Locked.Known: // the row itself tells
	case l.RowErr != nil && l.HoldErr != nil && l.RowErr.Text == l.HoldErr.Text:
		out = append(out, "locks: "+text.Clean(l.RowErr.Text))
	default:
		if l.RowErr != nil {
			say("whether its row is locked", l.RowErr)
		}
		if l.HoldErr != nil {
			say("who holds locks", l.HoldErr)
		}
	}
	return out
}
