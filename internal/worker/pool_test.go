package worker_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestStopDuringAClaim stops the pool while a claim is under way: the call is not
// cut off, and what it took is given back at once.
func TestStopDuringAClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(3)
		claiming, stopped := make(chan struct{}), make(chan struct{})
		q := &tamper{Queue: b, claim: func(ctx context.Context, token, name string, n int, lease time.Duration) ([]model.Claim, error) {
			close(claiming)
			<-stopped
			wait(time.Second)
			return b.Claim(ctx, token, name, n, lease)
		}}
		r := b.start(q, worker.Simulate{}.Handle, worker.Options{Batch: 3, Lease: testLease, Grace: -1})
		<-claiming
		r.stop()
		close(stopped)
		if err := <-r.done; err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			if j := b.job(k); j.State != model.Ready || j.Attempts.N != 0 || j.TotalClaims.N != 1 {
				t.Errorf("job %s is %s with %d attempts and %d claims, want ready, 0, 1", k, j.State, j.Attempts.N, j.TotalClaims.N)
			}
		}
	})
}

// TestStopDuringACompletion stops the pool without grace while a completion is
// under way: it is carried through.
func TestStopDuringACompletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(1)
		var r *running
		started := make(chan struct{})
		q := &tamper{Queue: b, complete: func(ctx context.Context, k model.Key, tk model.Token) ([]model.Change, error) {
			<-started
			r.stop()
			wait(time.Second)
			if err := ctx.Err(); err != nil {
				t.Errorf("the completion was cut off: %v", err)
			}
			return b.Complete(ctx, k, tk)
		}}
		r = b.start(q, worker.Simulate{Mean: time.Second}.Handle, worker.Options{Lease: testLease, Grace: -1})
		close(started)
		if err := <-r.done; err != nil {
			t.Fatal(err)
		}
		if j := b.job(keys[0]); j.State != model.Done {
			t.Errorf("the job is %s, want done", j.State)
		}
	})
}

// TestRefusedLogin ends the pool: asking again would lock the account.
func TestRefusedLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		var calls atomic.Int32
		refused := &model.Fault{Class: model.FaultLogin, Code: 18456, Text: "login failed"}
		q := &tamper{Queue: b, claim: func(context.Context, string, string, int, time.Duration) ([]model.Claim, error) {
			calls.Add(1)
			return nil, refused
		}}
		r := b.start(q, worker.Simulate{}.Handle, worker.Options{Workers: 3, Lease: testLease})
		if err := <-r.done; !errors.Is(err, refused) {
			t.Errorf("the pool ended with %v, want the refusal", err)
		}
		if n := calls.Load(); n > 3 {
			t.Errorf("%d logins were tried by three workers", n)
		}
		r.stop()
	})
}

