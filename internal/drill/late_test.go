package drill

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// slow is a queue in memory, on a machine that stands still where the test says so.
type slow struct {
	Queue
	deaf  bool          // claims do not see the brake
	brake time.Duration // before a brake is put
	pulse time.Duration // before the figures come

	mu     sync.Mutex
	jobs   int
	given  int
	pulses int
	braked bool
}

func (q *slow) Enqueue(_ context.Context, jobs []model.NewJob) ([]model.Key, error) {
	q.jobs += len(jobs)
	return make([]model.Key, len(jobs)), nil
}

func (q *slow) Claim(context.Context, string, string, int, time.Duration) ([]model.Claim, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.braked && !q.deaf {
		return nil, &model.Fault{Class: model.FaultRefused, Brake: &model.Brake{}}
	}
	if q.given == q.jobs {
		return nil, nil
	}
	q.given++
	return []model.Claim{{Key: key(int64(q.given))}}, nil
}

func (q *slow) Complete(context.Context, model.Key, model.Token) ([]model.Change, error) {
	return make([]model.Change, 1), nil
}

func (q *slow) ApplyBrake(_ context.Context, i model.Intent) (bool, *model.Brake, time.Time, error) {
	if i.Action == model.PutBrake {
		time.Sleep(q.brake)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.braked = i.Action == model.PutBrake
	return true, nil, time.Time{}, nil
}

func (q *slow) Pulse(context.Context, model.PulseAsk) (p model.Pulse, now time.Time, err error) {
	time.Sleep(q.pulse)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pulses++
	p.Working.N = int64(q.given)
	return p, now, nil
}

type slowLab struct {
	noLab
	q *slow
}

func (l slowLab) Make(context.Context, Order) (Bench, error) { return l, nil }
func (l slowLab) Queue(int) Queue                            { return l.q }
func (slowLab) Pass(context.Context, time.Duration) error    { return nil }
func (slowLab) Drop(context.Context) error                   { return nil }

// However late the brake comes it meets claims, and claims that do not see it are found.
func TestABrakeThatComesLateStillMeetsClaims(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			q := &slow{deaf: deaf, brake: time.Minute}
			out, err := Run(t.Context(), slowLab{q: q}, Options{Claimers: 4, Jobs: 60, Only: []string{brakeStops}})
			if err != nil {
				t.Fatal(err)
			}
			if v := out.Verdicts[0]; v.OK == deaf || deaf && !strings.Contains(v.Text, "after the receipt") {
				t.Errorf("claims see the brake: %t; ok %t: %s", !deaf, v.OK, v.Text)
			}
		})
	}
}

// The patience is not over because one look at the queue took longer than it: then the
// workers stood still as well.
func TestAMachineThatStandsStillDoesNotEndAScene(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const turns = 6
		o := Options{Patience: 3 * time.Second, Lease: time.Second}
		q := &slow{given: 1, pulse: 2 * o.Patience}
		c := &crew{r: &round{o: o, at: func(float64) {}}}
		c.place = place{slowLab{q: q}, c.r}
		ctx, stop := context.WithTimeout(t.Context(), turns*q.pulse+o.Patience)
		defer stop()
		if err := c.untilEnded(1)(ctx); err == nil {
			t.Errorf("it gave up after %d looks", q.pulses)
		}
		q.pulse = 0
		begun := time.Now()
		if err := c.untilEnded(1)(t.Context()); err != nil || time.Since(begun) > 2*o.Patience {
			t.Errorf("nothing ended, and it was waited for %v: %v", time.Since(begun), err)
		}
	})
}
