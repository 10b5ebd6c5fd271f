package lesson

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/model"
)

// outcome is what came of a step.
type outcome struct {
	text string
	mark Mark
}

// What comes out of steps that match no row.
const (
	notMine = "no row: not mine any more"
	nothing = "nothing for me now"
)

// op is the statement that a verb sends, empty for none.
func (v Verb) op() string {
	switch v {
	case Read:
		return "ready"
	case Take:
		return "take"
	case Claim:
		return "claim"
	case Complete, LoseDone:
		return "complete"
	case Reread:
		return "inspect"
	case Beat:
		return "heartbeat"
	case Fail:
		return "fail"
	case Recover:
		return "recover"
	case List:
		return "working"
	case Reclaim:
		return "reclaim"
	case Requeue:
		return "requeue"
	case Dequeue:
		return "dequeue"
	case Hold:
		return "hold"
	case Work, Die, Stall, Pass, Lock, Unlock, Arrive, Commit:
	}
	return ""
}

// do carries out a step and says what came of it.
func (p *Player) do(ctx context.Context, s Step) (outcome, error) {
	h := p.play.hands[s.Who]
	if h == nil && s.Who != Time {
		return outcome{}, fmt.Errorf("%s has no lane", s.Who)
	}
	if p.play.rows != nil {
		return p.doRow(ctx, s)
	}
	switch s.Do {
	case Read:
		return p.read(ctx, h)
	case Take, Claim:
		return p.claim(ctx, s, h)
	case Work:
		return p.work(s.Who, h)
	case Complete, LoseDone:
		return p.complete(ctx, s, h)
	case Reread:
		return p.reread(ctx, h)
	case Beat, Fail:
		return p.step(ctx, s, h)
	case Recover:
		return p.recover(ctx, s.Who)
	case List:
		return p.list(ctx)
	case Reclaim:
		return p.reclaim(ctx, s.Job)
	case Requeue:
		return p.requeue(ctx, s.Job)
	case Lock, Unlock:
		p.play.locked[s.Job] = s.Do == Lock
		return outcome{map[bool]string{true: "job %d is locked", false: "job %d is free"}[s.Do == Lock], Plain}.about(s.Job), nil
	case Die:
		h.gone = true
		return outcome{"gone, without a word", Wrong}, nil
	case Stall:
		return outcome{"stands still", Plain}, nil
	case Pass:
		d := time.Duration(s.Leases * float64(p.lease))
		p.play.passed += d
		return outcome{"", Plain}, p.bench.Pass(ctx, d)
	case Arrive, Dequeue, Hold, Commit: // of destructive queues
	}
	return outcome{}, errors.New("nobody knows that verb")
}

func (o outcome) about(job int) outcome {
	o.text = fmt.Sprintf(o.text, job)
	return o
}

// firstReady is the first ready job that nobody has locked, nil for none: what
// READPAST sees, played where the engine has no row locks.
func (p *Player) firstReady(ctx context.Context) (*model.Job, error) {
	page, _, err := p.queue().Page(ctx, model.ViewReady)
	if err != nil {
		return nil, err
	}
	for _, j := range page.Jobs {
		if !p.play.locked[p.job(j.Key)] {
			return j, nil
		}
	}
	return nil, nil
}

func (p *Player) read(ctx context.Context, h *hand) (outcome, error) {
	j, err := p.firstReady(ctx)
	if err != nil || j == nil {
		return outcome{"nothing is ready", Empty}, err
	}
	h.read = j
	return outcome{"job %d is ready", Plain}.about(p.job(j.Key)), nil
}

// claim takes a job: by the key that was read before, or in one statement.
func (p *Player) claim(ctx context.Context, s Step, h *hand) (outcome, error) {
	token := p.token(s.Who)
	var claims []model.Claim
	var err error
	switch {
	case s.Do == Take && h.read == nil:
		return outcome{}, errors.New("it has read nothing")
	case s.Do == Take:
		claims, err = p.queue().Take(ctx, h.read.Key, token, string(s.Who), p.lease)
	case p.anyLocked():
		j, failed := p.firstReady(ctx)
		if err = failed; j != nil {
			claims, err = p.queue().Take(ctx, j.Key, token, string(s.Who), p.lease)
		}
	default:
		claims, err = p.queue().Claim(ctx, token, string(s.Who), 1, p.lease)
	}
	if err != nil {
		return outcome{}, err
	}
	if len(claims) == 0 {
		p.play.made[s.Who]-- // no row carries it
		return outcome{nothing, Empty}, nil
	}
	h.claim = &claims[0]
	n := p.job(claims[0].Key)
	p.play.facts.Claims = append(p.play.facts.Claims, ClaimFact{s.Who, n, claims[0].Token})
	return outcome{fmt.Sprintf("has job %d, token %s", n, p.named(claims[0].Token)), Fine}, nil
}

