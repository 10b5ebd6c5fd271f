package poller

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestLookAtManyQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			m       meter
			targets []Target
			refuse  atomic.Bool
		)
		for i := range 50 {
			targets = append(targets, Target{Queue: fmt.Sprint(i), Server: "s", Source: &script{meter: &m, probe: func(ctx context.Context) (model.Caps, error) {
				if refuse.Load() {
					return model.Caps{}, fault(model.FaultLogin)
				}
				return model.Caps{ProbedAt: time.Now()}, pause(ctx, 10*time.Millisecond)
			}}})
		}
		for i, s := range LookAll(t.Context(), targets, model.ViewNone, Options{}) {
			if s.Queue != fmt.Sprint(i) || s.Watch.Health != model.Live {
				t.Errorf("number %d is %s, %v", i, s.Queue, s.Watch.Health)
			}
		}
		if m.top != DefaultInFlight {
			t.Errorf("%d statements at once", m.top)
		}
		refuse.Store(true)
		logins := 0
		for _, s := range LookAll(t.Context(), targets, model.ViewNone, Options{}) {
			logins += s.Cost.Statements
			if s.Watch.Err == nil || s.Watch.Err.Class != model.FaultLogin {
				t.Errorf("%s: %+v", s.Queue, s.Watch)
			}
		}
		if logins != 1 {
			t.Errorf("a refused login was tried %d times", logins)
		}
	})
}

func TestLook(t *testing.T) {
	enriched := 0
	s := &script{}
	snap := LookAll(t.Context(), []Target{{Queue: "q", Server: "s", Source: s}}, model.ViewWorking, Options{Enrich: func(*model.Snapshot) { enriched++ }})[0]
	if snap.Watch.Health != model.Live || !snap.Pulse.Known() || !snap.Page.Known() || snap.Cost.Statements != 3 || enriched != 1 {
		t.Errorf("a look gives %+v, cost %+v, enriched %d times", snap.Watch, snap.Cost, enriched)
	}
	s = &script{probe: func(context.Context) (model.Caps, error) { return model.Caps{}, fault(model.FaultLogin) }}
	snap = LookAll(t.Context(), []Target{{Queue: "q", Server: "s", Source: s}}, model.ViewWorking, Options{})[0]
	if snap.Watch.Health != model.Broken || snap.Watch.Err == nil || snap.Pulse.Err == nil || len(s.calls) != 1 {
		t.Errorf("a look with a refused login gives %+v after %d calls", snap.Watch, len(s.calls))
	}
}

// A single look waits for a source that asks a question again, since nobody else will:
// a process that stood still over a deadline says nothing about the server.
func TestALookWaitsForASecondQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{pulse: func(ctx context.Context, _ model.PulseAsk) (model.Pulse, time.Time, error) {
			return model.Pulse{}, time.Now(), pause(ctx, DefaultBudget+time.Second)
		}}
		snap := LookAll(t.Context(), []Target{{Queue: "q", Server: "s", Source: s}}, model.ViewWorking, Options{})[0]
		if snap.Watch.Health != model.Live || !snap.Pulse.Known() {
			t.Errorf("the look gives %+v", snap.Watch)
		}
	})
}
