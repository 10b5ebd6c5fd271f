package diagnose

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// scene is a queue that is polled every two seconds.
type scene struct {
	t       *testing.T
	w       *Watcher
	at      time.Duration
	jump    time.Duration // how far the server's clock was set
	pulse   model.Pulse
	rows    []*model.Job
	list    bool
	changes int
	was     bool
}

func watch(t *testing.T, p model.Pulse) *scene { return &scene{t: t, w: New(), pulse: p} }

// poll shows the watcher the scene once and reports whether it is stalled.
func (s *scene) poll() (model.Finding, bool) {
	s.t.Helper()
	snap := poll(s.at, s.pulse)
	snap.Pulse.At = snap.Pulse.At.Add(s.jump)
	if s.list {
		listed(snap, s.rows...)
	}
	s.w.Observe(snap)
	s.at += 2 * time.Second
	f, found := find(s.t, snap, KindStalled)
	if found != s.was {
		s.changes++
		s.was = found
	}
	return f, found
}

// pass polls for a while and gives when the queue was first said to be stalled;
// -1: never.
func (s *scene) pass(d time.Duration, each func(i int)) time.Duration {
	s.t.Helper()
	first, begin := time.Duration(-1), s.at
	for i := 0; s.at-begin < d; i++ {
		if each != nil {
			each(i)
		}
		if _, stalled := s.poll(); stalled && first < 0 {
			first = s.at - 2*time.Second - begin
		}
	}
	return first
}

func backlog(ready, working int64) model.Pulse {
	return model.Pulse{Ready: exact(ready), Working: exact(working), Scheduled: exact(0), Expired: exact(0)}
}

// signs are the ways in which a claim shows; each makes one happen.
func signs() map[string]func(s *scene, i int) {
	return map[string]func(s *scene, i int){
		"completions": func(s *scene, i int) {
			s.pulse.Completed = model.Flow{Count: exact(1), Over: 2 * time.Second}
		},
		"a new token in the list": func(s *scene, i int) {
			s.list = true
			s.rows = []*model.Job{row(int64(i), tokenA, "w", time.Hour)}
		},
		"a new token on the same row": func(s *scene, i int) {
			s.list = true
			s.rows = []*model.Job{row(1, []string{tokenA, tokenB}[i%2], "w", time.Hour)}
		},
		"arrivals that are not there any more": func(s *scene, i int) {
			s.pulse.Enqueued = model.Counter{Count: model.Count{N: int64(100 + i), Trust: model.Estimated}}
		},
		"rows that left ready": func(s *scene, i int) {
			s.pulse.Enqueued = model.Counter{Count: model.Count{N: 7, Trust: model.Estimated}}
			s.pulse.Ready.N--
		},
		"another oldest row": func(s *scene, i int) {
			s.pulse.Ready = model.Count{N: 10_000, Trust: model.Capped}
			s.pulse.Oldest = &model.Oldest{Key: key(int64(i)), Waiting: model.Age{D: time.Hour, Trust: model.Exact}}
		},
	}
}

func TestAQueueThatIsClaimedFromIsNotStalled(t *testing.T) {
	for name, claim := range signs() {
		t.Run(name, func(t *testing.T) {
			s := watch(t, backlog(5000, 0))
			if at := s.pass(10*time.Minute, func(i int) { claim(s, i) }); at >= 0 {
				t.Errorf("stalled after %v", at)
			}
		})
	}
}

// still takes the signs of movement back, so that they are readable and show
// nothing.
func (s *scene) still() {
	if s.pulse.Completed.Known() {
		s.pulse.Completed.N = 0
	}
}

func TestAQueueFromWhichTheClaimsStopIsStalled(t *testing.T) {
	for name, claim := range signs() {
		t.Run(name, func(t *testing.T) {
			s := watch(t, backlog(5000, 0))
			s.pass(2*time.Minute, func(i int) { claim(s, i) })
			s.still()
			at := s.pass(5*time.Minute, nil)
			if at < 58*time.Second || at > 64*time.Second {
				t.Errorf("stalled after %v, want a minute", at)
			}
			claim(s, 1000)
			if f, stalled := s.poll(); stalled {
				t.Errorf("after a claim: %+v", f)
			}
			if s.changes != 2 {
				t.Errorf("the finding came and went %d times", s.changes)
			}
		})
	}
}

