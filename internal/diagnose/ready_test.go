package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func head(priority, id int64, waits time.Duration) model.Oldest {
	return model.Oldest{Key: key(id), Priority: model.NumberOf(priority), Waiting: model.Age{D: waits, Trust: model.Exact}}
}

// overtaken is a queue in which job 7 is next while others are claimed, each poll
// the jobs that claimed gives.
type overtaken struct {
	*scene
	next int64
}

func (o *overtaken) claim(id, priority int64) {
	j := row(id, fmt.Sprintf("%08d-0000-0000-0000-000000000000", o.next), "w", time.Hour)
	o.next++
	if priority > 0 {
		j.Priority = model.NumberOf(priority)
	}
	o.rows = append(o.rows, j)
}

// step polls once and gives the finding of a kind.
func (o *overtaken) step(kind string) (model.Finding, bool) {
	o.t.Helper()
	snap := listed(poll(o.at, o.pulse), o.rows...)
	o.w.Observe(snap)
	o.at += 2 * time.Second
	return find(o.t, snap, kind)
}

// TestPassedOver holds which claims count, from when it is said, and that it ends
// when the job is claimed.
func TestPassedOver(t *testing.T) {
	o := &overtaken{scene: watch(t, backlog(9, 0))}
	o.pulse.ByPriority = []model.Oldest{head(1, 7, 40*time.Second)}
	for i := range int64(12) {
		o.claim(100+i, 1)
		f, found := o.step(KindPassedOver)
		if i < 10 && found {
			t.Fatalf("after %d claims it says %q", i, f.Text)
		}
		if i == 11 && (!found || f.Text != "7 is ready for 40s and was passed over ≥ 10 times" || f.Key != key(7)) {
			t.Fatalf("after %d claims it says %q", i, f.Text)
		}
	}
	for i := range int64(100) {
		o.claim(3, 1)                                      // stands before it
		o.claim(400+i, 0)                                  // nobody knows its priority
		o.rows[len(o.rows)-1].Priority = model.NumberOf(0) // more urgent
	}
	if f, _ := o.step(KindPassedOver); !strings.Contains(f.Text, "≥ 10 times") {
		t.Errorf("claims that pass nobody count: %q", f.Text)
	}
	for i := range int64(20) {
		o.claim(200+i, 2)
	}
	if f, _ := o.step(KindPassedOver); !strings.Contains(f.Text, "≥ 20 times") {
		t.Errorf("less urgent claims do not count: %q", f.Text)
	}
	o.pulse.ByPriority = []model.Oldest{head(1, 8, 40*time.Second)}
	if f, found := o.step(KindPassedOver); found {
		t.Errorf("after it was claimed: %q", f.Text)
	}
	o.pulse.ByPriority[0].Waiting.D = 10 * time.Second
	for i := range int64(20) {
		o.claim(500+i, 1)
	}
	if f, found := o.step(KindPassedOver); found {
		t.Errorf("a job that waits for 10 s: %q", f.Text)
	}
}

// TestPassedOverIsSeen holds that nothing is counted over a poll that failed or a
// list that was not whole.
func TestPassedOverIsSeen(t *testing.T) {
	o := &overtaken{scene: watch(t, backlog(9, 0))}
	o.pulse.ByPriority = []model.Oldest{head(1, 7, 40*time.Second)}
	o.step(KindPassedOver)
	for i := range int64(30) {
		o.claim(100+i, 1)
	}
	o.w.Observe(failed(poll(o.at, o.pulse)))
	if f, found := o.step(KindPassedOver); found {
		t.Errorf("over a poll that failed: %q", f.Text)
	}
	for i := range int64(30) {
		o.claim(200+i, 1)
	}
	cut := listed(poll(o.at, o.pulse), o.rows...)
	cut.Page.Data.More = true
	o.w.Observe(cut)
	if f, found := find(t, cut, KindPassedOver); found {
		t.Errorf("in a cut list: %q", f.Text)
	}
}

