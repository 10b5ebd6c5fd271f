package poller

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// TestTheDirtyReadIsRare holds that jobs are looked at past their locks only where
// the figures pass over locked rows, at most every ten seconds and never beside
// another statement of the queue; that a race is tried again by the next poll, any
// other failure later, and that neither fails a poll.
func TestTheDirtyReadIsRare(t *testing.T) {
	for _, low := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var broken atomic.Pointer[model.Fault]
			s := &script{probe: func(context.Context) (model.Caps, error) {
				return model.Caps{ProbedAt: time.Now(), LowCounts: low}, nil
			}}
			target := Target{Queue: "q", Server: "s", Source: s, Dirty: func(context.Context) ([]model.Oldest, time.Time, error) {
				defer s.enter("dirty")()
				if f := broken.Load(); f != nil {
					return nil, time.Time{}, f
				}
				return make([]model.Oldest, 3), time.Now(), nil
			}}
			p, stop := start(t, []Target{target}, Options{})
			defer stop()
			time.Sleep(time.Second)
			if n := s.count("dirty"); n != 0 {
				t.Errorf("the first poll sent it %d times", n)
			}
			minute := func(f *model.Fault, least, most int) {
				t.Helper()
				broken.Store(f)
				before := s.count("dirty")
				time.Sleep(time.Minute)
				if n := s.count("dirty") - before; n < least || n > most {
					t.Errorf("low counts %v, %v: it was sent %d times a minute, want %d to %d", low, f, n, least, most)
				}
				if q := p.Board().Queue("q"); q.Watch.Health != model.Live || low && (f == nil) != (q.Dirty.Err == nil) || low && len(q.Dirty.Data) != 3 {
					t.Errorf("%v: %s, %+v", f, q.Watch.Health, q.Dirty)
				}
			}
			if !low {
				minute(nil, 0, 0)
				return
			}
			minute(nil, 5, 7)
			minute(&model.Fault{Class: model.FaultRaced}, 20, 31)
			minute(&model.Fault{Class: model.FaultDenied}, 1, 3)
			if s.overlaps != 0 {
				t.Errorf("%d statements of the queue at once", s.overlaps)
			}
		})
	}
}
