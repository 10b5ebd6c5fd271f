package worker_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// rehearsal is a calm training queue that plays, and the tricks to it.
type rehearsal struct {
	*bench
	tricks *worker.Mischief
}

// rehearse plays a calm training for a while on virtual time.
func rehearse(t *testing.T, play func(r *rehearsal)) {
	synctest.Test(t, func(t *testing.T) {
		r := &rehearsal{bench: newBench(t), tricks: &worker.Mischief{}}
		r.do(worker.TrickCalm, model.Key{}, false) // before it runs there is nothing to do it to
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- worker.Training{Seed: 1, Events: r.note, Mischief: r.tricks}.Run(ctx, r.bench) }()
		defer func() {
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
		}()
		wait(time.Minute) // what the opening brings is over
		r.do(worker.TrickCalm, model.Key{}, true)
		wait(time.Minute)
		play(r)
	})
}

// do does a trick and fails unless it is possible exactly when it should be.
func (r *rehearsal) do(trick worker.Trick, key model.Key, can bool) string {
	r.t.Helper()
	said, err := r.tricks.Do(context.Background(), trick, key)
	if (err == nil) != can || can == (said == "") {
		r.t.Fatalf("%s: %q, %v; want it to be possible: %v", trick, said, err, can)
	}
	return said
}

// held is a job that is being worked on with time left.
func (r *rehearsal) held() *model.Job {
	r.t.Helper()
	page, _, err := r.Page(context.Background(), model.ViewWorking)
	if err != nil || len(page.Jobs) == 0 {
		r.t.Fatalf("nobody works: %v", err)
	}
	return page.Jobs[len(page.Jobs)-1] // claimed last
}

// soon waits until something is so.
func (r *rehearsal) soon(within time.Duration, what string, is func() bool) {
	r.t.Helper()
	for end := time.Now().Add(within); !is(); wait(250 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("after %v still not: %s", within, what)
		}
	}
}

// A killed worker is heard of no more: the lease runs out, and with recovery
// stopped the row stays; once it goes on, the row comes back.
func TestTrickKillAndRecovery(t *testing.T) {
	rehearse(t, func(r *rehearsal) {
		r.do(worker.TrickRecovery, model.Key{}, true)
		j := r.held()
		r.do(worker.TrickKill, j.Key, true)
		if _, err := r.tricks.Do(context.Background(), worker.TrickStall, j.Key); err == nil || !strings.Contains(err.Error(), "already") {
			t.Errorf("the dead worker is stalled: %v", err)
		}
		wait(3 * worker.TrainingLease)
		r.do(worker.TrickKill, j.Key, false) // nobody else dies in place of the dead
		if now := r.job(j.Key); now.State != model.Working || now.Token != j.Token {
			t.Fatalf("nobody recovers and the job is %v", now.State)
		}
		if p := r.pulse(); p.Expired.N != 1 {
			t.Errorf("%d leases ran out, want the one", p.Expired.N)
		}
		r.do(worker.TrickRecovery, model.Key{}, true)
		r.soon(10*time.Second, "recovered", func() bool { return r.job(j.Key).Token != j.Token })
	})
}

// A stalled worker ends too late, and its token is refused.
func TestTrickStall(t *testing.T) {
	rehearse(t, func(r *rehearsal) {
		j := r.held()
		r.do(worker.TrickStall, j.Key, true)
		r.soon(20*time.Second, "recovered", func() bool { return r.job(j.Key).Token != j.Token })
		r.soon(3*time.Minute, "done by another", func() bool { return r.job(j.Key).State == model.Done })
		if r.job(j.Key).Token == j.Token {
			t.Error("the late end was honoured")
		}
	})
}

// The reply to a completion is lost and the worker finds out that it was applied.
func TestTrickLoseReply(t *testing.T) {
	rehearse(t, func(r *rehearsal) {
		j := r.held()
		before := r.ledger.Count(worker.EventConfirmed)
		r.do(worker.TrickLoseReply, j.Key, true)
		r.soon(90*time.Second, "confirmed", func() bool { return r.ledger.Count(worker.EventConfirmed) > before })
		if now := r.job(j.Key); now.State != model.Done || now.Token != j.Token {
			t.Errorf("the job is %v with token %v, want done by the one who held it", now.State, now.Token)
		}
	})
}

// Poison and killers end among the dead letters, a flood comes at once.
func TestTricksThatEnqueue(t *testing.T) {
	rehearse(t, func(r *rehearsal) {
		before := r.pulse()
		r.do(worker.TrickPoison, model.Key{}, true)
		r.do(worker.TrickKiller, model.Key{}, true)
		r.soon(3*time.Minute, "two dead letters more", func() bool { return r.pulse().Failed.N == before.Failed.N+2 })
		open := r.pulse().Ready.N
		r.do(worker.TrickFlood, model.Key{}, true)
		if now := r.pulse().Ready.N; now < open+150 {
			t.Errorf("%d ready after a flood, %d before", now, open)
		}
	})
}

// The clock trick moves the server's time and back, and the menu says which.
func TestTrickClock(t *testing.T) {
	rehearse(t, func(r *rehearsal) {
		says := r.tricks.Does(worker.TrickClock)
		r.do(worker.TrickClock, model.Key{}, true)
		if d := time.Until(r.tricks.Now()).Round(time.Second); d != 5*time.Minute {
			t.Errorf("the clock is %v ahead", d)
		}
		if r.tricks.Does(worker.TrickClock) == says {
			t.Error("the menu still offers to set it ahead")
		}
		r.do(worker.TrickClock, model.Key{}, true)
		if d := time.Until(r.tricks.Now()).Round(time.Second); d != 0 {
			t.Errorf("set right, the clock is %v off", d)
		}
	})
	for _, trick := range worker.Tricks() {
		if (&worker.Mischief{}).Does(trick) == "" {
			t.Errorf("the menu does not say what %s does", trick)
		}
	}
}
