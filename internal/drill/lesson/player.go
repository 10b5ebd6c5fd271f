package lesson

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/model"
)

// Texts gives the statement of an operation as SQL Server would be sent it, with a
// known mistake or, where flaw is empty or leaves the operation as it is, without.
// For a destructive queue flaw is the order: "fifo", "lifo" or "none".
// Empty: it has none.
type Texts func(op, flaw string) string

// Player plays one half of a lesson. It is used by one goroutine at a time.
type Player struct {
	lab    drill.Lab
	texts  Texts
	lesson Lesson
	which  Which

	bench  drill.Bench
	lease  time.Duration
	play   play
	choice map[int]int // answers by step
}

// play is the story so far: all that going back throws away.
type play struct {
	step    int
	passed  time.Duration
	keys    []model.Key
	hands   map[Actor]*hand
	tokens  map[model.Token]string // as the story calls them
	made    map[Actor]int          // tokens made by each
	listed  map[int]*model.Job     // what the operator saw, by job
	locked  map[int]bool
	facts   Facts
	strange []string
	before  map[int]Row
	stage   Stage
	rows    *rowPlay // on destructive queues; nil: on the lease queue
}

// hand is what an actor knows and did.
type hand struct {
	claim *model.Claim
	read  *model.Job
	gone  bool
	lines []Line
}

// Open makes the queue of a half and its jobs. No step is done yet.
func Open(ctx context.Context, lab drill.Lab, l Lesson, w Which, texts Texts) (*Player, error) {
	if texts == nil {
		texts = func(string, string) string { return "" }
	}
	p := &Player{lab: lab, texts: texts, lesson: l, which: w, lease: lab.Engine().Lease, choice: map[int]int{}}
	if lab.Engine().Clock {
		p.lease = lease
	}
	return p, p.Restart(ctx)
}

// Lesson is what is being played.
func (p *Player) Lesson() *Lesson { return &p.lesson }

// Half is the half that is being played.
func (p *Player) Half() *Half { return p.lesson.Half(p.which) }

// Stage is what is to be seen now.
func (p *Player) Stage() Stage { return p.play.stage }

// Close drops the queue.
func (p *Player) Close(ctx context.Context) error {
	if p.bench == nil {
		return p.closeRows(ctx)
	}
	b := p.bench
	p.bench = nil
	return b.Drop(ctx)
}

// Restart goes to the beginning, on a queue made anew. Answers are forgotten.
func (p *Player) Restart(ctx context.Context) error {
	p.choice = map[int]int{}
	return p.rewind(ctx)
}

func (p *Player) rewind(ctx context.Context) error {
	if err := p.Close(ctx); err != nil {
		return err
	}
	h := p.Half()
	if len(h.Lines) > 0 {
		return p.rewindRows(ctx)
	}
	b, err := p.lab.Make(ctx, drill.Order{Name: "lesson", Flaw: h.Flaw, Still: true})
	if err != nil {
		return err
	}
	p.bench = b
	p.play = play{hands: map[Actor]*hand{}, tokens: map[model.Token]string{}, made: map[Actor]int{}, listed: map[int]*model.Job{}, locked: map[int]bool{}}
	for _, a := range h.Actors {
		p.play.hands[a] = &hand{}
	}
	jobs := make([]model.NewJob, len(h.Jobs))
	for i, j := range h.Jobs {
		jobs[i] = j.enqueued(i + 1)
	}
	if p.play.keys, err = p.queue().Enqueue(ctx, jobs); err != nil {
		return errors.Join(err, p.Close(ctx))
	}
	return p.show(ctx, nil)
}

func (p *Player) queue() drill.Queue { return p.bench.Queue(0) }

// Answer predicts what the next step will bring. It is forgotten by Restart, and by
// Back once its step is undone, so that the question is asked again.
func (p *Player) Answer(choice int) {
	if q := p.asked(); q != nil && choice >= 0 && choice < len(q.Choices) {
		p.choice[p.play.step] = choice
		p.play.stage.Question = nil
	}
}

// asked is the question of the step that comes, nil where there is none.
func (p *Player) asked() *Question {
	if steps := p.Half().Steps; p.play.step < len(steps) {
		return steps[p.play.step].Ask
	}
	return nil
}

