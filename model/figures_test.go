package model

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func worker(id int64, end time.Duration) *Job {
	return &Job{
		Key: KeyOf(IntValue(id)), Token: TokenOf(IntValue(1)), State: Working,
		Lease: Instant{At: noon.Add(end), Raw: TimeValue("raw")},
	}
}

// counted is a snapshot whose pulse and list were read at the same time and
// disagree in everything.
func counted(v View, jobs ...*Job) *Snapshot {
	s := &Snapshot{}
	s.Pulse = Part[Pulse]{At: noon, Data: Pulse{
		Ready: Count{50, Exact}, Working: Count{50, Exact}, Expired: Count{50, Exact}, Corrupt: Count{50, Exact}, Failed: Count{50, Exact},
		WorstOverdue: Age{time.Hour, Exact}, WorstKey: KeyOf(IntValue(50)),
		Oldest: &Oldest{Key: KeyOf(IntValue(50))}, ByPriority: []Oldest{{}},
	}}
	s.Page = Part[Page]{At: noon, Data: Page{View: v, Jobs: jobs}}
	return s
}

func TestFiguresOfACompleteList(t *testing.T) {
	bad := worker(4, time.Minute)
	bad.Token = Token{}
	got := counted(ViewWorking, worker(1, time.Minute), worker(2, -time.Second), worker(3, -time.Minute), bad).Figures()
	if got.Working != (Count{4, Exact}) || got.Expired != (Count{2, Exact}) || got.Corrupt != (Count{1, Exact}) {
		t.Errorf("working %v, expired %v, corrupt %v", got.Working, got.Expired, got.Corrupt)
	}
	if got.WorstKey != KeyOf(IntValue(3)) || got.WorstOverdue != (Age{time.Minute, Exact}) {
		t.Errorf("the worst is %v, %v", got.WorstKey, got.WorstOverdue)
	}
	if got.Ready.N != 50 || got.Failed.N != 50 {
		t.Errorf("what the list does not show was changed: %+v", got)
	}
	got = counted(ViewWorking).Figures()
	if got.Working != (Count{0, Exact}) || got.Expired != (Count{0, Exact}) || got.WorstOverdue.Known() || !got.WorstKey.IsZero() {
		t.Errorf("of an empty list: %+v", got)
	}
	got = counted(ViewReady, worker(1, 0)).Figures()
	if got.Ready != (Count{1, Exact}) || got.Working.N != 50 || got.Oldest == nil {
		t.Errorf("of a list of one ready job: %+v", got)
	}
	got = counted(ViewReady).Figures()
	if got.Ready != (Count{0, Exact}) || got.Oldest != nil || got.ByPriority != nil {
		t.Errorf("none is ready, and the oldest is %+v", got.Oldest)
	}
	got = counted(ViewFailed).Figures()
	if got.Failed != (Count{0, Exact}) || got.Ready.N != 50 || got.Oldest == nil {
		t.Errorf("of an empty list of dead letters: %+v", got)
	}
	low := counted(ViewWorking, worker(1, -time.Minute))
	low.Caps.LowCounts = true
	if got := low.Figures(); got.Working != (Count{1, AtLeast}) || got.WorstOverdue != (Age{time.Minute, AtLeast}) {
		t.Errorf("a reader that skips locked rows counts %+v", got)
	}
}

func TestFiguresThatNoListMayChange(t *testing.T) {
	change := map[string]func(*Snapshot){
		"no list":         func(s *Snapshot) { s.Page = Part[Page]{} },
		"a failed list":   func(s *Snapshot) { s.Page.Err = &Fault{} },
		"a part of it":    func(s *Snapshot) { s.Page.Data.More = true },
		"an older list":   func(s *Snapshot) { s.Page.At = noon.Add(-time.Millisecond) },
		"a list of none":  func(s *Snapshot) { s.Page.Data.View = ViewNone },
		"nothing at all":  func(s *Snapshot) { *s = Snapshot{} },
		"only the figure": func(s *Snapshot) { s.Page = Part[Page]{Data: Page{View: ViewNone}} },
	}
	for name, f := range change {
		s := counted(ViewWorking, worker(1, time.Minute))
		f(s)
		want, got := s.Pulse.Data, s.Figures()
		if got.Working != want.Working || got.Expired != want.Expired || got.WorstKey != want.WorstKey || got.Oldest != want.Oldest {
			t.Errorf("%s: %+v, want the pulse's", name, got)
		}
	}
}

func TestNowIsTheNewerOfBoth(t *testing.T) {
	s := counted(ViewReady)
	if !s.Now().Equal(noon) {
		t.Error(s.Now())
	}
	s.Page.At = noon.Add(time.Second)
	if !s.Now().Equal(s.Page.At) {
		t.Error(s.Now())
	}
	s.Pulse.At = noon.Add(time.Minute)
	if !s.Now().Equal(s.Pulse.At) {
		t.Error(s.Now())
	}
}

func TestJobs(t *testing.T) {
	j := worker(1, -time.Second)
	if left, ok := j.Left(noon); !ok || left != -time.Second || !j.Expired(noon) || j.Corrupt() {
		t.Errorf("left %v %v, expired %v, corrupt %v", left, ok, j.Expired(noon), j.Corrupt())
	}
	if j.Expired(j.Lease.At) {
		t.Error("a lease that ends now is not before now")
	}
	if j.Expired(time.Time{}) {
		t.Error("without the server's time nothing is expired")
	}
	j.State = Done
	if j.Expired(noon) {
		t.Error("a done job is expired")
	}
	for name, j := range map[string]*Job{"token": {State: Working, Lease: worker(1, 0).Lease}, "lease": {State: Working, Token: TokenOf(IntValue(1))}} {
		if !j.Corrupt() || j.Expired(noon) {
			t.Errorf("working without a %s: corrupt %v, expired %v", name, j.Corrupt(), j.Expired(noon))
		}
	}
	if (&Job{State: Ready}).Corrupt() {
		t.Error("a ready job needs no token")
	}
	for _, c := range []struct {
		attempts, most Number
		want           bool
	}{
		{NumberOf(5), NumberOf(5), true},
		{NumberOf(6), NumberOf(5), true},
		{NumberOf(4), NumberOf(5), false},
		{NumberOf(4), Number{}, false},
		{Number{}, NumberOf(0), false},
	} {
		if got := (&Job{Attempts: c.attempts, MaxAttempts: c.most}).Exhausted(); got != c.want {
			t.Errorf("%v of %v: exhausted is %v", c.attempts, c.most, got)
		}
	}
}
