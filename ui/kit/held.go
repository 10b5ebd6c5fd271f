package kit

import "github.com/leasetop/leasetop/model"

// Patience is how many snapshots in a row must need less before a Held gives way.
const Patience = 8

// Held is a place that something takes, as much as it needs at once and less only
// after a while: what jumps back and forth cannot be read. The zero Held takes none.
type Held struct {
	N int

	calm int             // snapshots in a row that needed less
	last *model.Snapshot // the last that was counted
}

// Take follows what a snapshot needs. The same snapshot counts once, however often
// the screen is told of news: of other queues, say.
func (h *Held) Take(s *model.Snapshot, need int) {
	switch {
	case need >= h.N, h.calm >= Patience && s != h.last:
		h.N, h.calm = need, 0
	case s != h.last:
		h.calm++
	}
	h.last = s
}
