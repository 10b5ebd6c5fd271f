package lesson

import (
	"context"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// table reads the queue's rows as they are now.
func (p *Player) table(ctx context.Context, s *Stage) error {
	p.play.facts.Rows = p.play.facts.Rows[:0:0]
	rows := map[int]Row{}
	for i, k := range p.play.keys {
		j, now, err := p.queue().Inspect(ctx, k)
		if err != nil {
			return err
		}
		if j == nil {
			return fmt.Errorf("job %d is gone", i+1)
		}
		p.play.facts.Rows = append(p.play.facts.Rows, j)
		r := p.row(i+1, j, now)
		was, known := p.play.before[r.Job]
		rows[r.Job] = r
		r.Changed = known && was != r
		s.Table = append(s.Table, r)
	}
	p.play.before = rows
	return nil
}

func (p *Player) row(n int, j *model.Job, now time.Time) Row {
	r := Row{
		Job: n, What: p.Half().Jobs[n-1].What, State: j.State.String(), Token: p.named(j.Token), Worker: j.Worker,
		Attempts: fmt.Sprintf("%d/%d", j.Attempts.N, j.MaxAttempts.N), Claims: j.TotalClaims.N,
		Expired: j.Expired(now), Locked: p.play.locked[n], Error: j.Error,
	}
	if left, ok := j.Left(now); ok {
		r.Left = text.Exact(left.Round(time.Second))
	}
	return r
}

// job is the number of a key in the story, 0 for none of it.
func (p *Player) job(k model.Key) int {
	for i, key := range p.play.keys {
		if key == k {
			return i + 1
		}
	}
	return 0
}

// token makes the next token of an actor, and its name in the story.
func (p *Player) token(a Actor) string {
	p.play.made[a]++
	n := p.play.made[a]
	letter, short := letters(a)
	guid := fmt.Sprintf("%s-0000-4000-8000-%012X", letter, n)
	p.play.tokens[model.TokenOf(model.GUIDValue(guid))] = fmt.Sprintf("%s%d", short, n)
	return guid
}

// letters are how an actor's tokens begin, and how the story calls them.
func letters(a Actor) (begin, short string) {
	switch a {
	case WorkerA:
		return "AAAAAAAA", "A"
	case WorkerB:
		return "BBBBBBBB", "B"
	case WorkerC:
		return "CCCCCCCC", "C"
	case Recovery:
		return "EEEEEEEE", "rec"
	case Operator, Session, Time:
	}
	return "FFFFFFFF", "op"
}

// named is a token as the story calls it.
func (p *Player) named(t model.Token) string {
	if t.IsZero() {
		return "–"
	}
	if n, ok := p.play.tokens[t]; ok {
		return n
	}
	return text.Clean(t.String())
}

// operation is the operation id of a job.
func operation(n int) string { return fmt.Sprintf("0DE40000-0000-4000-8000-%012X", 1000+n) }