// Next does the next step; after the last it does nothing. A question that was not
// answered is passed over. An error is the lab's: the story can be started again.
func (p *Player) Next(ctx context.Context) error {
	if p.bench == nil && p.play.rows == nil {
		return errors.New("the lesson is closed")
	}
	steps := p.Half().Steps
	if p.play.step >= len(steps) {
		return nil
	}
	s := steps[p.play.step]
	came, err := p.do(ctx, s)
	if err != nil {
		return fmt.Errorf("lesson %d, step %d: %w", p.lesson.Number, p.play.step+1, err)
	}
	p.play.step++
	if came.text != s.Comes {
		p.play.strange = append(p.play.strange, fmt.Sprintf("step %d: %s %s: %q came, not %q", p.play.step, s.Who, s.Says, came.text, s.Comes))
	}
	if h := p.play.hands[s.Who]; h != nil {
		h.lines = append(h.lines, Line{Step: p.play.step, Says: s.Says, Came: came.text, Mark: came.mark})
	}
	return p.show(ctx, &s)
}

// Back undoes the last step: the story is played anew up to the step before.
func (p *Player) Back(ctx context.Context) error {
	to := p.play.step - 1
	if to < 0 {
		return nil
	}
	delete(p.choice, to)
	if err := p.rewind(ctx); err != nil {
		return err
	}
	for p.play.step < to {
		if err := p.Next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// show makes the stage after a step; nil: before the first.
func (p *Player) show(ctx context.Context, done *Step) error {
	h, e := p.Half(), p.lab.Engine()
	s := Stage{
		Number: p.lesson.Number, Title: p.lesson.Title, Half: p.which, Telling: h.Title, Step: p.play.step, Of: len(h.Steps),
		Ledger: slices.Clone(p.play.facts.Ledger), Passed: p.play.passed, Locking: e.Locking, Engine: e.Name, Claim: h.Claim,
		Said: p.lesson.About,
	}
	if done != nil {
		s.Now, s.Said, s.Notes = string(done.Who)+" "+done.Says, done.Means, done.Notes
		if s.Op = done.Do.op(); s.Op != "" {
			s.SQL = p.texts(s.Op, p.variant(done.Who))
		}
		if choice, ok := p.choice[p.play.step-1]; ok && done.Ask != nil {
			s.Answer = &Answer{Question: done.Ask, Choice: choice, Right: choice == done.Ask.Right}
		}
	}
	for _, a := range h.Actors {
		hand := p.play.hands[a]
		s.Lanes = append(s.Lanes, Lane{
			Actor: a, Lines: slices.Clone(hand.lines), Holds: p.holds(a, hand), Gone: hand.gone, Acts: done != nil && done.Who == a,
		})
	}
	table := p.table
	if p.play.rows != nil {
		table = p.rowTable
	}
	if err := table(ctx, &s); err != nil {
		return err
	}
	if p.play.step < len(h.Steps) {
		next := h.Steps[p.play.step]
		s.Next = string(next.Who) + " " + next.Says
		if _, answered := p.choice[p.play.step]; !answered {
			s.Question = next.Ask
		}
	} else {
		s.Verdict = p.verdict()
	}
	p.play.stage = s
	return nil
}

// variant is what the statement of an actor's step differs by: the half's mistake,
// or the order of the actor's line.
func (p *Player) variant(a Actor) string {
	if p.play.rows == nil {
		return p.Half().Flaw
	}
	if h := p.play.rows.hands[a]; h != nil {
		return p.Half().Lines[h.line].Order.String()
	}
	return ""
}

func (p *Player) holds(a Actor, h *hand) string {
	if p.play.rows != nil {
		return p.rowHolds(a)
	}
	if h.claim == nil {
		return ""
	}
	return fmt.Sprintf("job %d · %s", p.job(h.claim.Key), p.named(h.claim.Token))
}

func (p *Player) verdict() *Verdict {
	h := p.Half()
	v := &Verdict{Faults: h.holds(&p.play.facts), Strange: p.play.strange, Moral: h.Moral}
	v.Holds = len(v.Faults) == 0
	v.Expected = v.Holds == (p.which == Good)
	return v
}
