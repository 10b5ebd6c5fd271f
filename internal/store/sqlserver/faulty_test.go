package sqlserver

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
)

// troubles is a server that is well for some minutes and ill for some, in a way of
// its own each time.
type troubles struct {
	t *testing.T
	s *tdstest.Server
	f facts

	mu   sync.Mutex
	rand *rand.Rand
	ill  func() tdstest.Reply // nil: well
}

// illnesses are the ways in which a server answers wrongly, or not.
func (b *troubles) illnesses() []func() tdstest.Reply {
	says := func(parts ...tdstest.Part) func() tdstest.Reply { return func() tdstest.Reply { return parts } }
	number := func(n int32) func() tdstest.Reply { return says(tdstest.Error{Number: n, Message: "no"}) }
	// Not among them: the reply that runs on (see hang_test.go), whose reader the
	// driver leaves behind for good. No statement of ours has such a reply.
	return []func() tdstest.Reply{
		says(tdstest.Raced()), says(tdstest.TimedOut(), nothing()), number(40613), number(40501), number(10928),
		says(tdstest.Denied("SELECT", "QueueDemo")), number(208), number(207), number(650), number(3906), number(976), number(12345),
		says(tdstest.Hangup{}), says(nothing(), tdstest.Hangup{}), says(tdstest.Half{Of: tdstest.Reply{nothing()}, Hangup: true}),
		says(tdstest.Silence{}), says(tdstest.Silence{Deaf: true}), says(tdstest.Sleep(time.Second), nothing()),
		says(tdstest.Error{Number: 596, Class: 21, Message: "killed"}, tdstest.Hangup{}),
		func() tdstest.Reply { b.s.Drop(); return tdstest.Reply{nothing()} },
	}
}

func (b *troubles) answer(r tdstest.Request) tdstest.Reply {
	b.mu.Lock()
	ill := b.ill
	sometimes := b.rand.IntN(3) > 0
	b.mu.Unlock()
	if ill != nil && sometimes {
		return ill()
	}
	if a, ok := b.f.answer(b.t, r); ok {
		return a
	}
	return tdstest.Reply{nothing()}
}

// live lets the server fall ill and recover until ctx ends; then it is well.
func (b *troubles) live(ctx context.Context) {
	for ctx.Err() == nil {
		b.mu.Lock()
		list := b.illnesses()
		choice := b.rand.IntN(len(list) + 2)
		wait := time.Duration(20+b.rand.IntN(100)) * time.Second
		switch {
		case choice < len(list):
			b.ill = list[choice]
		case choice == len(list):
			b.s.Mute(true)
			b.s.Drop()
		default:
			b.s.OnLogin(func(tdstest.Login) *tdstest.LoginFault { return &tdstest.LoginFault{Number: 40613, Message: "moving"} })
			b.s.Drop()
		}
		b.mu.Unlock()
		b.rest(ctx, wait)
		b.mu.Lock()
		b.ill = nil
		wait = time.Duration(20+b.rand.IntN(100)) * time.Second
		b.mu.Unlock()
		b.s.Mute(false)
		b.s.OnLogin(nil)
		b.rest(ctx, wait)
	}
}

func (*troubles) rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// TestHoursOfTrouble watches a server that falls ill in every way there is, and acts
// on it. What it costs is bounded: statements, logins, goroutines, memory; and when
// the server is well, it is seen within a minute.
func TestHoursOfTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &troubles{t: t, rand: rand.New(rand.NewPCG(1, 2))}
		b.s = tdstest.New(t, b.answer)
		db, err := Open(tdstest.DSN, Options{Dialer: b.s.Dialer()})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		q := db.Queue(*b.f.mapping(t))
		p := poller.New([]poller.Target{{Queue: "orders", Server: "s", Source: q}}, poller.Options{})
		p.Want(poller.Want{Queue: "orders", View: model.ViewWorking})
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		defer all.Wait()
		defer cancel()
		all.Go(func() { _ = p.Run(ctx) })
		ill, well := context.WithTimeout(ctx, troubledHours*time.Hour)
		defer well()
		all.Go(func() { b.live(ill) })

		routines, memory := 0, uint64(0)
		last, lastLogins := 0, 0
		for hour := range troubledHours {
			for range 60 {
				time.Sleep(time.Minute)
				act(t, q)
				if n := b.s.Count() - last; n > 160 { // a pulse and a list every two seconds, and probes
					t.Errorf("hour %d: %d statements in a minute", hour, n)
				}
				last = b.s.Count()
				if n := len(b.s.Logins()) - lastLogins; n > 90 {
					t.Errorf("hour %d: %d logins in a minute", hour, n)
				}
				lastLogins = len(b.s.Logins())
				routines = max(routines, runtime.NumGoroutine())
			}
			b.s.Forget()
			last, lastLogins = 0, 0
			memory = max(memory, heap())
		}
		time.Sleep(time.Minute)
		if h := p.Board().Queues[0].Watch; h.Health != model.Live {
			t.Errorf("a minute after the last trouble: %+v", h)
		}
		t.Logf("%d hours: at most %d goroutines, %d MB of heap, %+v", troubledHours, routines, memory>>20, db.Stats())
		if routines > 120 || memory > 64<<20 {
			t.Errorf("at most %d goroutines, %d MB of heap", routines, memory>>20)
		}
		if n := db.Stats().Abandoned; n != 0 {
			t.Errorf("%d calls still hang", n)
		}
	})
}

// act reclaims a job that is not there: any answer will do but one that is no fault.
func act(t *testing.T, q *store.Queue) {
	_, _, err := q.Apply(t.Context(), in(model.Reclaim))
	var f *model.Fault
	if err != nil && !errors.As(err, &f) {
		t.Errorf("an act ended with %v", err)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
