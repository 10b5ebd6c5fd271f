package poller

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestAFailedPollKeepsTheLastAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		s := &script{
			pulse: func(context.Context, model.PulseAsk) (model.Pulse, time.Time, error) {
				if broken.Load() {
					return model.Pulse{}, time.Time{}, fault(model.FaultNetwork)
				}
				return model.Pulse{Ready: model.Count{N: 7, Trust: model.Exact}}, time.Now(), nil
			},
			page: func(_ context.Context, v model.View) (model.Page, time.Time, error) {
				return model.Page{View: v, Jobs: []*model.Job{{State: model.Ready}}}, time.Now(), nil
			},
		}
		p, stop := start(t, one(s), Options{})
		defer stop()
		p.Want(Want{Queue: "q", View: model.ViewReady})
		time.Sleep(9 * time.Second)
		good := p.Board().Queue("q")
		broken.Store(true)
		time.Sleep(4 * time.Second)
		q := p.Board().Queue("q")
		if q.Pulse.Data.Ready.N != 7 || !q.Pulse.At.Equal(good.Pulse.At) || len(q.Page.Data.Jobs) != 1 {
			t.Errorf("the last good answer is gone: %+v %+v", q.Pulse, q.Page)
		}
		if q.Pulse.Err == nil || q.Page.Err == nil || q.Watch.Err == nil || q.Watch.Health != model.Down || q.Watch.RetryAt.IsZero() {
			t.Errorf("the failure is not told: %+v", q.Watch)
		}
		broken.Store(false)
		time.Sleep(30 * time.Second)
		q = p.Board().Queue("q")
		if q.Watch.Health != model.Live || q.Watch.Err != nil || q.Watch.Failures != 0 || q.Pulse.Err != nil || q.Page.Err != nil {
			t.Errorf("after it came back: %+v", q.Watch)
		}
	})
}

func TestEveryClassOfFault(t *testing.T) {
	const base = 2 * time.Second
	rows := []struct {
		class  model.FaultClass
		health model.Health
		waits  []time.Duration // after the first failure, the second …
		probes bool            // the next poll begins with a probe
	}{
		{model.FaultOther, model.Stale, []time.Duration{2, 4, 8, 16, 30, 30}, false},
		{model.FaultRaced, model.Stale, []time.Duration{2, 2, 2, 2}, false},
		{model.FaultBusy, model.Down, []time.Duration{5, 10, 20, 30, 30}, true},
		{model.FaultDenied, model.Broken, []time.Duration{30, 30}, true},
		{model.FaultLogin, model.Broken, nil, true},
		{model.FaultReshaped, model.Broken, []time.Duration{30, 30}, true},
		{model.FaultRefused, model.Broken, []time.Duration{30, 30}, true},
		{model.FaultReadOnly, model.Down, []time.Duration{2, 4, 8, 16, 30}, true},
		{model.FaultNetwork, model.Down, []time.Duration{2, 4, 8, 16, 30, 30}, true},
		{model.FaultHung, model.Stale, []time.Duration{2, 4, 8}, true},
		{model.FaultTarget, model.Broken, []time.Duration{30, 30}, true},
		{model.FaultBraked, model.Broken, []time.Duration{30, 30}, false},
	}
	for c := model.FaultOther; c.String() != "unknown"; c++ {
		if !slices.ContainsFunc(rows, func(r struct {
			class  model.FaultClass
			health model.Health
			waits  []time.Duration
			probes bool
		}) bool {
			return r.class == c
		}) {
			t.Errorf("no row for %v", c)
		}
	}
	for _, r := range rows {
		t.Run(r.class.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var broken atomic.Bool
				s := &script{pulse: func(context.Context, model.PulseAsk) (model.Pulse, time.Time, error) {
					if broken.Load() {
						return model.Pulse{}, time.Time{}, fault(r.class)
					}
					return model.Pulse{}, time.Now(), nil
				}}
				p, stop := start(t, one(s), Options{Every: base})
				defer stop()
				time.Sleep(base / 2)
				broken.Store(true)
				time.Sleep(base)
				if got := p.Board().Queue("q").Watch.Health; got != r.health {
					t.Errorf("health is %v, want %v", got, r.health)
				}
				probes := s.count("probe")
				time.Sleep(time.Hour)
				var got []time.Duration
				for _, g := range s.gaps("pulse") {
					if g > 0 { // zero: the second reading of one poll, after its probe
						got = append(got, g/time.Second)
					}
				}
				if got = got[1:]; len(got) < len(r.waits) || !slices.Equal(got[:len(r.waits)], r.waits) || r.waits == nil && len(got) != 0 {
					t.Errorf("waits were %v s, want %v", got[:min(len(got), len(r.waits)+1)], r.waits)
				}
				if n := s.count("probe") - probes; r.waits != nil && (n > 20) != r.probes {
					t.Errorf("%d probes in an hour of failing", n)
				}
			})
		})
	}
}