func TestTheTextOfAStall(t *testing.T) {
	s := watch(t, backlog(1284, 4))
	s.pulse.Expired = exact(1)
	s.pass(2*time.Minute, func(i int) {
		s.pulse.Completed = model.Flow{Count: exact(int64(i % 2)), Over: 2 * time.Second}
	})
	s.still()
	s.pass(9*time.Minute+2*time.Second, nil)
	f, _ := s.poll()
	want := model.Finding{
		Kind: KindStalled, Severity: model.Bad,
		Text: "1,284 ready and no claim seen for 9m00s; usually one every 4s",
		Cure: "see what the workers do that hold 3 live leases",
	}
	if f != want {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
	s = watch(t, backlog(12, 0))
	s.pulse.Completed = model.Flow{Count: exact(0), Over: 2 * time.Second}
	s.pass(2*time.Minute, nil)
	f, _ = s.poll()
	want.Text, want.Cure = "12 ready and no claim seen for 2m00s", "see whether any workers run"
	if f != want {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
}

func TestASlowQueueHasItsOwnMeasure(t *testing.T) {
	s := watch(t, backlog(100, 2))
	claimEvery := func(n int) func(int) {
		return func(i int) {
			s.pulse.Completed = model.Flow{Count: exact(0), Over: 2 * time.Second}
			if i%n == 0 {
				s.pulse.Completed.N = 1
			}
		}
	}
	if at := s.pass(2*time.Hour, claimEvery(150)); at >= 0 { // one in five minutes, by busy workers
		t.Errorf("stalled after %v", at)
	}
	s.still()
	if at := s.pass(2*time.Hour, nil); at < 44*time.Minute || at > 51*time.Minute {
		t.Errorf("stalled after %v, want ten times five minutes", at)
	}
}

func TestOneStallDoesNotHideTheNext(t *testing.T) {
	s := watch(t, backlog(100, 0))
	busy := func(int) { s.pulse.Completed = model.Flow{Count: exact(3), Over: 2 * time.Second} }
	s.pass(5*time.Minute, busy)
	s.still()
	s.pass(time.Hour, nil)
	s.pass(20*time.Second, busy)
	s.still()
	if at := s.pass(10*time.Minute, nil); at < 0 || at > 2*time.Minute {
		t.Errorf("after a stall of an hour the next is seen after %v", at)
	}
}

func TestWhatIsNotAStall(t *testing.T) {
	quiet := model.Flow{Count: exact(0), Over: 2 * time.Second}
	cases := map[string]func(s *scene, i int){
		"nothing is ready":     func(s *scene, i int) { s.pulse.Ready, s.pulse.Completed = exact(0), quiet },
		"nobody knows":         func(s *scene, i int) { s.pulse.Ready, s.pulse.Completed = model.Count{}, quiet },
		"no sign can be read":  func(s *scene, i int) { s.pulse.Ready = model.Count{N: 10_000, Trust: model.Capped} },
		"busy, usual unknown":  func(s *scene, i int) { s.pulse.Working, s.pulse.Completed = exact(3), quiet },
		"ready for less":       func(s *scene, i int) { s.pulse.Ready, s.pulse.Completed = exact(int64(i%25)), quiet },
		"only a part is shown": func(s *scene, i int) { s.pulse.Ready.Trust, s.list = model.Capped, i%2 == 0 },
	}
	for name, each := range cases {
		t.Run(name, func(t *testing.T) {
			s := watch(t, backlog(100, 0))
			if at := s.pass(time.Hour, func(i int) { each(s, i) }); at >= 0 {
				t.Errorf("stalled after %v", at)
			}
		})
	}
}

func TestWhatNobodyWatchedIsNoQuiet(t *testing.T) {
	s := watch(t, backlog(100, 0))
	s.pulse.Completed = model.Flow{Count: exact(0), Over: 2 * time.Second}
	s.pass(50*time.Second, nil)
	s.w.Observe(failed(poll(s.at, s.pulse)))
	s.at += 10 * time.Minute
	if f, stalled := s.poll(); stalled {
		t.Errorf("after ten minutes without an answer: %+v", f)
	}
	if at := s.pass(5*time.Minute, nil); at < 56*time.Second || at > 64*time.Second {
		t.Errorf("stalled %v after the answers came back, want a minute", at)
	}
}

func TestAClockThatWasSetIsNoQuiet(t *testing.T) {
	s := watch(t, backlog(100, 0))
	s.pulse.Completed = model.Flow{Count: exact(0), Over: 2 * time.Second}
	s.pass(30*time.Second, nil)
	s.jump = time.Hour
	if at := s.pass(5*time.Minute, nil); at < 58*time.Second || at > 64*time.Second {
		t.Errorf("stalled %v after the server's clock was set forward by an hour, want a minute", at)
	}
}

func TestAnOlderRowInFrontIsNoClaim(t *testing.T) {
	s := watch(t, model.Pulse{Ready: model.Count{N: 10_000, Trust: model.Capped}, Expired: exact(0), Working: exact(0)})
	at := s.pass(10*time.Minute, func(i int) {
		// Rows that were due earlier keep coming in front: each is older than the one before.
		s.pulse.Oldest = &model.Oldest{Key: key(int64(i)), Waiting: model.Age{D: time.Hour + 10*time.Duration(i)*time.Second, Trust: model.Exact}}
	})
	if at < 0 {
		t.Error("rows that come in front pass for claims")
	}
}
