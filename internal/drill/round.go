package drill

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/leasetop/leasetop/model"
)

// round is one scene at work.
type round struct {
	scene   scene
	o       Options
	lab     Lab
	mistake Break
	at      func(share float64)
	effects *effects

	mu      sync.Mutex
	tallies map[string]*tally
}

// of is the tally of a guarantee of this scene. It is not for several goroutines
// at once.
func (r *round) of(guarantee string) *tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tallies[guarantee]
	if t == nil {
		t = &tally{}
		r.tallies[guarantee] = t
	}
	t.seen = true
	return t
}

// verdicts are what the scene comes to. Where it could not be played to its end,
// that is a fault of every guarantee that it holds to: nothing was shown.
func (r *round) verdicts(err error) []Verdict {
	out := make([]Verdict, 0, len(r.scene.guarantees))
	for _, g := range r.scene.guarantees {
		t := r.tallies[g.Name]
		if t == nil {
			t = &tally{}
		}
		switch {
		case err != nil:
			t.fault("it could not be played to its end: %v", err)
		case !t.seen:
			t.fault("nothing was checked")
		}
		out = append(out, t.verdict(g))
	}
	return out
}

// dropLimit bounds the clearing away of a scene, also of one that was stopped.
const dropLimit = 10 * time.Second

// on makes a scratch queue, plays on it, and drops it whatever happened.
func (r *round) on(ctx context.Context, o Order, play func(ctx context.Context, p place) error) error {
	o.Flaw = r.mistake.Flaw
	var b Bench
	err := answered(ctx, func() (err error) { b, err = r.lab.Make(ctx, o); return err })
	if err != nil {
		return err
	}
	return dropped(ctx, b, func(ctx context.Context) error { return play(ctx, place{b, r}) })
}

// dropped plays and then clears away, also when the play was stopped.
func dropped(ctx context.Context, b interface{ Drop(context.Context) error }, play func(context.Context) error) (err error) {
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropLimit)
		defer cancel()
		err = errors.Join(err, b.Drop(ctx))
	}()
	return play(ctx)
}

// place is the bench of a round, with the round's mistake where that is one of the
// caller and not of a statement.
type place struct {
	Bench
	r *round
}

// Queue is the queue over the i-th connection, as the caller uses it.
func (p place) Queue(i int) Queue { return p.as(steady{p.Bench.Queue(i)}) }

// through is the queue over the i-th connection, seen through something that
// happens on the way to it.
func (p place) through(i int, way func(Queue) Queue) Queue {
	return p.as(way(steady{p.Bench.Queue(i)}))
}

func (p place) as(q Queue) Queue {
	if p.r.mistake.wrap == nil {
		return q
	}
	return p.r.mistake.wrap(q, p.r)
}

// effects counts how often the work of each job was done.
type effects struct {
	mu   sync.Mutex
	runs map[model.Key]int
}

func (e *effects) happen(k model.Key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.runs == nil {
		e.runs = map[model.Key]int{}
	}
	e.runs[k]++
}

func (e *effects) of(k model.Key) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.runs[k]
}

// newToken makes a token that nobody has used, as the server prints it.
func newToken() string { return strings.ToUpper(uuid.NewString()) }
