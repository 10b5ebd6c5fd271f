package tape

import (
	"slices"
	"time"

	"github.com/leasetop/leasetop/model"
)

// maxSights bounds the rows of one queue whose first sight is remembered: several
// times what a list can hold.
const maxSights = 2048

// sightBytes is about what one costs: two identities as text and the map's room.
const sightBytes = 256

// sights remembers since when rows are seen that the table does not date. A row
// is the same while its key, state and token are: every change of ownership
// replaces the token. A single sight says nothing about an age.
type sights struct {
	rows  map[sight]*seen
	turn  uint64
	heads map[model.Key]time.Time // the oldest ready jobs, since when each is one
}

type sight struct {
	key   model.Key
	token model.Token
	state model.State
}

type seen struct {
	first time.Time
	turn  uint64 // the list that showed it last
}

// pulse remembers the oldest ready jobs of the figures, which name a key and no
// token: over a poll that failed the same key may be another stay in the queue.
func (g *sights) pulse(s *model.Snapshot, joined bool) {
	heads := map[model.Key]time.Time{}
	keep := func(o *model.Oldest) {
		if o.Waiting.Known() || o.Key.IsZero() {
			return
		}
		first, ok := g.heads[o.Key]
		if !ok || !joined || first.After(s.Pulse.At) {
			first = s.Pulse.At
		}
		heads[o.Key] = first
	}
	p := &s.Pulse.Data
	if p.Oldest != nil {
		keep(p.Oldest)
	}
	for i := range p.ByPriority {
		keep(&p.ByPriority[i])
	}
	g.heads = heads
}

// list dates the rows of a fresh list and forgets those of the same state that
// are gone. A reader that skips locked rows may miss one for a single look.
func (g *sights) list(p *model.Part[model.Page], low bool) {
	g.turn++
	for _, j := range p.Data.Jobs {
		if e := g.rows[sight{j.Key, j.Token, j.State}]; e != nil {
			e.turn = g.turn
		}
	}
	copied := false
	for i, j := range p.Data.Jobs {
		if !undated(j) {
			continue
		}
		age := g.look(sight{j.Key, j.Token, j.State}, p.At)
		if age <= 0 {
			continue
		}
		if !copied {
			p.Data.Jobs, copied = slices.Clone(p.Data.Jobs), true
		}
		dated := *j
		if j.State == model.Ready {
			dated.Waiting = model.Age{D: age, Trust: model.AtLeast}
		} else {
			dated.Held = model.Age{D: age, Trust: model.AtLeast}
		}
		p.Data.Jobs[i] = &dated
	}
	if !p.Data.More {
		g.forget(stateOf(p.Data.View), low)
	}
}

// undated reports whether a row's age is not known and would mean something.
func undated(j *model.Job) bool {
	return j.State == model.Ready && !j.Waiting.Known() || j.State == model.Working && !j.Held.Known()
}

func stateOf(v model.View) model.State {
	switch v {
	case model.ViewWorking:
		return model.Working
	case model.ViewReady:
		return model.Ready
	case model.ViewFailed, model.ViewRepeaters, model.ViewWorkers, model.ViewHistory, model.ViewTail, model.ViewNone:
		// dead letters have no age that is watched, and the others are no list of one state
	}
	return model.StateUnknown
}

// look gives the time since the first sight of a row, zero at the first.
func (g *sights) look(id sight, at time.Time) time.Duration {
	e := g.rows[id]
	if e != nil && e.first.After(at) {
		e.first = at // the clock was set back
	}
	if e == nil {
		if e = g.begin(id, at); e == nil {
			return 0
		}
	}
	return at.Sub(e.first)
}

func (g *sights) begin(id sight, at time.Time) *seen {
	if g.rows == nil {
		g.rows = map[sight]*seen{}
	}
	if len(g.rows) >= maxSights {
		for old, e := range g.rows {
			if e.turn != g.turn {
				delete(g.rows, old)
			}
		}
		if len(g.rows) >= maxSights {
			return nil
		}
	}
	e := &seen{first: at, turn: g.turn}
	if first, ok := g.heads[id.key]; ok && id.state == model.Ready && first.Before(at) {
		e.first = first
	}
	g.rows[id] = e
	return e
}

func (g *sights) forget(state model.State, low bool) {
	grace := uint64(0)
	if low {
		grace = 1
	}
	for id, e := range g.rows {
		if id.state == state && e.turn+grace < g.turn {
			delete(g.rows, id)
		}
	}
}

// settle dates the oldest ready jobs of the figures: as the list does where it
// shows them, so that figure and list agree, else from their own first sight.
func (g *sights) settle(s *model.Snapshot) {
	p := &s.Pulse.Data
	date := func(o model.Oldest) model.Oldest {
		first, ok := g.heads[o.Key]
		if o.Waiting.Known() || !ok {
			return o
		}
		age := s.Pulse.At.Sub(first)
		for _, j := range s.Page.Data.Jobs {
			if j.Key == o.Key && j.State == model.Ready {
				age = max(age, j.Waiting.D)
			}
		}
		if age > 0 {
			o.Waiting = model.Age{D: age, Trust: model.AtLeast}
		}
		return o
	}
	if p.Oldest != nil {
		o := date(*p.Oldest)
		p.Oldest = &o
	}
	p.ByPriority = slices.Clone(p.ByPriority)
	for i, o := range p.ByPriority {
		p.ByPriority[i] = date(o)
	}
}
