package actions

import (
	"context"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/model"
)

// The usual size of a batch and the usual pace of a run.
const (
	DefaultBatch = 10
	DefaultPace  = 10.0 // rows a second
)

// Record keeps one run of a fixed set on disk: the set before anything is sent,
// then each act as a journal does. A row without a receipt can be told afterwards
// from one that was never sent.
type Record interface {
	Journal
	// Row names the job in hand as the set has it. A list may spell a key otherwise than
	// the table does, and a collation takes the two for one.
	Row(k model.Key)
	// End notes how the run ended.
	End(r Result) error
}

// Records begins the record of a run.
type Records interface {
	Begin(s Set) (Record, error)
}

// Guard says why acts that take expired jobs back had better wait, and how long;
// without a reason there is nothing to wait for.
type Guard func(ctx context.Context, queue string) (why string, wait time.Duration, err error)

// KeepRuns gives the desk a place for the records of its runs, without which it
// begins none, and the guard that a run asks first; both before the desk is used.
func (d *Desk) KeepRuns(r Records, g Guard) { d.records, d.guard = r, g }

// RunOptions say how a set is carried out.
type RunOptions struct {
	Batch    int            // rows between two waits; 0: DefaultBatch
	Pace     float64        // rows a second; 0: DefaultPace; negative: without a wait
	Typed    string         // what the operator typed where the set asks for it
	Record   Record         // an earlier run's record to go on with; nil: a new one is begun
	Progress func(Progress) // called after each row and at each wait; must not block
	Receipt  func(model.Receipt)
}

// Progress is how far a run has come.
type Progress struct {
	Total   int
	Tally   Tally
	Waiting string        // why it waits before it begins; empty: it does not
	For     time.Duration // how long still
	Looking bool          // at a row whose reply was lost
	Took    time.Duration // since the first row was begun
}

// Result is how a run ended.
type Result struct {
	Total      int
	Tally      Tally
	Left       int             // rows that nothing was done about
	NotApplied []model.Receipt // what became of the others, in the set's order
	Stopped    string          // why it ended before the last row; empty: it did not
	Unasked    bool            // it stopped since the server could not be reached
	Place      string          // where the receipts lie; empty: nothing was begun
}

// Finished reports whether nothing is left to do and nothing to find out.
func (r *Result) Finished() bool { return r.Left == 0 && r.Tally.Unknown == 0 }

// Run carries a fixed set out, a row a statement, in small batches at a pace. The
// end of ctx stops it before the next row: the row in hand gets its receipt. It
// stops by itself when the server cannot be reached or refuses what it would refuse
// for every row; what is left can be gone on with. Nothing is ever sent twice for a
// row, except after proof that the first request did nothing.
func (d *Desk) Run(ctx context.Context, s Set, o RunOptions) Result {
	d.running.Add(1)
	defer d.running.Done()
	r := newRun(d, s, o)
	if why := r.refused(); why != "" {
		return r.end(why)
	}
	if r.record.Record == nil {
		rec, err := d.records.Begin(s)
		if err != nil {
			return r.end(fmt.Sprintf("the receipts cannot be written, so nothing was sent: %v", err))
		}
		r.record.Record = rec
	}
	why := r.carry(ctx)
	res := r.end(why)
	res.Place = r.record.Place()
	if err := r.record.End(res); err != nil && res.Stopped == "" {
		res.Stopped = fmt.Sprintf("all rows are through, but the end could not be noted: %v", err)
	}
	return res
}

