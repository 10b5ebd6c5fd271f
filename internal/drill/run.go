package drill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Options say how big a drill is. The zero Options are the size for the embedded
// engine.
type Options struct {
	Claimers int // workers at once; 0: DefaultClaimers
	Jobs     int // of each scene with many workers; 0: DefaultJobs
	Ahead    int // scheduled rows ahead of a claim whose cost is measured; 0: DefaultAhead
	Seed     uint64
	Break    string   // a known mistake, one of Breaks; empty: none
	Only     []string // guarantees; empty: all
	// Lease is the workers' lease in the scenes that run in real time; 0: DefaultLease.
	Lease time.Duration
	// Patience is how long such a scene may go on without one job coming to its end;
	// 0: DefaultPatience.
	Patience time.Duration
	Progress func(Progress) // never called by two goroutines at once; must not block
}

// The defaults of Options.
const (
	DefaultClaimers = 8
	DefaultJobs     = 1000
	DefaultAhead    = 100_000
	DefaultLease    = 2 * time.Second
	DefaultPatience = 15 * time.Second
)

// Progress is how far a drill is.
type Progress struct {
	Scene    string
	Done, Of int     // scenes
	Share    float64 // of the scene at work, where it can tell
}

// scene is one story that is played on scratch queues, and what it holds to.
type scene struct {
	name       string
	guarantees []Guarantee
	play       func(ctx context.Context, r *round) error
}

// Guarantees lists what the drill checks, in order.
func Guarantees() []Guarantee {
	var out []Guarantee
	for _, s := range scenes() {
		out = append(out, s.guarantees...)
	}
	return out
}

// Run plays every scene that has a wanted guarantee. An error means that the drill
// could not go on or was stopped; the outcome then holds what was found until
// then. A guarantee that does not hold is no error.
func Run(ctx context.Context, lab Lab, o Options) (Outcome, error) {
	o = o.filled()
	begun := time.Now()
	out := Outcome{Engine: lab.Engine(), Break: o.Break, Seed: o.Seed, Claimers: o.Claimers, Jobs: o.Jobs}
	b, err := breakNamed(o.Break)
	if err != nil {
		return out, err
	}
	wanted, err := o.scenes()
	if err != nil {
		return out, err
	}
	for i, s := range wanted {
		r := &round{scene: s, o: o, lab: lab, mistake: b, tallies: map[string]*tally{}, effects: &effects{}}
		r.at = func(share float64) {
			if o.Progress != nil {
				o.Progress(Progress{s.name, i, len(wanted), share})
			}
		}
		r.at(0)
		err := s.play(ctx, r)
		if ctx.Err() != nil {
			out.Cut = true
			if errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(ctx)) {
				err = nil // it says the same once more
			}
			return out, errors.Join(fmt.Errorf("the drill was stopped: %w", context.Cause(ctx)), err)
		}
		out.Verdicts = append(out.Verdicts, r.verdicts(err)...)
		out.Took = time.Since(begun)
	}
	return out, nil
}

func (o Options) filled() Options {
	or := func(n *int, otherwise int) {
		if *n <= 0 {
			*n = otherwise
		}
	}
	or(&o.Claimers, DefaultClaimers)
	or(&o.Jobs, DefaultJobs)
	or(&o.Ahead, DefaultAhead)
	if o.Lease <= 0 {
		o.Lease = DefaultLease
	}
	if o.Patience <= 0 {
		o.Patience = DefaultPatience
	}
	return o
}

// scenes are those with a guarantee that is wanted.
func (o Options) scenes() ([]scene, error) {
	if len(o.Only) == 0 {
		return scenes(), nil
	}
	var out []scene
	found := map[string]bool{}
	for _, s := range scenes() {
		s.guarantees = slices.DeleteFunc(slices.Clone(s.guarantees), func(g Guarantee) bool { return !slices.Contains(o.Only, g.Name) })
		for _, g := range s.guarantees {
			found[g.Name] = true
		}
		if len(s.guarantees) > 0 {
			out = append(out, s)
		}
	}
	for _, name := range o.Only {
		if !found[name] {
			return nil, fmt.Errorf("the drill has no check %q", name)
		}
	}
	return out, nil
}
