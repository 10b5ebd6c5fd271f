package poller

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestTheLatencyIsReadRarely holds that the third statement is sent only for the
// queue in view, at most every fifteen seconds and never beside another of the same
// queue, and that its failure fails no poll.
func TestTheLatencyIsReadRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		s := &script{probe: func(context.Context) (model.Caps, error) {
			return model.Caps{ProbedAt: time.Now(), Can: map[model.Feature]model.Verdict{model.CanHistory: model.Yes()}}, nil
		}}
		target := Target{Queue: "q", Server: "s", Source: s, Latency: func(context.Context) (model.Latency, time.Time, error) {
			defer s.enter("latency")()
			if broken.Load() {
				return model.Latency{}, time.Time{}, errors.New("no")
			}
			return model.Latency{P50: time.Second}, time.Now(), nil
		}}
		p, stop := start(t, []Target{target}, Options{})
		defer stop()
		time.Sleep(time.Minute)
		if n := s.count("latency"); n != 0 {
			t.Errorf("read %d times although nobody looked", n)
		}
		p.Want(Want{Queue: "q", View: model.ViewWorking})
		time.Sleep(time.Minute)
		if n := s.count("latency"); n < 3 || n > 5 {
			t.Errorf("read %d times in a minute of looking", n)
		}
		if got := p.Board().Queue("q").Latency; got.Data.P50 != time.Second || !got.Known() {
			t.Errorf("latency %+v", got)
		}
		if s.overlaps != 0 {
			t.Errorf("%d statements of the queue at once", s.overlaps)
		}
		broken.Store(true)
		time.Sleep(time.Minute)
		if q := p.Board().Queue("q"); q.Watch.Health != model.Live || q.Latency.Err == nil || q.Latency.Data.P50 != time.Second {
			t.Errorf("after a failure: %s, %+v", q.Watch.Health, q.Latency)
		}
	})
}
