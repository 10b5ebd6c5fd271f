package worker

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// silent is a queue that nothing must be sent to.
type silent struct {
	Queue
	t *testing.T
}

func (q silent) Complete(context.Context, model.Key, model.Token) ([]model.Change, error) {
	q.t.Error("a completion was sent")
	return nil, errors.New("refused")
}

func held(t *testing.T, events *[]Event) *lease { return heldSince(t, events, time.Now()) }

func heldSince(t *testing.T, events *[]Event, sent time.Time) *lease {
	o := Options{Lease: time.Minute, Events: func(e Event) { *events = append(*events, e) }}.filled()
	c := model.Claim{Key: model.KeyOf(model.IntValue(1)), Token: tokenOf(guidMine)}
	return hold(context.Background(), silent{t: t}, &o, "w", c, sent)
}

func kinds(events []Event, want ...Kind) bool {
	return slices.EqualFunc(events, want, func(e Event, k Kind) bool { return e.Kind == k })
}

// TestLateClaim takes a claim in hand whose reply came after the fence: that it was
// received is told before that it is lost.
func TestLateClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []Event
		l := heldSince(t, &events, time.Now().Add(-time.Hour))
		<-l.work.Done()
		synctest.Wait()
		if !kinds(events, EventClaimed, EventLost) {
			t.Errorf("told %+v, want claimed, lost", events)
		}
	})
}

// TestTakePastTheFence ends the work after the fence but before its timer: a
// process that stood still runs its timers late.
func TestTakePastTheFence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []Event
		l := held(t, &events)
		l.fence = time.Now()
		l.complete(time.Second)
		if !kinds(events, EventClaimed, EventLost) {
			t.Errorf("told %+v, want claimed, lost", events)
		}
		if !errors.Is(context.Cause(l.work), ErrLost) {
			t.Errorf("the context's cause is %v", context.Cause(l.work))
		}
	})
}

// TestExpireAfterAMove fires the fence's timer while a heartbeat has just moved
// the fence: the claim stands, and the timer is set again.
func TestExpireAfterAMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []Event
		l := held(t, &events)
		l.move(time.Now().Add(time.Second))
		l.expire()
		if l.work.Err() != nil {
			t.Fatal("the claim was lost although its fence lies ahead")
		}
		<-l.work.Done()
		synctest.Wait()
		if !kinds(events, EventClaimed, EventLost) {
			t.Errorf("told %+v, want lost once the fence came", events)
		}
	})
}

// TestFenceNeverMovesBack gives the answer of an older heartbeat after that of a
// newer one.
func TestFenceNeverMovesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []Event
		l := held(t, &events)
		now := time.Now()
		l.move(now.Add(10 * time.Second))
		l.move(now.Add(5 * time.Second))
		if want := now.Add(10*time.Second + time.Minute - 6*time.Second); !l.fence.Equal(want) {
			t.Errorf("the fence is %v off", l.fence.Sub(want))
		}
		l.end()
	})
}
