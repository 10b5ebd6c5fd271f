package actions

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Row is one job of a fixed set.
type Row struct {
	Key   model.Key
	Token model.Token
	// Seen is the job as it was shown. Nil: only key and token are known, as from a
	// list in a file; then the job is looked up at its turn.
	Seen *model.Job
	// Earlier is what an earlier run of the same set left about the row; the zero
	// Receipt: nothing was sent for it yet.
	Earlier model.Receipt
}

// touched reports whether an earlier run has sent something for the row.
func (r *Row) touched() bool { return !r.Earlier.Sent.IsZero() || r.Earlier.Resolved() }

// Set is the jobs that one bulk act is about, taken at one instant of one queue:
// what joins the queue or the list later is never in it.
type Set struct {
	Queue  string
	Action model.Action
	Rows   []Row
	At     time.Time     // the server's time at which it was taken; zero: it came from a list
	What   string        // how it was chosen, such as "marked" or "filter lease expired"
	Reason string        // for the history, the same for every row
	By     time.Duration // extend: how far beyond the server's now; zero: the usual lease
	Far    bool          // extend: more than one usual lease was asked for on purpose

	Resumed Resumed // zero: it is not gone on with
}

// Freeze takes the jobs of a list as they were shown at the server's time at. A job
// that is listed twice is taken once.
func Freeze(queue string, a model.Action, jobs []*model.Job, at time.Time, what string) Set {
	s := Set{Queue: queue, Action: a, At: at, What: what, Rows: make([]Row, 0, len(jobs))}
	have := make(map[model.Key]bool, len(jobs))
	for _, j := range jobs {
		if j == nil || have[j.Key] {
			continue
		}
		have[j.Key] = true
		s.Rows = append(s.Rows, Row{Key: j.Key, Token: j.Token, Seen: j})
	}
	return s
}

// ask is the act on one row.
func (s *Set) ask(job *model.Job, at time.Time) Ask {
	return Ask{Action: s.Action, Row: job, At: at, Reason: s.Reason, By: s.By, Far: s.Far}
}

// Moved is how the rows of a set have changed since it was taken, as far as the
// newest list tells.
type Moved struct {
	Same    int // as they were
	Renewed int // the same claim with a later lease, where the act needs an expired one
	Other   int // another state or another claim
	Left    int // not in the list any more that has the jobs of their state
	Unseen  int // the newest list cannot tell
}

// Any reports whether anything is known to have changed.
func (m Moved) Any() bool { return m.Renewed+m.Other+m.Left > 0 }

// Since compares the set with a newer list of its queue, read at the server's time
// at.
func (s *Set) Since(page model.Page, at time.Time) Moved {
	var m Moved
	now := make(map[model.Key]*model.Job, len(page.Jobs))
	for _, j := range page.Jobs {
		now[j.Key] = j
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		j := now[r.Key]
		switch {
		case r.Seen == nil, !at.After(s.At):
			m.Unseen++
		case j != nil && Drift(s.Action, model.Column{}, r.Seen, j, at) == "":
			m.Same++
		case j != nil && j.State == r.Seen.State && j.Token == r.Seen.Token:
			m.Renewed++
		case j != nil:
			m.Other++
		case page.View == model.ViewOf(r.Seen.State) && !page.More:
			m.Left++
		default:
			m.Unseen++
		}
	}
	return m
}

// Tally counts rows by what became of them.
type Tally struct{ Applied, Changed, Gone, Refused, Unknown int }

// Add counts an outcome.
func (t *Tally) Add(o model.Outcome) {
	switch o {
	case model.Applied:
		t.Applied++
	case model.Changed:
		t.Changed++
	case model.Gone:
		t.Gone++
	case model.Refused:
		t.Refused++
	case model.OutcomeUnknown:
		t.Unknown++
	}
}

// Total is how many rows were counted.
func (t Tally) Total() int { return t.Applied + t.Changed + t.Gone + t.Refused + t.Unknown }

