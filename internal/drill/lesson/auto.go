package lesson

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/leasetop/leasetop/internal/drill"
)

// Telling is how Auto tells a story. The zero Telling is short and quick.
type Telling struct {
	SQL   bool                            // with the statement of each step
	Notes bool                            // with the presenter's notes
	Pause func(ctx context.Context) error // after each step, so that a reader can follow; nil: none
}

// Auto plays both halves of a lesson without anybody, tells the story to w, and
// reports whether both behaved.
func Auto(ctx context.Context, lab drill.Lab, l Lesson, texts Texts, w io.Writer, o Telling) (bool, error) {
	fmt.Fprintf(w, "Lesson %d: %s\n%s\n", l.Number, l.Title, l.About)
	if e := lab.Engine(); e.Locking == "emulated" {
		fmt.Fprintf(w, "(on %s; row locks are emulated)\n", e.Name)
	}
	behaved := true
	for _, which := range []Which{Bad, Good} {
		p, err := Open(ctx, lab, l, which, texts)
		if err != nil {
			return false, err
		}
		err = tell(ctx, p, w, o)
		v := p.Stage().Verdict
		if err := errors.Join(err, p.Close(context.WithoutCancel(ctx))); err != nil {
			return false, err
		}
		behaved = behaved && v.Behaved()
	}
	return behaved, nil
}

// tell plays one half.
func tell(ctx context.Context, p *Player, w io.Writer, o Telling) error {
	fmt.Fprintf(w, "\n%s\n", p.Half().Title)
	for {
		s := p.Stage()
		if s.Over() {
			concluded(w, &s)
			return nil
		}
		if s.Question != nil {
			fmt.Fprintf(w, "      ? %s\n", s.Question.Text)
			p.Answer(s.Question.Right)
		}
		if err := p.Next(ctx); err != nil {
			return err
		}
		told(w, p, o)
		if o.Pause != nil {
			if err := o.Pause(ctx); err != nil {
				return err
			}
		}
	}
}

func told(w io.Writer, p *Player, o Telling) {
	s := p.Stage()
	came := ""
	for _, l := range s.Lanes {
		if l.Acts && len(l.Lines) > 0 {
			came = l.Lines[len(l.Lines)-1].Came
		}
	}
	fmt.Fprintf(w, "  %2d  %s\n", s.Step, s.Now)
	if came != "" {
		fmt.Fprintf(w, "      → %s\n", came)
	}
	if s.Answer != nil {
		fmt.Fprintf(w, "      %s\n", s.Answer.Question.Why)
	}
	if s.Said != "" {
		fmt.Fprintf(w, "      %s\n", s.Said)
	}
	if o.Notes && s.Notes != "" {
		fmt.Fprintf(w, "      (%s)\n", s.Notes)
	}
	if o.SQL && s.SQL != "" {
		for line := range strings.Lines(strings.TrimRight(s.SQL, "\n") + "\n") {
			fmt.Fprintf(w, "      | %s", line)
		}
	}
}

func concluded(w io.Writer, s *Stage) {
	v := s.Verdict
	if s.Sum != "" {
		fmt.Fprintf(w, "      %s\n", s.Sum)
	}
	for _, r := range s.Table {
		if s.Sum != "" {
			fmt.Fprintf(w, "      %s: %s\n", r.What, r.State)
			continue
		}
		fmt.Fprintf(w, "      job %d: %s, token %s, attempts %s\n", r.Job, r.State, r.Token, r.Attempts)
	}
	var effects []string
	for _, e := range s.Ledger {
		what := fmt.Sprintf("%s %d by %s", s.Noun(), e.Job, e.Who)
		if e.Ignored {
			what += " (ignored)"
		}
		effects = append(effects, what)
	}
	if len(effects) > 0 {
		fmt.Fprintf(w, "      in the world outside: %s\n", strings.Join(effects, "; "))
	}
	fmt.Fprintf(w, "      %s\n", s.Claim)
	switch {
	case v.Holds:
		fmt.Fprint(w, "      It holds.\n")
	default:
		fmt.Fprintf(w, "      It does not hold: %s.\n", strings.Join(v.Faults, "; "))
	}
	for _, what := range v.Strange {
		fmt.Fprintf(w, "      NOT AS THE LESSON SAYS: %s\n", what)
	}
	if !v.Expected {
		fmt.Fprint(w, "      NOT AS THE LESSON SAYS: this half should have come out the other way.\n")
	}
	fmt.Fprintf(w, "      %s\n", v.Moral)
}
