package drill

import (
	"context"
	"errors"
	"time"

	"github.com/leasetop/leasetop/model"
)

// looks is how often a question is asked that nobody answers.
const looks = 5

// steady asks again what was not answered in time. Reading changes nothing, and a
// machine that stood still for some seconds broke no guarantee.
type steady struct{ Queue }

func (q steady) Inspect(ctx context.Context, k model.Key) (j *model.Job, now time.Time, err error) {
	err = answered(ctx, func() (err error) { j, now, err = q.Queue.Inspect(ctx, k); return err })
	return j, now, err
}

func (q steady) History(ctx context.Context, k model.Key, n int) (events []model.Event, now time.Time, err error) {
	err = answered(ctx, func() (err error) { events, now, err = q.Queue.History(ctx, k, n); return err })
	return events, now, err
}

func (q steady) Pulse(ctx context.Context, ask model.PulseAsk) (p model.Pulse, now time.Time, err error) {
	err = answered(ctx, func() (err error) { p, now, err = q.Queue.Pulse(ctx, ask); return err })
	return p, now, err
}

func (q steady) Page(ctx context.Context, v model.View) (page model.Page, now time.Time, err error) {
	err = answered(ctx, func() (err error) { page, now, err = q.Queue.Page(ctx, v); return err })
	return page, now, err
}

// answered asks until there is an answer, or it is enough.
func answered(ctx context.Context, ask func() error) error {
	err := ask()
	for range looks - 1 {
		var f *model.Fault
		if !errors.As(err, &f) || f.Class != model.FaultHung || ctx.Err() != nil {
			break
		}
		err = ask()
	}
	return err
}
