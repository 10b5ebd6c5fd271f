package lesson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/model"
)

// LineUp is one destructive queue of a half, and who works on it. All lines of a
// half have the same rows.
type LineUp struct {
	Order  model.Order
	Actors []Actor
}

// rowPlay is the story so far on destructive queues.
type rowPlay struct {
	benches []drill.RowBench
	next    int // the number of the next row that comes in
	hands   map[Actor]*rowHand
}

// rowHand is what an actor took.
type rowHand struct {
	line, process int
	rows          []model.Claim
	held          drill.Held
}

// between is how far apart rows come in, so that each has a time of its own.
const between = 50 * time.Millisecond

// rewindRows makes the half's queues anew.
func (p *Player) rewindRows(ctx context.Context) error {
	h := p.Half()
	p.play = play{hands: map[Actor]*hand{}, tokens: map[model.Token]string{}, made: map[Actor]int{}, rows: &rowPlay{next: 1, hands: map[Actor]*rowHand{}}}
	for _, a := range h.Actors {
		p.play.hands[a] = &hand{}
	}
	for i, l := range h.Lines {
		b, err := p.lab.MakeRows(ctx, drill.RowOrder{Name: "lesson", By: l.Order, Still: true, Processes: len(l.Actors) + 1})
		if err != nil {
			return errors.Join(err, p.Close(ctx))
		}
		p.play.rows.benches = append(p.play.rows.benches, b)
		for n, a := range l.Actors {
			p.play.rows.hands[a] = &rowHand{line: i, process: n}
		}
	}
	if err := p.arrive(ctx, len(h.Jobs)); err != nil {
		return errors.Join(err, p.Close(ctx))
	}
	return p.show(ctx, nil)
}

// watched is a line's queue over the connection that no actor has.
func (p *Player) watched(line int) drill.RowQueue {
	return p.play.rows.benches[line].Queue(len(p.Half().Lines[line].Actors))
}

// arrive lets rows come in, into every line.
func (p *Player) arrive(ctx context.Context, n int) error {
	for range n {
		for i, b := range p.play.rows.benches {
			row := model.NewJob{Payload: fmt.Sprintf(`{"CustomerID":7,"OrderID":%d}`, p.play.rows.next)}
			if _, err := p.watched(i).Enqueue(ctx, []model.NewJob{row}); err != nil {
				return err
			}
			if err := b.Pass(ctx, between); err != nil {
				return err
			}
		}
		p.play.rows.next++
	}
	return nil
}

// doRow carries out a step on a destructive queue.
func (p *Player) doRow(ctx context.Context, s Step) (outcome, error) {
	if s.Do == Arrive {
		return outcome{"", Plain}, p.arrive(ctx, s.N)
	}
	if s.Do == Pass {
		return outcome{"", Plain}, p.notice(ctx)
	}
	h := p.play.rows.hands[s.Who]
	if h == nil {
		return outcome{}, fmt.Errorf("%s works on no line", s.Who)
	}
	b := p.play.rows.benches[h.line]
	switch s.Do {
	case Dequeue, Hold:
		return p.takeRows(ctx, s, h, b.Queue(h.process))
	case Work:
		return p.workRows(s.Who, h)
	case Commit:
		if h.held == nil {
			return outcome{}, errors.New("it holds no row")
		}
		err := h.held.Commit(ctx)
		h.held, h.rows = nil, nil
		return outcome{"deleted for good", Fine}, err
	case Die:
		p.play.hands[s.Who].gone = true
		err := b.Kill(h.process)
		if h.held != nil {
			_ = h.held.Rollback(ctx) // the dead say nothing: that this fails is what is meant
		}
		if h.held == nil {
			p.play.facts.Lost = append(p.play.facts.Lost, numbersOf(h.rows)...)
		}
		h.held, h.rows = nil, nil
		return outcome{"gone, without a word", Wrong}, err
	default:
	}
	return outcome{}, errors.New("a destructive queue knows no such step")
}

// notice lets every engine notice who was killed.
func (p *Player) notice(ctx context.Context) error {
	var errs []error
	for _, b := range p.play.rows.benches {
		errs = append(errs, b.Notice(ctx))
	}
	return errors.Join(errs...)
}