func TestBehind(t *testing.T) {
	at := func(d time.Duration) model.Instant { return model.Instant{At: epoch.Add(d), Raw: model.TimeValue("t")} }
	text := func(s string) model.Key { return model.KeyOf(model.TextValue(s)) }
	long := model.Oldest{Key: text("a"), Waiting: model.Age{D: time.Minute, Trust: model.Exact}}
	for name, c := range map[string]struct {
		job  model.Job
		head model.Oldest
		want bool
	}{
		"higher number":             {model.Job{Key: key(9), Priority: model.NumberOf(1)}, head(1, 7, 0), true},
		"lower number":              {model.Job{Key: key(5), Priority: model.NumberOf(1)}, head(1, 7, 0), false},
		"more urgent":               {model.Job{Key: key(9), Priority: model.NumberOf(0)}, head(1, 7, 0), false},
		"less urgent":               {model.Job{Key: key(5), Priority: model.NumberOf(2)}, head(1, 7, 0), true},
		"no priority, before one":   {model.Job{Key: key(50)}, head(5, 9, time.Hour), false},
		"text, due later":           {model.Job{Key: text("b"), Available: at(-time.Second)}, long, true},
		"text, due before":          {model.Job{Key: text("b"), Available: at(-time.Hour)}, long, false},
		"text, nothing is recorded": {model.Job{Key: text("b")}, long, false},
		"text, age is not known":    {model.Job{Key: text("b"), Available: at(-time.Second)}, model.Oldest{Key: text("a")}, false},
	} {
		if got := behind(&c.job, c.head, epoch); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestRounded(t *testing.T) {
	for n, want := range map[int64]int64{1: 1, 3: 2, 9: 5, 10: 10, 19: 10, 20: 20, 49: 20, 99: 50, 240: 200, 1999: 1000, 5000: 5000, 0: 0} {
		if got := rounded(n); got != want {
			t.Errorf("%d: %d, not %d", n, got, want)
		}
	}
}

// TestUrgentWaits holds that one urgent job that waits is seen although the others
// go through, and that the finding does not flap.
func TestUrgentWaits(t *testing.T) {
	s := watch(t, backlog(9, 0))
	for i, c := range []struct {
		urgent, less time.Duration
		found        bool
	}{
		{50 * time.Second, time.Second, false}, {6 * time.Minute, 2 * time.Minute, false}, {6 * time.Minute, 80 * time.Second, true},
		{6 * time.Minute, 2 * time.Minute, true}, {6 * time.Minute, 4 * time.Minute, false}, {6 * time.Minute, 2 * time.Minute, false},
	} {
		s.pulse.ByPriority = []model.Oldest{head(1, 7, c.urgent), head(5, 9, c.less)}
		snap := poll(s.at, s.pulse)
		s.w.Observe(snap)
		s.at += 2 * time.Second
		f, found := find(t, snap, KindUrgentWaits)
		if found != c.found {
			t.Errorf("step %d: %v %q", i, found, f.Text)
		}
		if i == 2 && f.Text != "7 of priority 1 waits for 6m00s, those of priority 5 for 1m15s" {
			t.Errorf("it says %q", f.Text)
		}
	}
	none := func(id int64, waits time.Duration) model.Oldest {
		return model.Oldest{Key: key(id), Waiting: model.Age{D: waits, Trust: model.Exact}}
	}
	for _, c := range []struct {
		name  string
		heads []model.Oldest
		want  string
	}{
		{"a backlog of the less urgent", []model.Oldest{head(1, 7, time.Second), head(5, 9, time.Hour)}, ""},
		{"before those with a priority", []model.Oldest{none(7, time.Hour), head(-5, 9, time.Second)}, "7 without a priority waits for 1h, those of priority -5 for 1s"},
		{"a backlog of those without", []model.Oldest{head(1, 7, time.Hour), none(9, time.Second)}, ""},
	} {
		s.pulse.ByPriority = c.heads
		snap := poll(s.at, s.pulse)
		s.w.Observe(snap)
		s.at += 2 * time.Second
		if f, _ := find(t, snap, KindUrgentWaits); f.Text != c.want {
			t.Errorf("%s: %q", c.name, f.Text)
		}
	}
}

func TestCrashLoop(t *testing.T) {
	again := func(id, tries int64, why string, st model.State) *model.Job {
		j := row(id, tokenA, "w", time.Hour)
		j.State, j.Attempts, j.MaxAttempts, j.Error = st, model.NumberOf(tries), model.NumberOf(5), why
		return j
	}
	w := New()
	at := time.Duration(0)
	show := func(v model.View, jobs ...*model.Job) (model.Finding, bool) {
		snap := listed(poll(at, model.Pulse{Working: exact(int64(len(jobs))), Expired: exact(0)}), jobs...)
		snap.Page.Data.View = v
		at += 2 * time.Second
		w.Observe(snap)
		return find(t, snap, KindCrashLoop)
	}
	if f, found := show(model.ViewWorking, again(1, 2, Lapse, model.Working), again(2, 4, "timeout", model.Working), again(3, 1, Lapse, model.Ready)); found {
		t.Errorf("none loops: %q", f.Text)
	}
	f, _ := show(model.ViewWorking, again(1, 3, Lapse, model.Working))
	if f.Text != "1 may kill its workers: attempt 3 of 5, and the last lease ended without a word" || f.Key != key(1) {
		t.Errorf("one: %q", f.Text)
	}
	f, _ = show(model.ViewRepeaters, again(1, 3, Lapse, model.Working), again(2, 4, Lapse, model.Scheduled))
	if !strings.HasPrefix(f.Text, "2 jobs may kill their workers; the worst is 2: attempt 4 of 5") {
		t.Errorf("two: %q", f.Text)
	}
	if _, found := show(model.ViewReady); !found {
		t.Error("another list ends it")
	}
	at += 2 * time.Minute
	if _, found := show(model.ViewReady); found {
		t.Error("it stands for ever")
	}
	show(model.ViewWorking, again(1, 3, Lapse, model.Working))
	if _, found := show(model.ViewWorking); found {
		t.Error("a list that does not show it does not end it")
	}
}
