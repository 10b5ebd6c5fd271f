package uitest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/internal/scratch"
	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/ui/lessons"
)

// classroom is the program of the lessons over real scratch queues.
func classroom(first int) func(*uitest.Session) tea.Model {
	return func(s *uitest.Session) tea.Model {
		lab, err := scratch.Embedded(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		var open []*lesson.Player
		s.Cleanup(func() {
			for _, p := range open {
				if err := p.Close(context.Background()); err != nil {
					s.Error(err)
				}
			}
			if err := lab.Close(); err != nil {
				s.Error(err)
			}
		})
		return lessons.New(lessons.Options{
			Lessons: lesson.All(), First: first, Theme: "dark",
			Open: func(ctx context.Context, l lesson.Lesson, w lesson.Which) (lessons.Player, error) {
				p, err := lesson.Open(ctx, lab, l, w, func(op, flaw string) string { return "-- " + op + " " + flaw + "\nUPDATE …" })
				if err != nil {
					return nil, err
				}
				open = append(open, p)
				return p, nil
			},
		})
	}
}

// TestLessonFrames plays every lesson by its keys. The frames are those that a
// room looks at longest: the first, each end, and the first question.
func TestLessonFrames(t *testing.T) {
	t.Parallel()
	for _, l := range lesson.All() {
		t.Run(fmt.Sprint(l.Number), func(t *testing.T) {
			t.Parallel()
			o := uitest.Options{Width: 80, Height: 24, Token: token, Model: classroom(l.Number)}
			uitest.Run(t, o, func(s *uitest.Session) {
				next := func() {
					s.Press("enter")
					s.Wait(100 * time.Millisecond)
				}
				s.UntilShown(2*time.Second, "the bad half")
				s.Golden("begin")
				asked := false
				for i := range l.Bad.Steps {
					if l.Bad.Steps[i].Ask != nil && !asked {
						asked = true
						s.Press("1")
						s.Golden("question")
					}
					next()
				}
				s.Expect("It does NOT hold")
				s.Golden("bad half")
				next()
				s.Expect("the good half")
				for range l.Good.Steps {
					next()
				}
				s.Expect("It holds")
				s.Golden("good half")
				s.Quit("q")
			})
		})
	}
}

// TestALessonIsTakenAlone follows somebody new through lesson 3: the menu, the
// steps, a wrong prediction, a step back, the statement, and the other half.
func TestALessonIsTakenAlone(t *testing.T) {
	t.Parallel()
	uitest.Run(t, uitest.Options{Width: 120, Height: 40, Token: token, Model: classroom(0)}, func(s *uitest.Session) {
		pause := func() { s.Wait(100 * time.Millisecond) }
		s.Expect("lessons", "Killed after the claim")
		s.Golden("menu")
		s.Press("3", "enter")
		s.UntilShown(2*time.Second, "Nobody recovers")
		s.Press("enter")
		pause()
		s.Expect("has job 1, token A1", "next: worker A is killed")
		s.Press("s")
		s.Expect("T-SQL", "UPDATE")
		s.Press("esc")
		for range 3 {
			s.Press("enter")
			pause()
		}
		s.Expect("The lease is over and B asks for work.")
		s.Press("1", "enter")
		pause()
		s.Expect("You said: job 1: its lease is over.", "step 5/7")
		s.Press("left")
		pause()
		s.Expect("step 4/7")
		s.Press("2", "enter")
		pause()
		s.Expect("✓ The claim chooses", "step 5/7")
		s.Press("g")
		pause()
		s.Expect("Somebody recovers", "step 0/8")
		s.Press("n", "enter")
		pause()
		s.Press("enter")
		pause()
		s.Expect("note: This is kill -9.")
		s.Press("a") // by itself to the end
		s.UntilShown(2*time.Minute, "It holds")
		s.Golden("end")
		s.Press("esc")
		pause()
		s.Expect("lessons", "take it")
	})
}