// TestOutage asks a server that is down less and less, and works on once it is back.
func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(1)
		var calls atomic.Int32
		up := time.Now().Add(time.Hour)
		q := &tamper{Queue: b, claim: func(ctx context.Context, token, name string, n int, lease time.Duration) ([]model.Claim, error) {
			calls.Add(1)
			if time.Now().Before(up) {
				return nil, &model.Fault{Class: model.FaultNetwork, Text: "connection refused"}
			}
			return b.Claim(ctx, token, name, n, lease)
		}}
		r := b.start(q, worker.Simulate{}.Handle, worker.Options{Lease: testLease, Alone: true})
		wait(time.Hour)
		if n := calls.Load(); n < 200 || n > 320 {
			t.Errorf("%d claims were tried within an hour, want one in 15 s or so", n)
		}
		wait(20 * time.Second)
		if j := b.job(keys[0]); j.State != model.Done {
			t.Errorf("the job is %s after the outage", j.State)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestIdle holds how often an idle worker asks.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		var calls atomic.Int32
		q := &tamper{Queue: b, claim: func(ctx context.Context, token, name string, n int, lease time.Duration) ([]model.Claim, error) {
			calls.Add(1)
			return b.Claim(ctx, token, name, n, lease)
		}}
		r := b.start(q, worker.Simulate{}.Handle, worker.Options{Lease: time.Minute, Idle: 2 * time.Second})
		wait(100 * time.Second)
		if n := calls.Load(); n < 45 || n > 65 {
			t.Errorf("an idle worker asked %d times in 100 s, want about every two seconds", n)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestBareTable runs workers on the document's five columns: a failed job returns
// to ready for ever, and an expired one too; nothing is counted.
func TestBareTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bareBench(t)
		keys := b.enqueue(6)
		var failures atomic.Int32
		var killed model.Token // of the second job's first claim
		faults := func(c model.Claim) worker.Fault {
			if c.Key == keys[1] && killed.IsZero() {
				killed = c.Token
			}
			if c.Key == keys[1] && killed == c.Token {
				return worker.Kill
			}
			return worker.NoFault
		}
		h := worker.FaultyHandler(func(_ context.Context, c model.Claim) error {
			if c.Key == keys[0] && failures.Add(1) < 8 {
				return errors.New("not yet")
			}
			return nil
		}, faults)
		r := b.start(worker.Faulty(b, faults), h, worker.Options{Lease: testLease})
		for i := 0; i < 100 && b.pulse().Ready.N+b.pulse().Working.N > 0; i++ {
			wait(time.Second)
		}
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			if j := b.job(k); j.State != model.Done {
				t.Errorf("job %s is %s", k, j.State)
			}
		}
		if n := failures.Load(); n != 8 {
			t.Errorf("the failing job was tried %d times, want 8", n)
		}
		for _, e := range b.of(worker.EventTrouble) {
			t.Errorf("trouble: %v", e.Err)
		}
		b.check(keys)
	})
}

// TestBusyWorkerDoesNotPause works off a full queue without a pause between jobs,
// also after it had been idle.
func TestBusyWorkerDoesNotPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		r := b.start(b, worker.Simulate{}.Handle, worker.Options{Lease: testLease, Idle: time.Minute, Alone: true})
		wait(10 * time.Minute)
		b.enqueue(1)
		for b.ledger.Count(worker.EventCompleted) == 0 {
			wait(time.Second)
		}
		b.enqueue(1)
		wait(4 * time.Second) // the first pause after work is a twentieth of Idle
		if n := b.ledger.Count(worker.EventCompleted); n != 2 {
			t.Errorf("%d jobs were done: the worker still pauses as if nothing had come", n)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestHandlerGivesUpItsClaim returns ErrLost: nothing is recorded for the job.
func TestHandlerGivesUpItsClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		keys := b.enqueue(1)
		r := b.start(b, func(context.Context, model.Claim) error {
			return fmt.Errorf("the carrier says that another sent it: %w", worker.ErrLost)
		}, worker.Options{Lease: testLease, Alone: true})
		wait(time.Second)
		if err := r.end(); err != nil {
			t.Error(err)
		}
		if j := b.job(keys[0]); j.State != model.Working || b.ledger.Count(worker.EventLost) != 1 {
			t.Errorf("the job is %s, %d losses were told, want working and one", j.State, b.ledger.Count(worker.EventLost))
		}
	})
}

// bareBench is a table of the document's five columns.
func bareBench(t testing.TB) *bench {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bare.db")
	return benchAt(t, path, profile.Bare)
}

// TestNames gives each worker its name in turn, or numbers them.
func TestNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		for want, names := range map[string][]string{"pick-01 pick-02 pick-01 pick-02": {"pick-01", "pick-02"}, "worker-01 worker-02 worker-03 worker-04": nil} {
			b.enqueue(4)
			r := b.start(b, worker.Simulate{Mean: time.Second}.Handle, worker.Options{Workers: 4, Names: names, Lease: testLease})
			wait(500 * time.Millisecond)
			page, _, err := b.Page(context.Background(), model.ViewWorking)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int{}
			for _, j := range page.Jobs {
				got[j.Worker]++
			}
			for n := range strings.FieldsSeq(want) {
				got[n]--
				if got[n] < 0 || len(page.Jobs) != 4 {
					t.Errorf("%s holds too little: %v", n, got)
				}
			}
			if err := r.end(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
