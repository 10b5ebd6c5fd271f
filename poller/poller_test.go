package poller

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestBoardBeforeTheFirstAnswer(t *testing.T) {
	p := New([]Target{{Queue: "a", Server: "s", Source: &script{}}, {Queue: "b", Server: "s", Source: &script{}}}, Options{})
	b := p.Board()
	if len(b.Queues) != 2 || b.Queue("b") == nil {
		t.Fatalf("board %+v lacks a queue", b)
	}
	for _, s := range b.Queues {
		if s.Watch.Health != model.Connecting || s.Mapping == nil || s.Server != "s" || s.Watch.Every != DefaultEvery {
			t.Errorf("%s starts as %+v", s.Queue, s.Watch)
		}
	}
}

func TestAnHourCostsOnePulsePerInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		p, stop := start(t, one(s), Options{})
		time.Sleep(time.Hour - time.Second)
		stop()
		if n := s.count("pulse"); n != 1800 {
			t.Errorf("%d pulses in an hour of 2 s polls", n)
		}
		if n := s.count("probe"); n < 11 || n > 13 {
			t.Errorf("%d probes in an hour, one in five minutes expected", n)
		}
		if n := s.count("working") + s.count("ready"); n != 0 {
			t.Errorf("%d lists read although nobody looked", n)
		}
		if got, want := p.Stats().Statements, int64(len(s.calls)); got != want {
			t.Errorf("Stats counts %d statements, %d were sent", got, want)
		}
		if q := p.Board().Queue("q"); q.Watch.Health != model.Live || q.Cost.Statements != 1 {
			t.Errorf("at the end %v with %d statements a poll", q.Watch.Health, q.Cost.Statements)
		}
	})
}

func TestOnlyTheListInViewIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := &script{}, &script{}
		p, stop := start(t, []Target{{Queue: "a", Server: "s", Source: a}, {Queue: "b", Server: "s", Source: b}}, Options{})
		defer stop()
		time.Sleep(10500 * time.Millisecond)
		p.Want(Want{Queue: "a", View: model.ViewWorking})
		synctest.Wait()
		if a.count("working") != 1 {
			t.Fatal("the list that came into view was not read at once")
		}
		if got := p.Board().Queue("a").Page; got.Data.View != model.ViewWorking || !got.Known() {
			t.Fatalf("page is %+v", got)
		}
		p.Want(Want{Queue: "a", View: model.ViewReady})
		time.Sleep(10 * time.Second)
		working := a.count("working")
		if working != 1 || a.count("ready") < 5 || b.count("ready")+b.count("working") != 0 {
			t.Errorf("a: %d working, %d ready; b: %d lists", working, a.count("ready"), b.count("ready")+b.count("working"))
		}
		p.Want(Want{})
		time.Sleep(10 * time.Second)
		if got := p.Board().Queue("a").Page; got.Known() || got.Data.View != model.ViewNone {
			t.Errorf("a list that nobody looks at is still on the board: %+v", got)
		}
	})
}

func TestAskingTwiceForTheSameListChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		p, stop := start(t, one(s), Options{Every: time.Minute})
		defer stop()
		time.Sleep(time.Second)
		for range 10 {
			p.Want(Want{Queue: "q", View: model.ViewReady})
			time.Sleep(time.Second)
		}
		if n := s.count("pulse"); n != 2 { // the first, and the one for the changed want
			t.Errorf("%d polls, want 2", n)
		}
	})
}

func TestKick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
			return model.Pulse{}, time.Now(), pause(ctx, 50*time.Millisecond)
		}}
		p, stop := start(t, one(s), Options{Every: time.Minute})
		defer stop()
		time.Sleep(10 * time.Second)

		p.Kick("q")
		time.Sleep(10 * time.Millisecond) // the poll that it caused is under way
		p.Kick("q")
		time.Sleep(time.Second)
		if n := s.count("pulse"); n != 3 {
			t.Errorf("%d pulses, want 3: a kick during a poll needs a poll of its own, the first may have read too early", n)
		}
		for range 100 {
			p.Kick("")
			time.Sleep(10 * time.Millisecond)
		}
		if n := s.count("pulse"); n > 3+11 {
			t.Errorf("a held key caused %d polls in a second", n-3)
		}
	})
}

func TestPulseIsAskedSinceTheLastOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			asks   []time.Time
			at     []time.Time
			broken atomic.Bool
		)
		s := &script{pulse: func(_ context.Context, ask model.PulseAsk) (model.Pulse, time.Time, error) {
			if broken.Load() {
				return model.Pulse{}, time.Time{}, fault(model.FaultNetwork)
			}
			now := time.Now().Add(time.Hour) // the server's clock is its own
			asks, at = append(asks, ask.Since), append(at, now)
			return model.Pulse{}, now, nil
		}}
		_, stop := start(t, one(s), Options{})
		time.Sleep(5 * time.Second)
		broken.Store(true)
		time.Sleep(3 * time.Second)
		broken.Store(false)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		for i := 1; i < len(asks); i++ {
			if !asks[i].Equal(at[i-1]) {
				t.Errorf("pulse %d asks since %v, the last good one was at %v", i, asks[i], at[i-1])
			}
		}
		if !asks[0].IsZero() {
			t.Errorf("the first pulse asks since %v", asks[0])
		}
		broken.Store(true)
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		n := len(asks)
		broken.Store(false)
		time.Sleep(time.Minute)
		stop()
		if !asks[n].IsZero() {
			t.Error("after minutes without an answer a pulse asks for all of them")
		}
	})
}

func TestBoundsPerQueueAndServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			targets []Target
			meters  = []*meter{{}, {}}
			sources []*script
		)
		for i := range 50 {
			s := &script{meter: meters[i%2], pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
				return model.Pulse{}, time.Now(), pause(ctx, 100*time.Millisecond)
			}}
			sources = append(sources, s)
			targets = append(targets, Target{Queue: fmt.Sprint(i), Server: fmt.Sprint(i % 2), Source: s})
		}
		_, stop := start(t, targets, Options{})
		time.Sleep(10 * time.Minute)
		stop()
		for _, m := range meters {
			if m.top != DefaultInFlight {
				t.Errorf("%d statements at once on one server, want %d", m.top, DefaultInFlight)
			}
		}
		for i, s := range sources {
			if s.overlaps != 0 {
				t.Errorf("queue %d had two statements at once", i)
			}
			if n := s.count("pulse"); n < 60 {
				t.Errorf("queue %d was polled %d times in ten minutes", i, n)
			}
		}
	})
}

func TestTheQueueInViewGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		var targets []Target
		for i := range 20 {
			name := fmt.Sprint(i)
			targets = append(targets, Target{Queue: name, Server: "s", Source: &script{pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
				order = append(order, name)
				return model.Pulse{}, time.Now(), pause(ctx, 10*time.Millisecond)
			}}})
		}
		p, stop := start(t, targets, Options{InFlight: 1})
		p.Want(Want{Queue: "17"})
		time.Sleep(time.Second)
		stop()
		if i := slices.Index(order, "17"); i < 0 || i > 1 {
			t.Errorf("the queue in view was asked as number %d: %v", i+1, order)
		}
	})
}

func TestBellKeepsItsPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var targets []Target
		for i := range 50 {
			targets = append(targets, Target{Queue: fmt.Sprint(i), Server: "s", Source: &script{}})
		}
		p, stop := start(t, targets, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		rings := listen(ctx, p)
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		before := len(rings())
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := len(rings()) - before; n > 60 || n < 55 {
			t.Errorf("%d rings a minute, want one a second", n)
		}
		at := time.Now()
		p.Kick("7")
		synctest.Wait()
		if last := rings(); !last[len(last)-1].Equal(at) {
			t.Errorf("the answer to a kick was shown %v later", last[len(last)-1].Sub(at))
		}
		stop()
		cancel()
	})
}

func TestBoardsAreImmutable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := int64(0)
		s := &script{pulse: func(context.Context, model.PulseAsk) (model.Pulse, time.Time, error) {
			if n++; n%3 == 0 {
				return model.Pulse{}, time.Time{}, fault(model.FaultRaced)
			}
			return model.Pulse{Ready: model.Count{N: n, Trust: model.Exact}}, time.Now(), nil
		}}
		p, stop := start(t, one(s), Options{})
		type seen struct {
			board *model.Board
			copy  model.Snapshot
		}
		var all []seen
		for range 100 {
			time.Sleep(time.Second)
			b := p.Board()
			all = append(all, seen{b, *b.Queue("q")})
		}
		stop()
		for i, a := range all {
			q := a.board.Queue("q")
			if q.Seq != a.copy.Seq || q.Pulse.Data.Ready != a.copy.Pulse.Data.Ready || q.Pulse.Err != a.copy.Pulse.Err || q.Watch != a.copy.Watch {
				t.Fatalf("board %d changed after it was published", i)
			}
			if i > 0 && q.Seq < all[i-1].copy.Seq {
				t.Fatalf("snapshot %d follows %d", q.Seq, all[i-1].copy.Seq)
			}
		}
	})
}
