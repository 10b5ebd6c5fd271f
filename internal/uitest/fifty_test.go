package uitest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/ui"
)

// remote is a server of a few queues: what it takes for an answer, and whether it
// gives one.
type remote struct {
	name  string
	takes time.Duration
	dead  bool

	mu         sync.Mutex
	busy, most int
	asked      map[string][]time.Time
}

// call is one statement of a queue.
func (r *remote) call(ctx context.Context, queue string) error {
	r.mu.Lock()
	r.busy++
	r.most = max(r.most, r.busy)
	r.asked[queue] = append(r.asked[queue], time.Now())
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.busy--
		r.mu.Unlock()
	}()
	select {
	case <-time.After(r.takes):
	case <-ctx.Done():
		return &model.Fault{Class: model.FaultHung, Text: "no answer in time"}
	}
	if r.dead {
		return &model.Fault{Class: model.FaultNetwork, Text: "connection refused"}
	}
	return nil
}

// far is one queue of a remote.
type far struct {
	*remote
	queue string
	m     model.Mapping
}

func (f far) Mapping() *model.Mapping { return &f.m }

func (f far) Probe(ctx context.Context) (model.Caps, error) {
	return model.Caps{Engine: "sqlserver", ProbedAt: time.Now()}, f.call(ctx, f.queue)
}

func (f far) Pulse(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
	err := f.call(ctx, f.queue)
	f.mu.Lock()
	defer f.mu.Unlock()
	n := int64(len(f.asked[f.queue])) // another at every look, so that there is always something to draw
	return model.Pulse{Ready: model.Count{N: n, Trust: model.Exact}}, time.Now(), err
}

func (f far) Page(ctx context.Context, v model.View) (model.Page, time.Time, error) {
	return model.Page{View: v}, time.Now(), f.call(ctx, f.queue)
}

// TestFiftyQueues watches fifty queues on four servers, of which one is dead and
// one is slow: no other is delayed, no server gets more than two statements at
// once, and the screen is drawn once a second.
func TestFiftyQueues(t *testing.T) {
	t.Parallel()
	servers := []*remote{{name: "fast", takes: 5 * time.Millisecond}, {name: "other", takes: 20 * time.Millisecond}, {name: "slow", takes: 1500 * time.Millisecond}, {name: "dead", takes: 3 * time.Second, dead: true}}
	uitest.Run(t, uitest.Options{Width: 120, Height: 40, Token: token, Model: func(s *uitest.Session) tea.Model {
		var targets []poller.Target
		for _, r := range servers {
			r.asked = map[string][]time.Time{}
		}
		for i := range 50 {
			r := servers[i%len(servers)]
			name := fmt.Sprintf("%s-%02d", r.name, i)
			targets = append(targets, poller.Target{Queue: name, Server: r.name, Source: far{r, name, mapping(s.T, "lease")}})
		}
		p := poller.New(targets, poller.Options{Jitter: func() float64 { return 0.5 }})
		ctx, stop := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() { _ = p.Run(ctx) })
		s.Cleanup(func() {
			stop()
			synctest.Wait()
			all.Wait()
		})
		return ui.New(ui.Options{Context: ctx, Feed: p, Theme: "dark", Version: "v0"})
	}}, func(s *uitest.Session) {
		s.Wait(4 * time.Minute) // by then each of the dead was asked once too: a first answer is shown at once
		s.Expect("dead-03", "DOWN", "connection refused", "SERVER")
		s.Drawn()
		s.Wait(20 * time.Second)
		if n := s.Drawn(); n < 10 || n > 20+1 {
			t.Errorf("in 20 s it was drawn %d times", n)
		}
		s.Press("end")
		last := strings.Fields(s.Find("▸ "))[1]
		if s.Row("▸ ") != 35 {
			s.Errorf("the last of fifty is on line %d\n%s", s.Row("▸ "), s.Screen())
		}
		s.Press("enter")
		s.UntilShown(5*time.Second, "› "+last)
		s.Press("esc")
		s.Expect("▸ " + last)
	})
	for _, r := range servers {
		r.mu.Lock()
		if r.most > poller.DefaultInFlight {
			t.Errorf("%s had %d statements at once", r.name, r.most)
		}
		for queue, at := range r.asked {
			if r.takes > time.Second {
				continue
			}
			for i := 1; i < len(at); i++ {
				if gap := at[i].Sub(at[i-1]); gap > poller.DefaultEvery+time.Second {
					t.Errorf("%s was not asked for %v", queue, gap)
				}
			}
			if len(at) < 20 {
				t.Errorf("%s was asked %d times", queue, len(at))
			}
		}
		r.mu.Unlock()
	}
}
