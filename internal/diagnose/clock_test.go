package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestAClockStep(t *testing.T) {
	at := func(server, mono time.Duration) *model.Snapshot {
		s := poll(0, model.Pulse{})
		s.Pulse.At, s.Pulse.Got = epoch.Add(server), ours.Add(mono)
		return s
	}
	w := New()
	var last *model.Snapshot
	for i := range 5 {
		d := time.Duration(2*i) * time.Second
		last = at(d, d)
		w.Observe(last)
		if f, found := find(t, last, KindClockStep); found {
			t.Fatalf("a clock that runs evenly: %+v", f)
		}
	}
	w.Observe(failed(last))
	last = at(10*time.Second+time.Hour, 10*time.Second)
	w.Observe(last)
	f, found := find(t, last, KindClockStep)
	if !found || f.Severity != model.Warn || f.Text != "the server's clock was set forward by 1h, 0s ago" {
		t.Errorf("an hour forward: %v %+v", found, f)
	}
	last = at(time.Hour+70*time.Second, 70*time.Second)
	w.Observe(last)
	if _, found := find(t, last, KindClockStep); !found {
		t.Error("it is forgotten before a lease has passed")
	}
	last = at(time.Hour+72*time.Second, 72*time.Second)
	w.Observe(last)
	if f, found := find(t, last, KindClockStep); found {
		t.Errorf("it stands after a lease: %+v", f)
	}
	last = at(72*time.Second, 74*time.Second)
	w.Observe(last)
	if f, _ := find(t, last, KindClockStep); !strings.HasPrefix(f.Text, "the server's clock was set back by 1h") {
		t.Errorf("an hour back: %+v", f)
	}
}

// Two polls are never exactly as far apart on both clocks; and of a lease nothing is
// said where there are none.
func TestAClockStepOfARowQueue(t *testing.T) {
	w := New()
	at := func(server, mono time.Duration) *model.Snapshot {
		s := poll(0, model.Pulse{})
		s.Mapping = &model.Mapping{Family: model.Destructive, Queue: "shipping"}
		s.Pulse.At, s.Pulse.Got = epoch.Add(server), ours.Add(mono)
		w.Observe(s)
		return s
	}
	at(0, 0)
	s := at(5*time.Minute+998*time.Millisecond, time.Second)
	f, found := find(t, s, KindClockStep)
	if !found || !strings.Contains(f.Text, "forward by 5m00s,") || strings.Contains(f.Cure, "lease") {
		t.Errorf("five minutes forward, less two milliseconds: %v %+v", found, f)
	}
}

func TestWithoutOurOwnTimesThereIsNoClockStep(t *testing.T) {
	w := New()
	for i, got := range []bool{true, false, true, false, false} { // as in a recording
		s := poll(time.Duration(i*i)*time.Hour, model.Pulse{})
		if !got {
			s.Pulse.Got = time.Time{}
		}
		w.Observe(s)
		if f, found := find(t, s, KindClockStep); found {
			t.Errorf("%+v", f)
		}
	}
}

func TestASlowAnswerIsNoClockStep(t *testing.T) {
	w := New()
	for i, late := range []time.Duration{0, 1500, 0, 1900, 10} {
		s := poll(time.Duration(2*i)*time.Second, model.Pulse{})
		s.Pulse.Got = s.Pulse.Got.Add(late * time.Millisecond)
		s.Pulse.Took = late * time.Millisecond
		if i > 0 {
			s.Pulse.Took = 1900 * time.Millisecond
		}
		w.Observe(s)
		if f, found := find(t, s, KindClockStep); found {
			t.Errorf("%+v", f)
		}
	}
}