// takeRows dequeues for good, or holds.
func (p *Player) takeRows(ctx context.Context, s Step, h *rowHand, q drill.RowQueue) (outcome, error) {
	n, err := max(s.N, 1), error(nil)
	if s.Do == Hold {
		if h.held, err = q.Hold(ctx, p.token(s.Who), n); err == nil && h.held != nil {
			h.rows = h.held.Rows()
		}
	} else {
		h.rows, err = q.Dequeue(ctx, n)
	}
	if err != nil || len(h.rows) == 0 {
		return outcome{nothing, Empty}, err
	}
	if p.Half().Lines[h.line].Order == model.OrderNone {
		return outcome{fmt.Sprintf("has %d of them", len(h.rows)), Fine}, nil
	}
	return outcome{"has " + rowsNamed(numbersOf(h.rows)), Fine}, nil
}

// workRows lets every row in hand take effect.
func (p *Player) workRows(who Actor, h *rowHand) (outcome, error) {
	if len(h.rows) == 0 {
		return outcome{}, errors.New("it holds no row")
	}
	for _, n := range numbersOf(h.rows) {
		e := Effect{N: len(p.play.facts.Ledger) + 1, Job: n, Who: who, What: fmt.Sprintf("order %d", n)}
		for _, before := range p.play.facts.Ledger {
			e.Again = e.Again || before.Job == n && p.play.rows.hands[before.Who].line == h.line
		}
		p.play.facts.Ledger = append(p.play.facts.Ledger, e)
	}
	if h.held == nil {
		h.rows = nil
	}
	return outcome{"it happens", Fine}, nil
}

// rowTable reads what lies in the lines now.
func (p *Player) rowTable(ctx context.Context, s *Stage) error {
	p.play.facts.Left = nil
	for i, l := range p.Half().Lines {
		page, _, err := p.watched(i).Page(ctx, model.ViewReady)
		if err != nil {
			return err
		}
		var left []int
		for _, j := range page.Jobs {
			n := drill.RowNumber(model.Claim{Payload: rowText(j.Key)})
			left = append(left, n)
			r := Row{Job: n, What: fmt.Sprintf("order %d", n), State: "in the queue", Token: "–", Locked: j.Locked.Known && j.Locked.N > 0}
			if len(p.Half().Lines) > 1 {
				r.What += ", " + lineName(l.Order)
			}
			s.Table = append(s.Table, r)
		}
		p.play.facts.Left = append(p.play.facts.Left, left)
	}
	p.play.facts.In, p.play.facts.InHand = p.play.rows.next-1, nil
	for _, h := range p.play.rows.hands {
		if h.line == 0 {
			p.play.facts.InHand = append(p.play.facts.InHand, numbersOf(h.rows)...)
		}
	}
	p.play.facts.Lines = p.Half().Lines
	s.Sum = p.play.facts.sum()
	return nil
}

// rowHolds is what an actor has in hand.
func (p *Player) rowHolds(a Actor) string {
	h := p.play.rows.hands[a]
	if h == nil || len(h.rows) == 0 {
		return ""
	}
	return rowsNamed(numbersOf(h.rows))
}

func (p *Player) closeRows(ctx context.Context) error {
	if p.play.rows == nil {
		return nil
	}
	var errs []error
	for _, h := range p.play.rows.hands {
		if h.held != nil {
			errs = append(errs, h.held.Rollback(ctx))
		}
	}
	for _, b := range p.play.rows.benches {
		errs = append(errs, b.Drop(ctx))
	}
	p.play.rows = nil
	return errors.Join(errs...)
}

func lineName(o model.Order) string {
	switch o {
	case model.FIFO:
		return "first-in, first-out"
	case model.LIFO:
		return "last-in, first-out"
	case model.OrderNone:
	}
	return "unordered"
}

// rowText is a row's number as its payload tells it.
func rowText(k model.Key) string {
	v := k.Values()
	if len(v) < 3 {
		return "{}"
	}
	text, err := json.Marshal(map[string]json.Number{"OrderID": json.Number(v[2].Text)})
	if err != nil {
		return "{}"
	}
	return string(text)
}

func rowsNamed(ns []int) string {
	words := make([]string, len(ns))
	for i, n := range ns {
		words[i] = fmt.Sprint(n)
	}
	if len(ns) == 1 {
		return "row " + words[0]
	}
	return "rows " + strings.Join(words, ", ")
}
