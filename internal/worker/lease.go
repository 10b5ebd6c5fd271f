package worker

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// readLimit bounds one re-read of a row.
const readLimit = 2 * time.Second

// lease is one claim in hand: the fence, and the heartbeats that move it on.
//
// The fence is this process's own monotonic time before the claim or the last
// heartbeat that got through was sent, plus the lease, minus a margin. The server
// counts the lease from a later moment, so the fence always lies before its end.
type lease struct {
	q      Queue
	o      *Options
	worker string
	claim  model.Claim

	work   context.Context // the handler's
	cancel context.CancelCauseFunc
	beats  context.Context // ends when no heartbeat is to be sent any more
	quiet  context.CancelFunc

	mu    sync.Mutex
	fence time.Time
	timer *time.Timer
	ended bool // by lose or settle: whichever came first decides
}

// hold takes a claim in hand that was asked for at sent, and tells of it. The lease
// must be beaten with keep and ended with settle or let.
func hold(ctx context.Context, q Queue, o *Options, worker string, c model.Claim, sent time.Time) *lease {
	l := &lease{q: q, o: o, worker: worker, claim: c, fence: sent.Add(o.Lease - o.Margin)}
	l.work, l.cancel = context.WithCancelCause(ctx)
	l.beats, l.quiet = context.WithCancel(context.WithoutCancel(ctx))
	emit(o.Events, l.event(EventClaimed)) // before the fence can tell of a loss
	l.mu.Lock()
	l.timer = time.AfterFunc(time.Until(l.fence), l.expire)
	l.mu.Unlock()
	return l
}

// keep beats until the claim ends.
func (l *lease) keep() {
	for pause(l.beats, jitter(l.o.Beat, 10)) {
		if !l.beat() {
			return
		}
	}
}

// beat sends one heartbeat. Without a captured row it reads again, and tries again
// while the job is still this worker's; the fence ends that.
func (l *lease) beat() bool {
	again := ramp{first: l.o.Beat / 20, most: l.o.Beat / 4}
	for l.beats.Err() == nil {
		sent := time.Now()
		changes, err := l.q.Heartbeat(l.beats, l.claim.Key, l.claim.Token, l.o.Lease)
		if err == nil && len(changes) > 0 {
			l.move(sent)
			return true
		}
		if l.beats.Err() != nil {
			return false
		}
		l.trouble(StepBeat, err)
		if h, job := l.read(""); h == Lost || h == Confirmed {
			l.lose(lostText(job))
			return false
		}
		pause(l.beats, again.wait())
	}
	return false
}

// read asks for the row as it is now and judges the claim by it.
func (l *lease) read(next string) (Hold, *model.Job) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.work), readLimit)
	defer cancel()
	job, _, err := l.q.Inspect(ctx, l.claim.Key)
	return judge(job, err, l.claim.Token, next), job
}

// move sets the fence after a heartbeat that was sent then.
func (l *lease) move(sent time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f := sent.Add(l.o.Lease - l.o.Margin); !l.ended && f.After(l.fence) {
		l.fence = f
		l.timer.Reset(time.Until(f))
	}
}

// expire is the fence's timer.
func (l *lease) expire() {
	l.mu.Lock()
	early := time.Until(l.fence)
	if !l.ended && early > 0 { // a heartbeat moved the fence while the timer was firing
		l.timer.Reset(early)
		l.mu.Unlock()
		return
	}
	l.mu.Unlock()
	l.lose("no heartbeat got through before the lease's end")
}

// lose ends the claim without ending the job. The loss is told before the handler
// is stopped, so that it is told before the pool can end.
func (l *lease) lose(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.endLocked() {
		return
	}
	e := l.event(EventLost)
	e.Text = why
	emit(l.o.Events, e)
	l.cancel(ErrLost)
}

// end decides once how the claim ended and stops the heartbeats. False: it had
// ended before.
func (l *lease) end() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.endLocked()
}

func (l *lease) endLocked() bool {
	if l.ended {
		return false
	}
	l.ended = true
	l.timer.Stop()
	l.quiet()
	return true
}

// take is end for a worker that wants to settle: false past the fence as well,
// even when the timer has not fired yet.
func (l *lease) take() bool {
	l.mu.Lock()
	late := !time.Now().Before(l.fence)
	l.mu.Unlock()
	if late {
		l.lose("the work ended after the fence")
		return false
	}
	return l.end()
}

func (l *lease) event(k Kind) Event {
	return Event{
		Kind: k, Worker: l.worker, Key: l.claim.Key, Token: l.claim.Token,
		Attempts: l.claim.Attempts, Bound: l.claim.MaxAttempts,
	}
}

func (l *lease) trouble(s Step, err error) {
	if err == nil {
		return // no row captured: the re-read says what it is
	}
	e := l.event(EventTrouble)
	e.Step, e.Err = s, err
	emit(l.o.Events, e)
}

// lostText says who has the job now.
func lostText(job *model.Job) string {
	switch {
	case job == nil:
		return "there is no such row any more"
	case job.State == model.Working && job.Worker != "":
		return "held by " + job.Worker + " now"
	}
	return fmt.Sprintf("the row is %s now, its token replaced", job.State)
}