func TestARefusedLoginIsTriedOnceWhateverIsOnTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refuse atomic.Bool
		refuse.Store(true)
		var (
			targets []Target
			sources []*script
		)
		for i := range 50 {
			s := &script{probe: func(ctx context.Context) (model.Caps, error) {
				pause(ctx, 20*time.Millisecond) //nolint:errcheck // only the time matters
				if refuse.Load() {
					return model.Caps{}, fault(model.FaultLogin)
				}
				return model.Caps{ProbedAt: time.Now()}, nil
			}}
			sources = append(sources, s)
			targets = append(targets, Target{Queue: fmt.Sprint(i), Server: "s", Source: s})
		}
		logins := func() (n int) {
			for _, s := range sources {
				n += s.count("probe")
			}
			return n
		}
		p, stop := start(t, targets, Options{})
		defer stop()
		time.Sleep(time.Hour)
		if n := logins(); n != 1 {
			t.Fatalf("%d logins tried in an hour", n)
		}
		for _, q := range p.Board().Queues {
			if q.Watch.Health != model.Broken || q.Watch.Err == nil || q.Watch.Err.Class != model.FaultLogin || !q.Watch.RetryAt.IsZero() {
				t.Fatalf("queue %s is %+v", q.Queue, q.Watch)
			}
		}
		p.Want(Want{Queue: "3", View: model.ViewReady})
		time.Sleep(time.Minute)
		if n := logins(); n != 1 {
			t.Fatalf("looking at a queue tried the login again: %d", n)
		}
		p.Kick("3")
		time.Sleep(time.Minute)
		if n := logins(); n != 2 {
			t.Fatalf("one kick tried %d logins", n-1)
		}
		refuse.Store(false)
		p.Kick("3")
		time.Sleep(10 * time.Second)
		for _, q := range p.Board().Queues {
			if q.Watch.Health != model.Live {
				t.Errorf("queue %s is still %v after the login was accepted", q.Queue, q.Watch.Health)
			}
		}
	})
}

func TestAChangedTableIsProbedAtOnceAndReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var old atomic.Bool
		s := &script{}
		s.probe = func(context.Context) (model.Caps, error) {
			old.Store(false)
			return model.Caps{ProbedAt: time.Now()}, nil
		}
		s.pulse = func(context.Context, model.PulseAsk) (model.Pulse, time.Time, error) {
			if old.Load() {
				return model.Pulse{}, time.Time{}, fault(model.FaultReshaped)
			}
			return model.Pulse{}, time.Now(), nil
		}
		p, stop := start(t, one(s), Options{})
		defer stop()
		time.Sleep(5 * time.Second)
		old.Store(true) // a column was renamed: the statements of the last probe no longer fit
		time.Sleep(2 * time.Second)
		if q := p.Board().Queue("q"); q.Watch.Health != model.Live || s.count("probe") != 2 {
			t.Errorf("%+v after %d probes", q.Watch, s.count("probe"))
		}
	})
}

func TestAListThatIsDeniedLeavesTheFiguresLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var denied atomic.Bool
		denied.Store(true)
		s := &script{page: func(_ context.Context, v model.View) (model.Page, time.Time, error) {
			if denied.Load() {
				return model.Page{}, time.Time{}, fault(model.FaultDenied)
			}
			return model.Page{View: v}, time.Now(), nil
		}}
		p, stop := start(t, one(s), Options{})
		defer stop()
		p.Want(Want{Queue: "q", View: model.ViewWorking})
		time.Sleep(5*time.Minute - time.Second)
		q := p.Board().Queue("q")
		if q.Watch.Health != model.Live || q.Page.Err == nil || q.Page.Known() {
			t.Errorf("%+v, page %+v", q.Watch, q.Page)
		}
		if n := s.count("pulse"); n < 145 {
			t.Errorf("%d pulses in five minutes: the list holds up the figures", n)
		}
		if n := s.count("working"); n > 22 { // twice each half minute, with a probe between
			t.Errorf("the denied list was asked for %d times in five minutes", n)
		}
		denied.Store(false)
		p.Kick("q")
		synctest.Wait()
		if q := p.Board().Queue("q"); q.Page.Err != nil || !q.Page.Known() {
			t.Errorf("after a kick the list is %+v", q.Page)
		}
	})
}

func TestAHungListMakesTheQueueStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{page: func(ctx context.Context, _ model.View) (model.Page, time.Time, error) {
			<-ctx.Done()
			return model.Page{}, time.Time{}, ctx.Err()
		}}
		p, stop := start(t, one(s), Options{})
		defer stop()
		p.Want(Want{Queue: "q", View: model.ViewWorking})
		time.Sleep(5 * time.Minute)
		q := p.Board().Queue("q")
		if q.Watch.Health == model.Live || q.Watch.Err.Class != model.FaultHung || q.Watch.Err.Op != "working" {
			t.Errorf("%+v", q.Watch)
		}
		if n := s.count("working"); n > 20 {
			t.Errorf("a list that hangs was asked for %d times in five minutes", n)
		}
	})
}

func TestLeafingThroughScreensHurriesNoServerInTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{pulse: func(context.Context, model.PulseAsk) (model.Pulse, time.Time, error) {
			return model.Pulse{}, time.Time{}, fault(model.FaultNetwork)
		}}
		p, stop := start(t, one(s), Options{})
		defer stop()
		time.Sleep(time.Minute)
		before := s.count("pulse")
		for range 20 {
			p.Want(Want{Queue: "q", View: model.ViewReady})
			time.Sleep(200 * time.Millisecond)
			p.Want(Want{})
			time.Sleep(200 * time.Millisecond)
		}
		if n := s.count("pulse") - before; n > 1 {
			t.Errorf("%d polls in 8 s, while the next try was half a minute away", n)
		}
	})
}

func TestAnErrorOfNoKnownKind(t *testing.T) {
	if f := faultOf("pulse", errors.New("odd\x1b[31m thing")); f.Class != model.FaultOther || f.Op != "pulse" || f.Text != "odd thing" {
		t.Errorf("%+v", f)
	}
	if f := faultOf("pulse", fmt.Errorf("driver: %w", context.DeadlineExceeded)); f.Class != model.FaultHung {
		t.Errorf("%+v", f)
	}
	shared := &model.Fault{Class: model.FaultBusy}
	if f := faultOf("pulse", fmt.Errorf("wrapped: %w", shared)); f.Class != model.FaultBusy || f.Op != "pulse" || shared.Op != "" {
		t.Errorf("%+v, and the source's own is now %+v", f, shared)
	}
}
