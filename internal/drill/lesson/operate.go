package lesson

import (
	"context"
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/model"
)

// requeue makes a dead letter ready again.
func (p *Player) requeue(ctx context.Context, n int) (outcome, error) {
	j, _, err := p.queue().Inspect(ctx, p.play.keys[n-1])
	if err != nil {
		return outcome{}, err
	}
	changes, err := p.apply(ctx, model.Requeue, j)
	if len(changes) == 0 {
		return outcome{"changed: no row matched", Empty}, err
	}
	return outcome{"applied: job %d is ready", Fine}.about(n), err
}

// list notes the leases that are over, as a page shows them.
func (p *Player) list(ctx context.Context) (outcome, error) {
	page, now, err := p.queue().Page(ctx, model.ViewWorking)
	if err != nil {
		return outcome{}, err
	}
	var expired []string
	for _, j := range page.Jobs {
		n := p.job(j.Key)
		if j.Expired(now) {
			p.play.listed[n] = j
			expired = append(expired, fmt.Sprintf("job %d", n))
		}
	}
	if len(expired) == 0 {
		return outcome{"no lease is over", Empty}, nil
	}
	return outcome{"over: " + strings.Join(expired, ", "), Plain}, nil
}

// reclaim acts on a job as it was listed, and notes whether a live worker held it.
func (p *Player) reclaim(ctx context.Context, n int) (outcome, error) {
	seen := p.play.listed[n]
	if seen == nil {
		return outcome{}, fmt.Errorf("job %d was not listed", n)
	}
	row, now, err := p.queue().Inspect(ctx, seen.Key)
	if err != nil {
		return outcome{}, err
	}
	live := row != nil && (row.State == model.Done || row.State == model.Working && !row.Expired(now))
	changes, err := p.apply(ctx, model.Reclaim, seen)
	if len(changes) == 0 {
		return outcome{"changed: no row matched", Empty}, err
	}
	if live {
		p.play.facts.Taken = append(p.play.facts.Taken, n)
		return outcome{"applied: job %d is ready, taken from a live worker", Wrong}.about(n), err
	}
	return outcome{"applied: job %d is ready", Fine}.about(n), err
}

func (p *Player) apply(ctx context.Context, a model.Action, j *model.Job) ([]model.Change, error) {
	changes, _, err := p.queue().Apply(ctx, model.Intent{
		Action: a, Key: j.Key, ActionID: p.token(Operator), Actor: "operator", Reason: "a lesson",
		Seen: model.Seen{State: j.State, Token: j.Token, Lease: j.Lease, Attempts: j.Attempts},
	})
	return changes, err
}
