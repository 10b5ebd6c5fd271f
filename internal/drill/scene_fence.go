package drill

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/model"
)

// lateSteps takes jobs from their workers in every way there is, and then lets
// each worker send every step that it has, by the token that it still knows.
func lateSteps(ctx context.Context, r *round) error {
	return r.on(ctx, Order{Name: "fence"}, func(ctx context.Context, p place) error {
		s := newScript(ctx, r, p)
		f := &fence{script: s, t: r.of(replacedToken)}
		s.enqueue(len(f.ways())*len(f.steps()), model.NewJob{})
		var late []taken
		for _, w := range f.ways() {
			for _, step := range f.steps() {
				late = append(late, taken{s.claim("worker-a"), w.name, step})
			}
		}
		s.pass(s.lease + s.lease/10)
		for i, w := range f.ways() {
			for _, l := range late[i*len(f.steps()) : (i+1)*len(f.steps())] {
				w.take(l.c)
			}
		}
		s.recover(model.Backoff{})
		f.try(late)
		f.again()
		f.try(late)
		f.t.say(replacedToken, "%d late steps after %d ways to lose a job, before and after it was claimed again", f.tried, len(f.ways()))
		return s.err
	})
}

// fence tries late steps.
type fence struct {
	*script
	t     *tally
	tried int
}

// taken is a claim that was taken from its worker.
type taken struct {
	c    model.Claim
	how  string
	step lateStep
}

type lateStep struct {
	name string
	send func(model.Claim) bool
}

type wayToLose struct {
	name string
	take func(model.Claim)
}

func (f *fence) steps() []lateStep {
	return []lateStep{
		{"completion", f.complete},
		{"heartbeat", f.beat},
		{"failure", func(c model.Claim) bool { return f.fail(c, 0, "late") }},
		{"release", f.release},
	}
}

func (f *fence) ways() []wayToLose {
	must := func(what string, step func(model.Claim) bool) func(model.Claim) {
		return func(c model.Claim) {
			if !step(c) && f.err == nil {
				f.t.fault("job %s: %s by the token that held it was refused", c.Key, what)
			}
		}
	}
	return []wayToLose{
		{"recovery", func(model.Claim) {}}, // takes what all others left
		{"a reclaim", must("a reclaim", func(c model.Claim) bool { return f.act(model.Reclaim, c) })},
		{"a forced reclaim", must("a forced reclaim", func(c model.Claim) bool { return f.act(model.Force, c) })},
		{"a dead-letter", must("a dead-letter", func(c model.Claim) bool { return f.act(model.DeadLetter, c) })},
		{"its own failure", must("a failure", func(c model.Claim) bool { return f.fail(c, 0, "failed") })},
		{"its own release", must("a release", f.release)},
	}
}

// try sends every late step.
func (f *fence) try(late []taken) {
	for _, l := range late {
		f.tried++
		if l.step.send(l.c) {
			f.t.fault("job %s: %s by a token that %s had replaced was honoured", l.c.Key, l.step.name, l.how)
		}
		if j := f.row(l.c.Key); f.err == nil && j.Token == l.c.Token {
			f.t.fault("job %s still carries the token that %s had to replace", l.c.Key, l.how)
		}
	}
}

// again claims whatever can be claimed, for another worker.
func (f *fence) again() {
	f.pass(time.Millisecond)
	f.promote()
	for f.err == nil {
		if len(f.claims("worker-b", 100)) == 0 {
			return
		}
	}
}
