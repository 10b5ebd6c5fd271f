package poller

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/model"
)

// shelf holds the newest snapshot of every queue and publishes them as a board at
// a pace: fifty answers in a second are one board.
type shelf struct {
	pace  time.Duration
	bell  chan struct{}
	board atomic.Pointer[model.Board]

	mu     sync.Mutex
	latest []*model.Snapshot
	seq    uint64
	rung   time.Time
	due    *time.Timer // armed while something waits for its pace
	closed bool
}

func newShelf(pace time.Duration, first []*model.Snapshot) *shelf {
	s := &shelf{pace: pace, bell: make(chan struct{}, 1), latest: first}
	s.board.Store(&model.Board{Queues: slices.Clone(first)})
	return s
}

// put replaces a queue's snapshot, numbers it and publishes it at once or at its
// pace.
func (s *shelf) put(i int, snap *model.Snapshot, now bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	snap.Seq = s.latest[i].Seq + 1
	s.latest[i] = snap
	s.publish(now)
}

// swap is put, unless the queue's snapshot is no longer the old one.
func (s *shelf) swap(i int, old, snap *model.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.latest[i] == old {
		snap.Seq = old.Seq + 1
		s.latest[i] = snap
		s.publish(false)
	}
}

func (s *shelf) publish(now bool) {
	if s.closed {
		return
	}
	wait := s.pace - time.Since(s.rung)
	if now || wait <= 0 {
		s.ring()
	} else if s.due == nil {
		next := s.seq + 1
		s.due = time.AfterFunc(wait, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.due != nil && s.seq+1 == next { // another board may be due since, at its own time
				s.ring()
			}
		})
	}
}

// ring publishes the board. Nobody has to take the ring: one that is still there
// stands for this one too.
func (s *shelf) ring() {
	if s.due != nil {
		s.due.Stop()
		s.due = nil
	}
	s.seq++
	s.rung = time.Now()
	s.board.Store(&model.Board{Seq: s.seq, Queues: slices.Clone(s.latest)})
	select {
	case s.bell <- struct{}{}:
	default:
	}
}

// close publishes what is still waiting and nothing after it.
func (s *shelf) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.due != nil {
		s.ring()
	}
	s.closed = true
}
