package tape

import (
	"reflect"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// past is the looks of the last hour: blocks in memory, the oldest forgotten
// first. Times are those of our own clock.
type past struct {
	span time.Duration
	most int // bytes
	now  func() time.Time

	mu     sync.Mutex
	last   map[string]*still
	order  []string // queues, as they were first seen
	newest time.Time
	open   *block
	blocks []sealed
	bytes  int
	sink   func(sealed) // takes every block when it is complete; nil: nobody does

	boards   boards
	read     decoded
	payloads payloads
}

// decoded is the block that was read last: whoever walks through time stays in it
// for a while.
type decoded struct {
	from   time.Time
	frames []frame
}

// Keep remembers a snapshot as a look into the past will show it. It is called
// when the snapshot is complete, its findings included, and keeps what it holds:
// a snapshot is not changed any more once it is published.
func (t *Tape) Keep(s *model.Snapshot) {
	p := &t.past
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := p.now().Round(0)
	if seen.Before(p.newest) {
		seen = p.newest // our own clock was set back: looks keep their order
	}
	p.newest = seen
	x := stillOf(s, seen, t.point(s))
	if p.open != nil && p.open.full(seen) {
		p.seal()
	}
	was := p.last[s.Queue]
	if was == nil {
		p.order = append(p.order, s.Queue)
	}
	var f frame
	if p.open == nil || was == nil {
		f = x.whole()
	} else {
		f = x.since(was)
	}
	if p.open == nil {
		p.begin(seen, s.Queue)
	}
	p.last[s.Queue] = x
	if err := p.open.add(&f); err != nil {
		p.open = nil // what cannot be written is not remembered
	}
}

// begin opens a block with what is known of the other queues.
func (p *past) begin(at time.Time, but string) {
	p.open = newBlock(at)
	for _, q := range p.order {
		if x := p.last[q]; x != nil && q != but {
			f := x.whole()
			_ = p.open.add(&f)
		}
	}
}

// seal completes the open block and forgets what is too old or too much.
func (p *past) seal() {
	if p.open == nil {
		return
	}
	s := p.open.seal()
	p.open = nil
	p.blocks = append(p.blocks, s)
	p.bytes += len(s.data)
	n := 0
	for n < len(p.blocks)-1 && (p.bytes > p.most || s.to.Sub(p.blocks[n].to) > p.span) {
		p.bytes -= len(p.blocks[n].data)
		n++
	}
	p.blocks = slices.Delete(p.blocks, 0, n)
	if n > 0 {
		p.payloads.forget(p.blocks[0].from)
	}
	if p.sink != nil {
		p.sink(s)
	}
}

// point is the charts' share of a snapshot that was just observed.
func (t *Tape) point(s *model.Snapshot) point {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q := t.queues[s.Queue]; q != nil && q.ring.len() > 0 {
		if p := q.ring.at(q.ring.len() - 1); p.at == s.Pulse.At.UnixMilli() {
			return *p
		}
	}
	p := point{}
	for i := range p.v {
		p.v[i] = unknown
	}
	return p
}

// Reach is how far back a look into the past can go, and the newest look, both by
// our own clock. Both are zero when nothing was seen yet.
func (t *Tape) Reach() (from, to time.Time) {
	p := &t.past
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case len(p.blocks) > 0:
		from = p.blocks[0].from
	case p.open != nil:
		from = p.open.from
	}
	return from, p.newest
}

// At is the board as it was at a moment of our own clock. A queue that was not
// watched then is not on it; nothing is interpolated. It is nil before the
// beginning.
func (t *Tape) At(at time.Time) *model.Board {
	p := &t.past
	p.mu.Lock()
	defer p.mu.Unlock()
	i := sort.Search(len(p.blocks), func(i int) bool { return p.blocks[i].from.After(at) }) - 1
	if p.open != nil && !p.open.from.After(at) {
		frames, err := decode(p.open.raw.Bytes())
		if err == nil {
			return p.boards.at(frames, at)
		}
	}
	if i < 0 {
		return nil
	}
	if p.read.from != p.blocks[i].from || p.read.frames == nil {
		frames, _ := p.blocks[i].frames() // we wrote it ourselves
		p.read = decoded{p.blocks[i].from, frames}
	}
	return p.boards.at(p.read.frames, at)
}

// mapping gives equal mappings of a queue the same pointer.
func (b *boards) mapping(queue string, m *model.Mapping) *model.Mapping {
	if m == nil {
		return nil
	}
	if known := b.mappings[queue]; known != nil && reflect.DeepEqual(known, m) {
		return known
	}
	if b.mappings == nil {
		b.mappings = map[string]*model.Mapping{}
	}
	b.mappings[queue] = m
	return m
}
