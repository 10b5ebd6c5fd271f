package poller

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// script is a source that answers as a test says. It counts what it is asked and
// how many calls were under way at once.
type script struct {
	probe func(ctx context.Context) (model.Caps, error)
	pulse func(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error)
	page  func(ctx context.Context, v model.View) (model.Page, time.Time, error)
	meter *meter // shared by the sources of one server

	mu       sync.Mutex
	calls    []asked
	busy     int
	overlaps int // calls that began while another of this queue was under way
}

type asked struct {
	op string
	at time.Time
}

// meter counts calls under way on one server.
type meter struct {
	mu        sync.Mutex
	busy, top int
}

func (m *meter) move(n int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy += n
	m.top = max(m.top, m.busy)
}

func (s *script) enter(op string) func() {
	s.meter.move(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, asked{op, time.Now()})
	if s.busy++; s.busy > 1 {
		s.overlaps++
	}
	return func() {
		s.meter.move(-1)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy--
	}
}

func (s *script) Probe(ctx context.Context) (model.Caps, error) {
	defer s.enter("probe")()
	if s.probe != nil {
		return s.probe(ctx)
	}
	return model.Caps{Engine: "script", ProbedAt: time.Now()}, nil
}

func (s *script) Pulse(ctx context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error) {
	defer s.enter("pulse")()
	if s.pulse != nil {
		return s.pulse(ctx, ask)
	}
	return model.Pulse{Ready: model.Count{N: 1, Trust: model.Exact}}, time.Now(), nil
}

func (s *script) Page(ctx context.Context, v model.View) (model.Page, time.Time, error) {
	defer s.enter(v.String())()
	if s.page != nil {
		return s.page(ctx, v)
	}
	return model.Page{View: v}, time.Now(), nil
}

func (s *script) Mapping() *model.Mapping { return &model.Mapping{Queue: "q"} }

// count is how often an operation was asked for.
func (s *script) count(op string) int { return len(s.times(op)) }

func (s *script) times(op string) []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []time.Time
	for _, c := range s.calls {
		if c.op == op {
			out = append(out, c.at)
		}
	}
	return out
}

// gaps are the spans between the calls of an operation.
func (s *script) gaps(op string) []time.Duration {
	times := s.times(op)
	var out []time.Duration
	for i := 1; i < len(times); i++ {
		out = append(out, times[i].Sub(times[i-1]))
	}
	return out
}

// pause waits in virtual time, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// steady makes retries predictable.
func steady() float64 { return 0 }

// start runs a poller in the background of a bubble. The returned func ends it
// and gives the virtual time that took.
func start(t *testing.T, targets []Target, o Options) (*Poller, func() time.Duration) {
	t.Helper()
	if o.Jitter == nil {
		o.Jitter = steady
	}
	p := New(targets, o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	return p, func() time.Duration {
		at := time.Now()
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		return time.Since(at)
	}
}

func one(s *script) []Target { return []Target{{Queue: "q", Server: "s", Source: s}} }

// listen counts rings until the bubble's ctx ends.
func listen(ctx context.Context, p *Poller) func() []time.Time {
	var (
		mu    sync.Mutex
		rings []time.Time
	)
	go func() {
		for {
			select {
			case <-p.Bell():
				mu.Lock()
				rings = append(rings, time.Now())
				mu.Unlock()
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() []time.Time {
		mu.Lock()
		defer mu.Unlock()
		return append([]time.Time(nil), rings...)
	}
}

func fault(c model.FaultClass) error { return &model.Fault{Class: c, Text: "by script"} }
