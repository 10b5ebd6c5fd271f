package drill

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// rowsUnderLoad lets consumers of both ways work at once: they end rows, make dead
// letters of some, give some back and are killed; at the end every row is
// accounted for.
func rowsUnderLoad(ctx context.Context, r *round) error {
	many := max(r.o.Claimers, 2) // one of them is killed
	return r.onRows(ctx, RowOrder{Name: "rowload", By: model.FIFO, Processes: many + 1}, func(ctx context.Context, p rowPlace) error {
		jobs := max(r.o.Jobs/2, 1)
		if err := fillRows(ctx, p, jobs); err != nil {
			return err
		}
		b := &books{done: map[int]int{}}
		if err := b.hands(ctx, p, many); err != nil {
			return err
		}
		var all sync.WaitGroup
		for i := range many {
			dice := rand.New(rand.NewPCG(r.o.Seed, uint64(i))) //nolint:gosec // makes a drill repeatable, guards nothing
			all.Go(func() { b.consume(ctx, p, i, dice) })
		}
		all.Wait()
		if b.errs != nil {
			return b.errs
		}
		if err := p.Notice(ctx); err != nil {
			return err
		}
		q := p.Queue(many)
		left := map[int]int{}
		if err := drain(ctx, q, left); err != nil {
			return err
		}
		var pulse model.Pulse
		err := answered(ctx, func() (err error) { pulse, _, err = q.Pulse(ctx, model.PulseAsk{}); return err })
		if err != nil {
			return err
		}
		b.close(r.of(rowsConserved), jobs, len(left), pulse)
		return nil
	})
}

// books are what became of the rows, as the consumers know it.
type books struct {
	mu           sync.Mutex
	done         map[int]int
	dead, killed int
	errs         error
	held         map[int]Held // rows in the hands of those that will be killed; read only once they run
}

// dies reports whether a consumer is one of those that are killed: one in four.
func dies(i int) bool { return i%4 == 1 }

// hands gives rows to the consumers that will be killed, before the others could
// take them all.
func (b *books) hands(ctx context.Context, p rowPlace, consumers int) error {
	b.held = map[int]Held{}
	for i := range consumers {
		if !dies(i) {
			continue
		}
		h, err := p.Queue(i).Hold(ctx, newToken(), 2)
		if err != nil {
			return err
		}
		if h != nil {
			b.held[i] = h
		}
	}
	return nil
}

// consume works until nothing comes; one that dies is killed while the others are
// at work.
func (b *books) consume(ctx context.Context, p rowPlace, i int, dice *rand.Rand) {
	q := p.Queue(i)
	for wait(ctx, time.Millisecond) { // so that none of them takes it all
		if dies(i) {
			b.die(ctx, p, i)
			return
		}
		var more bool
		var err error
		if i%2 == 0 {
			more, err = b.byAutocommit(ctx, q, dice)
		} else {
			more, err = b.byTransaction(ctx, q, dice)
		}
		if err != nil {
			b.mu.Lock()
			b.errs = err
			b.mu.Unlock()
		}
		if err != nil || !more {
			return
		}
	}
}

// die kills a consumer with rows in hand.
func (b *books) die(ctx context.Context, p rowPlace, i int) {
	h := b.held[i]
	if h == nil {
		return
	}
	err := p.Kill(i)
	silent(ctx, h)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.killed++
	if err != nil {
		b.errs = err
	}
}

func (b *books) byAutocommit(ctx context.Context, q RowQueue, dice *rand.Rand) (bool, error) {
	claims, err := q.Dequeue(ctx, 1+dice.IntN(3))
	for _, c := range claims {
		if dice.IntN(10) > 0 {
			b.ended(c)
			continue
		}
		if err := q.Bury(ctx, c.Key, newToken(), "drill", "no such order"); err != nil {
			return false, err
		}
		b.count(&b.dead)
	}
	return len(claims) > 0, err
}

func (b *books) byTransaction(ctx context.Context, q RowQueue, dice *rand.Rand) (bool, error) {
	h, err := q.Hold(ctx, newToken(), 1+dice.IntN(3))
	if err != nil || h == nil {
		return false, err
	}
	if dice.IntN(8) == 0 {
		return true, h.Rollback(ctx)
	}
	buried := -1
	if dice.IntN(6) == 0 {
		buried = dice.IntN(len(h.Rows()))
		if err := h.Bury(ctx, h.Rows()[buried].Key, newToken(), "drill", "no such order"); err != nil {
			return false, err
		}
	}
	if err := h.Commit(ctx); err != nil {
		return false, err
	}
	for i, c := range h.Rows() {
		if i == buried {
			b.count(&b.dead)
			continue
		}
		b.ended(c)
	}
	return true, nil
}

func (b *books) ended(c model.Claim) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done[RowNumber(c)]++
}

func (b *books) count(n *int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*n++
}

// close draws the line under the books.
func (b *books) close(t *tally, jobs, left int, p model.Pulse) {
	for n, times := range b.done {
		if times > 1 {
			t.fault("row %d was ended %d times", n, times)
		}
	}
	if b.killed == 0 {
		t.fault("nobody was killed: nothing was shown")
	}
	if sum := len(b.done) + b.dead + left; sum != jobs {
		t.fault("%d rows in, %d done + %d dead + %d left = %d", jobs, len(b.done), b.dead, left, sum)
	}
	if p.Failed.N != int64(b.dead) {
		t.fault("%d dead letters are there, %d were made", p.Failed.N, b.dead)
	}
	t.say(rowsConserved, "%d in = %d done + %d dead + %d left, although %d consumers were killed with rows in hand", jobs, len(b.done), b.dead, left, b.killed)
}
