package drill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// onRows makes a scratch destructive queue, plays on it, and drops it whatever
// happened.
func (r *round) onRows(ctx context.Context, o RowOrder, play func(ctx context.Context, p rowPlace) error) error {
	o.Flaw = r.mistake.RowFlaw
	var b RowBench
	err := answered(ctx, func() (err error) { b, err = r.lab.MakeRows(ctx, o); return err })
	if err != nil {
		return err
	}
	return dropped(ctx, b, func(ctx context.Context) error { return play(ctx, rowPlace{b, r}) })
}

// rowPlace is the bench of a round, with the round's mistake where that is one of
// the caller.
type rowPlace struct {
	RowBench
	r *round
}

// Queue is the queue over the i-th connection, as the caller uses it.
func (p rowPlace) Queue(i int) RowQueue {
	q := p.RowBench.Queue(i)
	if p.r.mistake.wrapRows == nil {
		return q
	}
	return p.r.mistake.wrapRows(q)
}

// steps is how many different times the rows of a scene have: rows of one time have
// no order among themselves.
const steps = 20

// fillRows adds rows with the numbers from 1 to n, older ones first.
func fillRows(ctx context.Context, p rowPlace, n int) error {
	each := (n + steps - 1) / steps
	for from := 0; from < n; from += each {
		jobs := make([]model.NewJob, min(each, n-from))
		for i := range jobs {
			jobs[i].Payload = fmt.Sprintf(`{"CustomerID":7,"OrderID":%d}`, from+i+1)
		}
		if _, err := p.Queue(0).Enqueue(ctx, jobs); err != nil {
			return fmt.Errorf("enqueue: %w", err)
		}
		if err := p.Pass(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// moment is at which of the different times a row went in.
func moment(number, n int) int {
	each := (n + steps - 1) / steps
	return (number - 1) / each
}

// RowNumber is the number of a row, by its payload's OrderID; 0: it has none.
func RowNumber(c model.Claim) int {
	var v struct {
		OrderID json.Number
	}
	if err := json.Unmarshal([]byte(c.Payload), &v); err != nil {
		return 0
	}
	n, err := strconv.Atoi(v.OrderID.String())
	if err != nil {
		return 0
	}
	return n
}

func numbers(claims []model.Claim) []int {
	out := make([]int, len(claims))
	for i, c := range claims {
		out[i] = RowNumber(c)
	}
	return out
}

// rowsTogether lets many consumers empty a queue of each order at once.
func rowsTogether(ctx context.Context, r *round) error {
	shared, ordered := r.of(rowsNotShared), r.of(rowsInOrder)
	total := 0
	for _, by := range model.Orders() {
		o := RowOrder{Name: "rows", By: by, Processes: (r.o.Claimers + 3) / 4}
		err := r.onRows(ctx, o, func(ctx context.Context, p rowPlace) error {
			jobs := max(r.o.Jobs/2, 1)
			if err := fillRows(ctx, p, jobs); err != nil {
				return err
			}
			c := &consumers{got: map[int]int{}, ordered: ordered, by: by, jobs: jobs}
			if err := c.run(ctx, p, r.o.Claimers); err != nil {
				return err
			}
			for n, times := range c.got {
				if times > 1 {
					shared.fault("%s: row %d came to %d consumers", by, n, times)
				}
			}
			if len(c.got) != jobs {
				shared.fault("%s: %d of %d rows came to anybody", by, len(c.got), jobs)
			}
			total += jobs
			return nil
		})
		if err != nil {
			return err
		}
	}
	shared.say(rowsNotShared, "%d consumers, 1 to 3 rows at once, first-in, last-in and unordered: %d rows, each came to one", r.o.Claimers, total)
	ordered.say(rowsInOrder, "each of %d consumers saw its rows in the queue's order, first-in and last-in; without an order nothing is promised", r.o.Claimers)
	return nil
}

// consumers empty a queue and keep what they got.
type consumers struct {
	by      model.Order
	jobs    int
	ordered *tally

	mu   sync.Mutex
	got  map[int]int
	errs error
}

func (c *consumers) run(ctx context.Context, p rowPlace, n int) error {
	var all, ready sync.WaitGroup
	ready.Add(n) // they begin at the same moment
	for i := range n {
		q := p.Queue(i)
		all.Go(func() {
			ready.Done()
			ready.Wait()
			last := 0
			for ctx.Err() == nil {
				claims, err := q.Dequeue(ctx, 1+i%3)
				if !c.note(i, claims, err, &last) {
					return
				}
			}
		})
	}
	all.Wait()
	return c.errs
}

// note keeps what one consumer got; false: it is enough.
func (c *consumers) note(i int, claims []model.Claim, err error, last *int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.errs = err
	}
	for _, n := range numbers(claims) {
		c.got[n]++
		before, now := moment(*last, c.jobs), moment(n, c.jobs)
		if *last > 0 && (c.by == model.FIFO && now < before || c.by == model.LIFO && now > before) {
			c.ordered.fault("%s: consumer %d got row %d after row %d", c.by, i+1, n, *last)
		}
		*last = n
	}
	return c.errs == nil && len(claims) > 0
}

// rowsCrash kills a consumer in the midst of its batch, in both ways of dequeuing.
func rowsCrash(ctx context.Context, r *round) error {
	const batch, jobs = 5, 20
	for _, play := range []func(context.Context, *round, rowPlace, int, int) error{lostWithItsBatch, heldAndBack} {
		err := r.onRows(ctx, RowOrder{Name: "crash", By: model.FIFO, Processes: 2}, func(ctx context.Context, p rowPlace) error {
			if err := fillRows(ctx, p, jobs); err != nil {
				return err
			}
			return play(ctx, r, p, batch, jobs)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// drain takes what is left and counts every row.
func drain(ctx context.Context, q RowQueue, seen map[int]int) error {
	for {
		claims, err := q.Dequeue(ctx, 3)
		if err != nil || len(claims) == 0 {
			return err
		}
		for _, n := range numbers(claims) {
			seen[n]++
		}
	}
}

// lostWithItsBatch: by autocommit the rows go with the process, those and no more.
func lostWithItsBatch(ctx context.Context, r *round, p rowPlace, batch, jobs int) error {
	t := r.of(rowsBatch)
	claims, err := p.Queue(0).Dequeue(ctx, batch)
	if err != nil {
		return err
	}
	lost := numbers(claims)
	if len(lost) != batch || !slices.IsSorted(lost) || lost[0] != 1 {
		t.fault("a batch of %d gave rows %v", batch, lost)
	}
	if err := errors.Join(p.Kill(0), p.Notice(ctx)); err != nil {
		return err
	}
	seen := map[int]int{}
	if err := drain(ctx, p.Queue(1), seen); err != nil {
		return err
	}
	for _, n := range lost {
		if seen[n] > 0 {
			t.fault("row %d, dequeued for good, came again", n)
		}
	}
	if len(seen)+len(lost) != jobs {
		t.fault("%d rows in, %d taken by the killed consumer, %d by the other", jobs, len(lost), len(seen))
	}
	t.say(rowsBatch, "at most once: the consumer was killed with a batch of %d, those %d are lost and no other of %d", batch, len(lost), jobs)
	return nil
}

// silent ends what a killed process still has in memory. The dead say nothing: that
// this fails is what is meant.
func silent(ctx context.Context, h Held) {
	if h != nil {
		_ = h.Rollback(ctx)
	}
}

// heldAndBack: in a transaction the rows are locked meanwhile and come back, first.
func heldAndBack(ctx context.Context, r *round, p rowPlace, batch, jobs int) error {
	t := r.of(rowsComeBack)
	h, err := p.Queue(0).Hold(ctx, newToken(), batch)
	if err == nil && h == nil {
		err = errors.New("nothing came")
	}
	if err != nil {
		return fmt.Errorf("hold: %w", err)
	}
	held := numbers(h.Rows())
	other, err := p.Queue(1).Dequeue(ctx, 1)
	if err != nil {
		return err
	}
	if got := numbers(other); len(got) != 1 || slices.Contains(held, got[0]) {
		t.fault("while rows %v were held another consumer got %v", held, got)
	}
	if err := errors.Join(p.Kill(0), p.Notice(ctx)); err != nil {
		return err
	}
	silent(ctx, h)
	back, err := p.Queue(1).Dequeue(ctx, batch)
	if err != nil {
		return err
	}
	if got := numbers(back); !slices.Equal(got, held) {
		t.fault("rows %v were held by the killed consumer, %v came next", held, got)
	}
	seen := map[int]int{}
	for _, n := range append(numbers(other), numbers(back)...) {
		seen[n]++
	}
	if err := drain(ctx, p.Queue(1), seen); err != nil {
		return err
	}
	for n := range jobs {
		if seen[n+1] != 1 {
			t.fault("row %d came %d times", n+1, seen[n+1])
		}
	}
	t.say(rowsComeBack, "killed while it held %d rows: skipped by the other consumer meanwhile, back at the head afterwards, none lost of %d", len(held), jobs)
	return nil
}