func (p *Player) anyLocked() bool {
	for _, locked := range p.play.locked {
		if locked {
			return true
		}
	}
	return false
}

// work lets the job take effect in the world outside.
func (p *Player) work(who Actor, h *hand) (outcome, error) {
	if h.claim == nil {
		return outcome{}, errors.New("it holds no job")
	}
	n := p.job(h.claim.Key)
	e := Effect{
		N: len(p.play.facts.Ledger) + 1, Job: n, Who: who, What: p.Half().Jobs[n-1].What,
		Operation: strings.TrimLeft(operation(n)[len(operation(n))-12:], "0"),
	}
	for _, before := range p.play.facts.Ledger {
		e.Again = e.Again || before.Job == n
	}
	e.Ignored = e.Again && p.Half().Dedup
	p.play.facts.Ledger = append(p.play.facts.Ledger, e)
	switch {
	case e.Ignored:
		return outcome{"known already by its operation id: nothing happens", Fine}, nil
	case e.Again:
		return outcome{"it happens a second time", Wrong}, nil
	}
	return outcome{"it happens", Fine}, nil
}

func (p *Player) complete(ctx context.Context, s Step, h *hand) (outcome, error) {
	if h.claim == nil {
		return outcome{}, errors.New("it holds no job")
	}
	c := h.claim
	row, _, err := p.queue().Inspect(ctx, c.Key)
	if err != nil {
		return outcome{}, err
	}
	changes, err := p.queue().Complete(ctx, c.Key, c.Token)
	if err != nil {
		return outcome{}, err
	}
	n := p.job(c.Key)
	p.play.facts.Ends = append(p.play.facts.Ends, EndFact{s.Who, n, c.Token, len(changes) > 0, row != nil && row.Token == c.Token})
	switch {
	case s.Do == LoseDone:
		return outcome{"no reply", Empty}, nil
	case len(changes) == 0:
		h.claim = nil
		return outcome{notMine, Empty}, nil
	}
	h.claim = nil
	return outcome{"job %d is done", Fine}.about(n), nil
}

// reread judges a claim by its row, as a worker does whose reply was lost.
func (p *Player) reread(ctx context.Context, h *hand) (outcome, error) {
	if h.claim == nil {
		return outcome{}, errors.New("it holds no job")
	}
	j, _, err := p.queue().Inspect(ctx, h.claim.Key)
	if err != nil {
		return outcome{}, err
	}
	mine := j != nil && j.Token == h.claim.Token
	switch {
	case mine && j.State == model.Done:
		h.claim = nil
		return outcome{"done, with my token: confirmed", Fine}, nil
	case mine && j.State == model.Working:
		return outcome{"in work, with my token: still mine", Plain}, nil
	}
	h.claim = nil
	return outcome{"another token: lost", Empty}, nil
}

// step is a heartbeat or a failure.
func (p *Player) step(ctx context.Context, s Step, h *hand) (outcome, error) {
	if h.claim == nil {
		return outcome{}, errors.New("it holds no job")
	}
	if s.Do == Beat {
		changes, err := p.queue().Heartbeat(ctx, h.claim.Key, h.claim.Token, p.lease)
		if len(changes) > 0 {
			return outcome{"the lease is renewed", Fine}, err
		}
		return outcome{notMine, Empty}, err
	}
	const wait = 0 // the lessons wait by Pass, and recovery promotes
	changes, err := p.queue().Fail(ctx, h.claim.Key, h.claim.Token, p.token(s.Who), wait, "no such article 4711")
	n := p.job(h.claim.Key)
	if len(changes) == 0 {
		return outcome{notMine, Empty}, err
	}
	h.claim = nil
	return p.returned(n, changes[0]), err
}

// returned says what becomes of a job whose attempt is over.
func (p *Player) returned(n int, c model.Change) outcome {
	if c.NewState == model.Failed {
		return outcome{"job %d is a dead letter", Plain}.about(n)
	}
	return outcome{"job %d waits for another attempt", Plain}.about(n)
}

// recover takes back what is over and makes ready what is due.
func (p *Player) recover(ctx context.Context, who Actor) (outcome, error) {
	changes, err := p.queue().Recover(ctx, p.token(who), 100, 0, model.Backoff{}, 100)
	if err != nil {
		return outcome{}, err
	}
	var said []string
	for _, c := range changes {
		said = append(said, "took back: "+p.returned(p.job(c.Key), c).text)
	}
	due, err := p.queue().Promote(ctx, 100)
	for _, c := range due {
		said = append(said, fmt.Sprintf("job %d is ready", p.job(c.Key)))
	}
	if len(said) == 0 {
		return outcome{"nothing to take back", Empty}, err
	}
	return outcome{strings.Join(said, "; "), Plain}, err
}