// Wait waits for the runs that are under way, at most as long as ctx lasts.
func (d *Desk) Wait(ctx context.Context) {
	ended := make(chan struct{})
	go func() { d.running.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// run is one run at work.
type run struct {
	d      *Desk
	set    Set
	o      RunOptions
	record watched
	now    Progress
	began  time.Time
	not    []model.Receipt
	same   int // refusals by the server in a row with one number
	code   int

	unasked bool // it stopped since the server could not be reached
}

func newRun(d *Desk, s Set, o RunOptions) *run {
	if o.Batch < 1 {
		o.Batch = DefaultBatch
	}
	if o.Pace == 0 {
		o.Pace = DefaultPace
	}
	return &run{d: d, set: s, o: o, record: watched{Record: o.Record}, now: Progress{Total: len(s.Rows)}}
}

// refused is our own refusal of the whole set, empty when it may begin.
func (r *run) refused() string {
	if v := r.d.whole(&r.set); !v.OK {
		return sentence(v)
	}
	c := r.d.confirmSet(&r.set)
	switch {
	case r.o.Record == nil && r.d.records == nil:
		return "there is no place to keep the receipts"
	case c.Type != "" && r.o.Typed != c.Type:
		return fmt.Sprintf("the confirmation does not match: type %s to go on", c.Type)
	case c.Reason && r.set.Reason == "":
		return "a reason is required"
	}
	return ""
}

// carry does the rows in their order and says why it stopped early, if it did.
func (r *run) carry(ctx context.Context) string {
	if why := r.calm(ctx); why != "" {
		return why
	}
	r.began = r.d.now()
	done := 0
	for i := range r.set.Rows {
		row := &r.set.Rows[i]
		if row.Earlier.Over() && !Again(row.Earlier) {
			r.take(row.Earlier)
			continue
		}
		if ctx.Err() != nil {
			return stopped
		}
		got := r.row(ctx, row)
		if got.Sent.IsZero() && !r.left(got) { // nothing was sent, so nothing has noted it yet
			_ = r.record.Done(got) // its error stops the run
		}
		if why := r.stops(got); why != "" {
			if !r.left(got) {
				r.take(got)
			}
			return why
		}
		r.take(got)
		if done++; done%r.o.Batch == 0 && r.o.Pace > 0 && i+1 < len(r.set.Rows) {
			due := r.began.Add(time.Duration(float64(done) / r.o.Pace * float64(time.Second)))
			pause(ctx, due.Sub(r.d.now()))
		}
	}
	return ""
}

// stopped is why a run ends that was told to.
const stopped = "stopped on request"

// row does one row, or finds out what an earlier run did to it.
func (r *run) row(ctx context.Context, row *Row) model.Receipt {
	inHand := context.WithoutCancel(ctx)
	r.record.Row(row.Key)
	if row.touched() && !row.Earlier.Resolved() {
		got := r.look(ctx, row.Earlier)
		if got.Outcome != model.Refused {
			return got
		}
		// The first request is proved to have done nothing and to be too old to do anything.
	}
	job, at := row.Seen, r.set.At
	if job == nil {
		var err error
		if job, at, err = r.find(inHand, row.Key); err != nil {
			return r.unsent(row, err)
		}
		got, over := r.d.Found(r.set.Queue, r.set.Action, row.Key, row.Token, job, at)
		if !row.touched() {
			if got, over, err = r.unnoted(inHand, row, got, over); err != nil {
				return r.unsent(row, err)
			}
		}
		if over {
			return got
		}
	}
	p, err := r.d.Plan(inHand, r.set.Queue, r.set.ask(job, at))
	if err != nil {
		return r.unsent(row, err)
	}
	got := r.d.apply(inHand, &r.record, p, r.o.Typed)
	if !got.Over() {
		got = r.look(ctx, got)
	}
	return got
}

// look finds out what became of a row whose reply was lost.
func (r *run) look(ctx context.Context, lost model.Receipt) model.Receipt {
	r.now.Looking = true
	r.tell()
	r.now.Looking = false
	return r.d.certain(ctx, &r.record, lost)
}

func (r *run) find(ctx context.Context, k model.Key) (*model.Job, time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, readBudget)
	defer cancel()
	return r.d.targets[r.set.Queue].Store.Inspect(ctx, k)
}

// unsent is the receipt of a row that nothing was sent for.
func (r *run) unsent(row *Row, err error) model.Receipt {
	f := *asFault(err)
	f.Unsure = false // what failed was a read
	i := model.Intent{Action: r.set.Action, Queue: r.set.Queue, Key: row.Key, Actor: r.d.actor, Seen: model.Seen{Token: row.Token}}
	return model.Receipt{Intent: i, Before: row.Seen, Outcome: model.Refused, Fault: &f, Message: "nothing was sent: " + f.Error()}
}

// left reports whether a row that the run stops at is as if it had not been come to: a
// later run may send it.
func (r *run) left(got model.Receipt) bool {
	return Again(got) || r.record.err != nil && got.Sent.IsZero()
}

// take counts a row.
func (r *run) take(got model.Receipt) {
	r.now.Tally.Add(got.Outcome)
	if got.Outcome != model.Applied {
		r.not = append(r.not, got)
	}
	if r.o.Receipt != nil {
		r.o.Receipt(got)
	}
	r.tell()
}

func (r *run) tell() {
	if !r.began.IsZero() {
		r.now.Took = r.d.now().Sub(r.began)
	}
	if r.o.Progress != nil {
		r.o.Progress(r.now)
	}
}

func (r *run) end(why string) Result {
	t := r.now.Tally
	return Result{Total: len(r.set.Rows), Tally: t, Left: len(r.set.Rows) - t.Total(), NotApplied: r.not, Stopped: why, Unasked: r.unasked}
}

// pause waits, and reports whether it was not cut short.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
