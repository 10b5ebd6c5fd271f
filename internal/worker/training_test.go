package worker_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestTrainingOpens looks at the training queue twice a second, as a screen would:
// within half a minute it has shown a lease that ran out and stays for a moment, a
// retry and a dead letter.
func TestTrainingOpens(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			stop := b.train(seed)
			defer stop()
			first := map[string]time.Duration{}
			shown := func(what string, is bool, at time.Duration) {
				if _, seen := first[what]; is && !seen {
					first[what] = at
				}
			}
			overdue := time.Duration(0)
			for at := time.Duration(0); at < 30*time.Second; at += 500 * time.Millisecond {
				wait(500 * time.Millisecond)
				page, now, err := b.Page(context.Background(), model.ViewWorking)
				if err != nil {
					t.Fatal(err)
				}
				for _, j := range page.Jobs {
					shown("an expired lease", j.Expired(now), at)
					shown("a retry", j.Attempts.N > 1, at)
					if left, _ := j.Left(now); -left > overdue {
						overdue = -left
					}
				}
				p := b.pulse()
				shown("a dead letter", p.Failed.N > 0, at)
				shown("a scheduled job", p.Scheduled.N > 0, at)
				shown("ten at work", p.Working.N >= 10, at)
			}
			for what, limit := range map[string]time.Duration{
				"an expired lease": 10 * time.Second, "a retry": 25 * time.Second, "a dead letter": 25 * time.Second,
				"a scheduled job": 5 * time.Second, "ten at work": 2 * time.Second,
			} {
				if at, ok := first[what]; !ok || at > limit {
					t.Errorf("seed %d: %s after %v (%v), want within %v", seed, what, at, ok, limit)
				}
			}
			if overdue < 2*time.Second || overdue > 4500*time.Millisecond {
				t.Errorf("seed %d: the worst lease is %v overdue, want long enough to be seen and short enough to be no finding", seed, overdue)
			}
		})
	}
}

// TestTrainingLasts plays five minutes: lively, calm, and not growing.
func TestTrainingLasts(t *testing.T) { trainingLasts(t, 5*time.Minute) }

func trainingLasts(t *testing.T, span time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		stop := b.train(1)
		begun := time.Now()
		var working, ready, scheduled, most int64
		looks := int64(0)
		for time.Since(begun) < span {
			wait(time.Second)
			p := b.pulse()
			looks++
			working, ready, scheduled = working+p.Working.N, ready+p.Ready.N, scheduled+p.Scheduled.N
			most = max(most, p.Ready.N+p.Scheduled.N+p.Working.N)
		}
		last := b.pulse()
		stop()
		perSec := float64(last.Enqueued.N) / span.Seconds()
		t.Logf("%v: %.1f jobs a second; on average %.1f working, %.1f ready, %.1f scheduled, at most %d open; %d done, %d failed; %d recovered, %d lost, %d confirmed",
			span, perSec, float64(working)/float64(looks), float64(ready)/float64(looks), float64(scheduled)/float64(looks), most,
			last.Done.N, last.Failed.N, b.ledger.Count(worker.EventRecovered), b.ledger.Count(worker.EventLost), b.ledger.Count(worker.EventConfirmed))
		if perSec < 1 || perSec > 3 {
			t.Errorf("%.1f jobs a second, want 1 to 3", perSec)
		}
		if w := float64(working) / float64(looks); w < 15 || w > 24 {
			t.Errorf("%.1f working on average, want about 20", w)
		}
		if most > 150 {
			t.Errorf("%d jobs were open at once, want no growth", most)
		}
		if b.ledger.Count(worker.EventUnsure) > 0 {
			t.Error("an end stayed unsure on a healthy file")
		}
	})
}

func (b *bench) train(seed uint64) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- worker.Training{Seed: seed, Events: b.ledger.Note}.Run(ctx, b) }()
	return func() {
		begun := time.Now()
		cancel()
		if err := <-done; err != nil {
			b.t.Error(err)
		}
		if took := time.Since(begun); took > 200*time.Millisecond {
			b.t.Errorf("the training stopped after %v, want at once", took)
		}
	}
}

func (b *bench) pulse() model.Pulse {
	b.t.Helper()
	p, _, err := b.Pulse(context.Background(), model.PulseAsk{})
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}
