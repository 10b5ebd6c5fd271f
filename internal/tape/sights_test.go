package tape

import (
	"fmt"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

const (
	tokenA = "AAAAAAAA-0000-0000-0000-000000000001"
	tokenB = "BBBBBBBB-0000-0000-0000-000000000002"
)

func seenFor(d time.Duration) model.Age { return model.Age{D: d, Trust: model.AtLeast} }

func TestARowIsDatedFromItsFirstSight(t *testing.T) {
	tape := New(Options{})
	look := func(sec float64, v model.View, jobs ...*model.Job) []*model.Job {
		s := listed(good(after(sec), model.Pulse{}), v, jobs...)
		tape.Observe(s)
		return s.Page.Data.Jobs
	}
	if got := look(0, model.ViewWorking, job(1, tokenA, model.Working)); got[0].Held.Known() {
		t.Errorf("a single look gives an age of %v", got[0].Held)
	}
	original := []*model.Job{job(1, tokenA, model.Working), job(9, tokenA, model.Working)}
	first := original[0]
	if got := look(10, model.ViewWorking, original...); got[0].Held != seenFor(10*time.Second) || got[0].Waiting.Known() {
		t.Errorf("held %v, waiting %v", got[0].Held, got[0].Waiting)
	}
	if original[0] != first || first.Held.Known() {
		t.Error("a list or a job that is not ours was changed")
	}
	if got := look(20, model.ViewWorking, job(1, tokenB, model.Working)); got[0].Held.Known() {
		t.Errorf("a new claim is as old as the one before: %v", got[0].Held)
	}
	if got := look(30, model.ViewWorking, job(1, tokenB, model.Working)); got[0].Held != seenFor(10*time.Second) {
		t.Errorf("the new claim is %v", got[0].Held)
	}
	look(32, model.ViewWorking)
	if got := look(34, model.ViewWorking, job(1, tokenB, model.Working)); got[0].Held.Known() {
		t.Errorf("a row that was gone is remembered: %v", got[0].Held)
	}
	look(40, model.ViewReady, job(2, "", model.Ready))
	if got := look(47, model.ViewReady, job(2, "", model.Ready)); got[0].Waiting != seenFor(7*time.Second) {
		t.Errorf("a ready row waits %v", got[0].Waiting)
	}
	if got := look(50, model.ViewWorking, job(1, tokenB, model.Working)); got[0].Held != seenFor(16*time.Second) {
		t.Errorf("while another list was looked at, a row that kept its token was forgotten: %v", got[0].Held)
	}
}

func TestWhatTheTableDatesIsLeftAlone(t *testing.T) {
	tape := New(Options{})
	for i := range 3 {
		j := job(1, tokenA, model.Working)
		j.Held = ageOf(time.Hour)
		s := listed(good(after(float64(i)), model.Pulse{}), model.ViewWorking, j, job(2, tokenA, model.Done))
		tape.Observe(s)
		if got := s.Page.Data.Jobs[0]; got != j {
			t.Error("a job that needs nothing was copied")
		}
		if got := s.Page.Data.Jobs[1]; got.Held.Known() || got.Waiting.Known() {
			t.Error("a job that neither waits nor is held got an age")
		}
	}
}

func TestARowThatAReaderSkippedOnceIsTheSame(t *testing.T) {
	for _, low := range []bool{true, false} {
		tape := New(Options{})
		look := func(sec float64, jobs ...*model.Job) *model.Snapshot {
			s := listed(good(after(sec), model.Pulse{}), model.ViewWorking, jobs...)
			s.Caps.LowCounts = low
			tape.Observe(s)
			return s
		}
		look(0, job(1, tokenA, model.Working))
		look(2)
		if got := look(4, job(1, tokenA, model.Working)); got.Page.Data.Jobs[0].Held.Known() != low {
			t.Errorf("locked rows are skipped: %v; after one look without it the row is %v", low, got.Page.Data.Jobs[0].Held)
		}
		look(6)
		look(8)
		if got := look(10, job(1, tokenA, model.Working)); got.Page.Data.Jobs[0].Held.Known() {
			t.Error("after two looks without it the row is remembered")
		}
	}
}

func TestAnIncompleteListForgetsNothing(t *testing.T) {
	tape := New(Options{})
	look := func(sec float64, jobs ...*model.Job) *model.Snapshot {
		s := listed(good(after(sec), model.Pulse{}), model.ViewWorking, jobs...)
		s.Page.Data.More = true
		tape.Observe(s)
		return s
	}
	look(0, job(1, tokenA, model.Working))
	look(2, job(2, tokenA, model.Working))
	if got := look(4, job(1, tokenA, model.Working)); got.Page.Data.Jobs[0].Held != seenFor(4*time.Second) {
		t.Errorf("a row beyond the end of the list was forgotten: %v", got.Page.Data.Jobs[0].Held)
	}
}

func TestAClockSetBackMakesNoRowOlder(t *testing.T) {
	tape := New(Options{})
	look := func(sec float64) *model.Snapshot {
		p := model.Pulse{Ready: exact(1), Oldest: &model.Oldest{Key: model.KeyOf(model.IntValue(2))}}
		s := listed(good(after(sec), p), model.ViewWorking, job(1, tokenA, model.Working))
		tape.Observe(s)
		return s
	}
	look(100)
	for i, want := range []model.Age{{}, seenFor(30 * time.Second)} {
		s := look(float64(30 * i))
		if row, figure := s.Page.Data.Jobs[0].Held, s.Pulse.Data.Oldest.Waiting; row != want || figure != want {
			t.Errorf("look %d after the clock was set back: the row %v, the figure %v; want %v", i, row, figure, want)
		}
	}
}

func TestSightsAreBounded(t *testing.T) {
	tape := New(Options{})
	const rows = 500
	for i := range 100 {
		jobs := make([]*model.Job, rows)
		for j := range jobs {
			jobs[j] = job(int64(i*rows+j), tokenA, model.Working)
		}
		jobs[rows-1] = job(-1, tokenA, model.Working) // one that stays, at the end of the list
		s := listed(good(after(float64(2*i)), model.Pulse{}), model.ViewWorking, jobs...)
		s.Page.Data.More = true
		tape.Observe(s)
		if n := len(tape.queues["q"].sights.rows); n > maxSights {
			t.Fatalf("%d rows are remembered", n)
		}
		if i > 0 && s.Page.Data.Jobs[rows-1].Held != seenFor(time.Duration(2*i)*time.Second) {
			t.Fatalf("look %d: the row that stays is held %v", i, s.Page.Data.Jobs[rows-1].Held)
		}
	}
}

func TestAListThatFailedIsNotASight(t *testing.T) {
	tape := New(Options{})
	s := listed(good(epoch, model.Pulse{}), model.ViewWorking, job(1, tokenA, model.Working))
	tape.Observe(s)
	old := s.Page
	old.Err = &model.Fault{Class: model.FaultHung}
	for i := range 5 {
		s = good(after(float64(2*i+2)), model.Pulse{})
		s.Page = old
		tape.Observe(s)
		if s.Page.Data.Jobs[0].Held.Known() {
			t.Errorf("an old list makes its rows older: %v", s.Page.Data.Jobs[0].Held)
		}
	}
}

func TestTheOldestReadyJobIsDatedFromItsFirstSight(t *testing.T) {
	tape := New(Options{})
	head := func(id int64) model.Pulse {
		o := model.Oldest{Key: model.KeyOf(model.IntValue(id))}
		return model.Pulse{Ready: exact(5), Oldest: &o, ByPriority: []model.Oldest{o}}
	}
	look := func(sec float64, p model.Pulse) model.Age {
		s := good(after(sec), p)
		tape.Observe(s)
		if s.Pulse.Data.ByPriority[0].Waiting != s.Pulse.Data.Oldest.Waiting {
			t.Error("the two figures disagree")
		}
		return s.Pulse.Data.Oldest.Waiting
	}
	if a := look(0, head(1)); a.Known() {
		t.Errorf("a single look gives an age of %v", a)
	}
	if a := look(8, head(1)); a != seenFor(8*time.Second) {
		t.Errorf("%v", a)
	}
	if a := look(10, head(2)); a.Known() {
		t.Errorf("another job is as old as the one before: %v", a)
	}
	look(12, head(2))
	tape.Observe(failed(good(after(12), head(2))))
	if a := look(60, head(2)); a.Known() {
		t.Errorf("over a gap nobody can know that it is the same stay: %v", a)
	}
	p := head(2)
	p.Oldest.Waiting, p.ByPriority[0].Waiting = ageOf(time.Hour), ageOf(time.Hour)
	if a := look(62, p); a != ageOf(time.Hour) {
		t.Errorf("what the table dates was changed to %v", a)
	}
}

func TestListAndFigureAgreeOnTheOldest(t *testing.T) {
	tape := New(Options{})
	look := func(sec float64, list bool) *model.Snapshot {
		s := good(after(sec), model.Pulse{Ready: exact(1), Oldest: &model.Oldest{Key: model.KeyOf(model.IntValue(1))}})
		if list {
			listed(s, model.ViewReady, job(1, "", model.Ready))
		}
		tape.Observe(s)
		return s
	}
	look(0, false)
	look(30, false)
	s := look(60, true)
	if row, figure := s.Page.Data.Jobs[0].Waiting, s.Pulse.Data.Oldest.Waiting; row != figure || figure.D < time.Minute {
		t.Errorf("the row says %v, the figure %v", row, figure)
	}
}

func BenchmarkObserve(b *testing.B) {
	for _, rows := range []int{0, 20, 500} {
		b.Run(fmt.Sprintf("undated=%d", rows), func(b *testing.B) {
			tape := New(Options{})
			jobs := make([]*model.Job, rows)
			for j := range jobs {
				jobs[j] = job(int64(j), tokenA, model.Working)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s := good(after(float64(2*i)), model.Pulse{Ready: exact(1), Enqueued: counted(int64(i), "")})
				tape.Observe(listed(s, model.ViewWorking, jobs...))
			}
		})
	}
}

func BenchmarkSeries(b *testing.B) {
	tape := New(Options{})
	for i := range 4000 {
		tape.Observe(good(after(float64(2*i)), model.Pulse{Ready: exact(int64(i)), Enqueued: counted(int64(i), "")}))
	}
	for _, m := range []Metric{OldestReady, In} {
		b.Run(fmt.Sprintf("hour/metric=%d", m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tape.Series("q", m, after(8000), 36*time.Second, 100)
			}
		})
	}
}
