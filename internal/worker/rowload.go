package worker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/leasetop/leasetop/model"
)

// RowJobs invents n rows of a destructive queue: a value for each column that the
// server does not make itself. Times are left to the server's clock. The same seed
// invents the same rows.
func RowJobs(m *model.Mapping, seed uint64, n int) []model.NewJob { return RowSource(m, seed)(n) }

// RowSource invents the rows of RowJobs, the next n with each call.
func RowSource(m *model.Mapping, seed uint64) func(n int) []model.NewJob {
	r := dice(seed, "rows")
	return func(n int) []model.NewJob {
		jobs := make([]model.NewJob, n)
		for i := range jobs {
			jobs[i].Payload = rowPayload(m, r)
		}
		return jobs
	}
}

func rowPayload(m *model.Mapping, r *rand.Rand) string {
	var parts []string
	for _, c := range m.Keys {
		value := ""
		switch c.Type {
		case model.Int:
			value = fmt.Sprint(1 + r.IntN(250)) // fits into a tinyint
			if !strings.HasPrefix(strings.ToLower(c.Declared), "tiny") && !strings.EqualFold(c.Declared, "bit") {
				value = fmt.Sprint(1000 + r.IntN(9000))
			}
			if strings.EqualFold(c.Declared, "bit") {
				value = "1"
			}
		case model.Fraction:
			value = fmt.Sprintf("%d.%02d", 1+r.IntN(99), r.IntN(100))
		case model.GUID:
			id, err := uuid.NewRandomFromReader(reader{r})
			if err == nil {
				value = fmt.Sprintf("%q", strings.ToUpper(id.String()))
			}
		case model.Text:
			value = fmt.Sprintf("%q", fmt.Sprintf("SO-%04d", r.IntN(10000)))
		case model.Binary:
			value = fmt.Sprintf(`"0x%04X"`, r.IntN(1<<16))
		case model.Time, model.Opaque, model.Null:
		}
		if value != "" && !c.Made {
			parts = append(parts, fmt.Sprintf("%q: %s", c.Name, value))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// reader makes bytes of a random source.
type reader struct{ r *rand.Rand }

func (x reader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(x.r.Uint32())
	}
	return len(p), nil
}

// RowQueue is what a training of a destructive queue needs of it.
type RowQueue interface {
	Rows
	Enqueue(ctx context.Context, jobs []model.NewJob) ([]model.Key, error)
}

// RowTraining plays a destructive queue: arrivals, and workers that take rows in a
// transaction, some of which are killed, so that rows are locked and come back, and
// a row that fails until it is a dead letter.
type RowTraining struct {
	Seed    uint64
	Mapping *model.Mapping
	Events  func(Event) // must not block
	// Mischief does tricks to it while it plays; nil: only its own faults befall it.
	Mischief *Mischief
}

// The training's figures: few rows a second, so that a person can follow them.
const (
	rowsOpen  = 14
	rowsEvery = 900 * time.Millisecond
)

// Run plays until ctx ends. It returns early only where the queue cannot be used.
func (t RowTraining) Run(ctx context.Context, q RowQueue) error {
	if _, err := q.Enqueue(ctx, RowJobs(t.Mapping, t.Seed, rowsOpen)); err != nil {
		return unlessOver(ctx, err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := dice(t.Seed, "row faults")
	faults := make(chan Fault, 1)
	go func() {
		defer close(faults)
		for n := 0; ; n++ {
			f := NoFault
			switch {
			case n == 2, n > 20 && r.Float64() < 0.04:
				f = Kill
			case n == 4, n > 20 && r.Float64() < 0.05:
				f = Poison
			}
			select {
			case faults <- f:
			case <-ctx.Done():
				return
			}
		}
	}()
	m := t.Mischief
	if m == nil {
		m = &Mischief{}
	}
	m.takeRows(q, t.Mapping)
	work := Simulate{Seed: t.Seed, Mean: 1500 * time.Millisecond, Spread: 0.5}.Handle
	pool := NewRows(q, FaultyRows(work, m.rowFaults(func(model.Claim) Fault { return <-faults })), RowOptions{
		Workers: 2, Names: []string{"ship-01", "ship-02"}, Mode: model.Transaction, Bury: true, Tries: 1, Grace: -1, Events: t.Events,
	})
	done := make(chan error, 1)
	go func() { done <- pool.Run(ctx); stop() }() // without workers there is nothing to play
	for n := uint64(1); pause(ctx, jitter(rowsEvery, 40)); n++ {
		if _, err := q.Enqueue(ctx, RowJobs(t.Mapping, t.Seed+n, 1)); err != nil {
			emit(t.Events, Event{Kind: EventTrouble, Step: StepEnqueue, Err: err})
		}
	}
	return <-done
}
