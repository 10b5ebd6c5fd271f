package poller

import (
	"context"
	"slices"
	"sync"

	"github.com/leasetop/leasetop/model"
)

// server is what the queues of one server share: its places, and a login that it
// refused. Until the first call is over there is one place only, so that a wrong
// password costs one refused login however many queues there are: a server locks
// an account out after a few. A first call that does not reach the server opens the
// other places too, or its queues would wait for each other's deadlines.
type server struct {
	limit int
	loops []*loop

	mu      sync.Mutex
	busy    int
	proven  bool
	waiting []*ticket
	refused *model.Fault
	retried bool // a person asked to try a refused login again
}

type ticket struct {
	loop *loop
	turn chan struct{} // closed when the place is given
}

// acquire waits for a place. It gives the refused login instead where there is
// one.
func (s *server) acquire(ctx context.Context, l *loop) error {
	s.mu.Lock()
	if s.refused != nil {
		defer s.mu.Unlock()
		return s.refused
	}
	if len(s.waiting) == 0 && s.busy < s.places() {
		s.busy++
		s.mu.Unlock()
		return nil
	}
	t := &ticket{loop: l, turn: make(chan struct{})}
	s.waiting = append(s.waiting, t)
	s.mu.Unlock()

	select {
	case <-t.turn:
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		if i := slices.Index(s.waiting, t); i >= 0 {
			s.waiting = slices.Delete(s.waiting, i, i+1)
			return ctx.Err()
		}
		s.busy-- // the place was given in the same moment
		s.grant()
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused != nil {
		s.busy--
		s.grant()
		return s.refused
	}
	return nil
}

// release gives a loop's place back with what its call met.
func (s *server) release(l *loop, f *model.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	if f != nil && f.Class == model.FaultLogin {
		s.refused = f
	} else {
		s.proven = true
		if s.retried && (f == nil || f.Class != model.FaultNetwork && f.Class != model.FaultHung) {
			s.resume(l)
		}
	}
	s.grant()
}

// forgive forgets a refused login, because a person asked to try again, and goes
// back to one place.
func (s *server) forgive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused != nil {
		s.refused, s.proven, s.retried = nil, false, true
	}
}

// resume wakes the other queues, which gave up with the login, once it is
// accepted.
func (s *server) resume(by *loop) {
	s.retried = false
	for _, l := range s.loops {
		if l != by {
			l.ask(byKick)
		}
	}
}

func (s *server) places() int {
	if !s.proven {
		return 1
	}
	return s.limit
}

// grant gives free places away: to the queue in view first, then in turn.
func (s *server) grant() {
	for s.busy < s.places() && len(s.waiting) > 0 {
		i := max(0, slices.IndexFunc(s.waiting, func(t *ticket) bool { return t.loop.inView.Load() }))
		t := s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.busy++
		close(t.turn)
	}
	if s.refused != nil {
		// Those who wait are let through to be told; they send nothing.
		for _, t := range s.waiting {
			s.busy++
			close(t.turn)
		}
		s.waiting = nil
	}
}