// String is the tally in words: applied always, the others where there are any.
func (t Tally) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d applied", t.Applied)
	for _, p := range []struct {
		n    int
		word string
	}{{t.Changed, "changed"}, {t.Gone, "gone"}, {t.Refused, "refused"}, {t.Unknown, "unknown"}} {
		if p.n > 0 {
			fmt.Fprintf(&s, ", %d %s", p.n, p.word)
		}
	}
	return s.String()
}

// Preview is what a bulk act would do, before anything is sent.
type Preview struct {
	Total   int
	First   model.Plan    // of the first row that may be tried: the one statement, with its values
	Fit     int           // rows that the act may be tried on, as they were shown
	Effects []string      // what will follow, in sentences
	Unfit   string        // why the first of the others is refused; empty: there is none
	Confirm model.Confirm // what must be given first
	Refusal model.Verdict // not OK: why nothing of the set would be sent
	Wait    string        // why it would wait first; empty: it would not
	For     time.Duration // how long it would wait
}

// Preview says what a set would do. Rows that were not seen count as fit: they are
// looked up at their turn.
func (d *Desk) Preview(ctx context.Context, s Set) (Preview, error) {
	p := Preview{Total: len(s.Rows), Confirm: d.confirmSet(&s), Refusal: d.whole(&s)}
	if t, ok := d.targets[s.Queue]; ok {
		p.Effects = setEffects(&s, t.Store.Mapping())
	}
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.Seen == nil {
			p.Fit++
			continue
		}
		v := d.fits(&s, r)
		if !v.OK {
			if p.Unfit == "" {
				p.Unfit = sentence(v)
			}
			continue
		}
		if p.Fit++; p.First.Mapping != nil {
			continue
		}
		var err error
		if p.First, err = d.Plan(ctx, s.Queue, s.ask(r.Seen, s.At)); err != nil {
			return p, err
		}
	}
	if p.Refusal.OK && p.Fit == 0 {
		p.Refusal = model.No("none of the "+fmt.Sprint(p.Total)+" jobs can be tried: "+p.Unfit, "")
	}
	var err error
	p.Wait, p.For, err = d.calm(ctx, &s)
	return p, err
}

// fits says whether the act may be tried on a row as it was shown.
func (d *Desk) fits(s *Set, r *Row) model.Verdict {
	p := model.Plan{
		Intent: model.Intent{Queue: s.Queue, Action: s.Action, By: s.By}, Row: r.Seen, At: s.At, Far: s.Far,
		Mapping: d.targets[s.Queue].Store.Mapping(),
	}
	if s.Action == model.Extend && s.By == 0 {
		p.Intent.By = p.Mapping.UsualLease()
	}
	return d.refusal(p)
}

// confirmSet is what must be given before a set is carried out: in production the
// queue's name typed and a reason, whatever the act.
func (d *Desk) confirmSet(s *Set) model.Confirm {
	t := d.targets[s.Queue]
	c := model.Confirm{Reason: t.Production || s.Action == model.DeadLetter}
	if t.Production && t.Store != nil {
		c.Type = t.Store.Mapping().Queue
	}
	return c
}

// whole is what stands against every row of a set alike.
func (d *Desk) whole(s *Set) model.Verdict {
	if len(s.Rows) == 0 {
		return model.No("the set is empty", "")
	}
	if d.targets[s.Queue].PrintOnly {
		return printOnly()
	}
	if t := d.targets[s.Queue]; t.Store != nil && t.Store.Mapping().IsDestructive() {
		cure := "act on one row"
		if s.Action == model.DeadLetter {
			cure += ", or on the oldest: leasetop dead-letter " + s.Queue + " --oldest N"
		}
		return model.No("the rows of a destructive queue are their values, of which no fixed set can be taken", cure)
	}
	return d.open(s.Queue)
}
