package lesson_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/internal/scratch"
)

var update = flag.Bool("update", false, "write the stories anew")

func lab(t *testing.T) *scratch.Lab {
	t.Helper()
	l, err := scratch.Embedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// Going back gives the stage that was there, and so does starting again.
func TestBackAndRestart(t *testing.T) {
	for _, l := range lesson.All() {
		t.Run(l.Name, func(t *testing.T) {
			p, err := lesson.Open(t.Context(), lab(t), l, lesson.Good, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := p.Close(t.Context()); err != nil {
					t.Error(err)
				}
			}()
			stages := []lesson.Stage{p.Stage()}
			for !p.Stage().Over() {
				if err := p.Next(t.Context()); err != nil {
					t.Fatal(err)
				}
				stages = append(stages, p.Stage())
			}
			for i := len(stages) - 2; i >= max(0, len(stages)-4); i-- {
				if err := p.Back(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := p.Stage(); !reflect.DeepEqual(got, stages[i]) {
					t.Errorf("back at step %d the stage is\n%+v\nit was\n%+v", i, got, stages[i])
				}
			}
			if err := p.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := p.Stage(); !reflect.DeepEqual(got, stages[0]) {
				t.Errorf("started again the stage is\n%+v\nit was\n%+v", got, stages[0])
			}
		})
	}
}

// The sum below the table is true at every step: what came in is in one of its places.
func TestTheSumAddsUp(t *testing.T) {
	sums := 0
	for _, l := range lesson.All() {
		for _, half := range []lesson.Which{lesson.Bad, lesson.Good} {
			p, err := lesson.Open(t.Context(), lab(t), l, half, nil)
			if err != nil {
				t.Fatal(err)
			}
			for {
				s := p.Stage()
				if s.Sum != "" {
					sums++
					in, parts, _ := strings.Cut(s.Sum, " in = ")
					total := 0
					for part := range strings.SplitSeq(parts, " + ") {
						n, err := strconv.Atoi(strings.Fields(part)[0])
						if err != nil {
							t.Fatal(err)
						}
						total += n
					}
					if in != strconv.Itoa(total) {
						t.Errorf("lesson %d, the %v half, step %d: %s", l.Number, half, s.Step, s.Sum)
					}
				}
				if s.Over() {
					break
				}
				if err := p.Next(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := p.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	if sums < 20 {
		t.Errorf("only %d sums were looked at", sums)
	}
}

// Each story is written down, so that a change of it is read.
func TestStories(t *testing.T) {
	for _, l := range lesson.All() {
		t.Run(l.Name, func(t *testing.T) {
			var told strings.Builder
			ok, err := lesson.Auto(t.Context(), lab(t), l, nil, &told, lesson.Telling{Notes: true})
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				t.Errorf("it did not come out as it is told:\n%s", told.String())
			}
			file := filepath.Join("testdata", fmt.Sprintf("%02d-%s.txt", l.Number, l.Name))
			if *update {
				if err := os.WriteFile(file, []byte(told.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v; go test ./internal/drill/lesson -update writes it", err)
			}
			if d := cmp.Diff(string(want), told.String()); d != "" {
				t.Errorf("%s is not what is told (-file +told):\n%s", file, d)
			}
		})
	}
}

// A bad half on a queue without its mistake does not behave.
func TestALessonThatDoesNotShowItIsFound(t *testing.T) {
	for _, l := range lesson.All() {
		if l.Bad.Flaw == l.Good.Flaw {
			continue
		}
		l.Bad.Flaw = l.Good.Flaw
		t.Run(l.Name, func(t *testing.T) {
			p, err := lesson.Open(t.Context(), lab(t), l, lesson.Bad, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close(t.Context())
			for !p.Stage().Over() {
				if err := p.Next(t.Context()); err != nil {
					return // the story could not even go on
				}
			}
			if v := p.Stage().Verdict; v.Behaved() {
				t.Errorf("it behaved: %+v", v)
			}
		})
	}
}

// A prediction is asked for before its step and judged with it; going back over the
// step asks it again, and so does starting again.
func TestPredictions(t *testing.T) {
	l := lesson.All()[0]
	ctx := t.Context()
	p, err := lesson.Open(ctx, lab(t), l, lesson.Bad, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(ctx)
	step := func(f func(context.Context) error) lesson.Stage {
		t.Helper()
		if err := f(ctx); err != nil {
			t.Fatal(err)
		}
		return p.Stage()
	}
	if s := p.Stage(); s.Question != nil || s.Step != 0 || s.Next == "" || s.Said != l.About {
		t.Errorf("at the beginning: %+v", s)
	}
	s := step(p.Next)
	if s.Question == nil {
		t.Fatal("nothing is asked before the second step")
	}
	p.Answer(99)
	if p.Stage().Question == nil {
		t.Error("a choice that there is not was taken")
	}
	p.Answer(1)
	if p.Stage().Question != nil {
		t.Error("the question stays after its answer")
	}
	s = step(p.Next)
	if s.Answer == nil || s.Answer.Right || s.Answer.Choice != 1 || s.Question != nil {
		t.Errorf("a wrong answer is judged as %+v", s.Answer)
	}
	if s = step(p.Back); s.Step != 1 || s.Question == nil {
		t.Errorf("gone back to step %d, the question is not asked again", s.Step)
	}
	p.Answer(0)
	if s = step(p.Next); s.Answer == nil || !s.Answer.Right {
		t.Errorf("the second answer is judged as %+v", s.Answer)
	}
	step(p.Restart)
	if s = step(p.Next); s.Question == nil {
		t.Error("started again nothing is asked")
	}
}

// What a stage says of the step: the statement, who acts, what changed.
func TestStage(t *testing.T) {
	l := lesson.All()[3]
	ctx := t.Context()
	p, err := lesson.Open(ctx, lab(t), l, lesson.Bad, func(op, flaw string) string { return op + " with " + flaw })
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(ctx)
	if err := p.Next(ctx); err != nil {
		t.Fatal(err)
	}
	s := p.Stage()
	if s.SQL != "claim with completion-by-key" || s.Op != "claim" || s.Locking != scratch.LockingEmulated {
		t.Errorf("the statement is %q of %q, locking %q", s.SQL, s.Op, s.Locking)
	}
	want := lesson.Row{Job: 1, What: "transfer 500 to account 7", State: "working", Token: "A1", Worker: "worker A", Attempts: "1/5", Claims: 1, Left: "30s", Changed: true}
	if len(s.Table) != 1 || s.Table[0] != want {
		t.Errorf("the table is %+v", s.Table)
	}
	if !s.Lanes[0].Acts || s.Lanes[0].Holds != "job 1 · A1" || s.Lanes[1].Acts {
		t.Errorf("the lanes are %+v", s.Lanes)
	}
	for range 2 { // A stalls, time passes
		if err := p.Next(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if r := p.Stage().Table[0]; !r.Expired || r.Left != "−3s" || p.Stage().SQL != "" {
		t.Errorf("past its lease the row is %+v", r)
	}
	if s.Table[0] != want {
		t.Error("a stage that was given away has changed")
	}
}

// Every lesson is whole: numbered once, every step says what is done and by whom,
// every question has an answer.
func TestLessonsAreWhole(t *testing.T) {
	names := map[string]bool{}
	last := 0
	for _, l := range lesson.All() {
		if names[l.Name] || l.Number <= last || l.Title == "" || l.About == "" {
			t.Errorf("lesson %d, %q: %q", l.Number, l.Name, l.Title)
		}
		names[l.Name], last = true, l.Number
		asked := 0
		for _, which := range []lesson.Which{lesson.Bad, lesson.Good} {
			h := l.Half(which)
			if h.Title == "" || h.Claim == "" || h.Moral == "" || len(h.Steps) == 0 {
				t.Errorf("lesson %d, half %d is not whole", l.Number, which)
			}
			for i, s := range h.Steps {
				if s.Says == "" || s.Who == "" {
					t.Errorf("lesson %d, half %d, step %d says nothing", l.Number, which, i+1)
				}
				if q := s.Ask; q != nil {
					asked++
					if q.Right < 0 || q.Right >= len(q.Choices) || q.Text == "" || q.Why == "" {
						t.Errorf("lesson %d, half %d, step %d asks %+v", l.Number, which, i+1, q)
					}
				}
			}
		}
		if asked == 0 {
			t.Errorf("lesson %d asks nothing", l.Number)
		}
	}
}
