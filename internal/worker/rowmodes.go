package worker

import (
	"context"
	"errors"
	"time"

	"github.com/leasetop/leasetop/model"
)

// ErrKilled is what a handler returns in place of a process that was killed: what
// it had in hand is left as the dead leave it.
var ErrKilled = errors.New("the worker was killed")

// settleLimit bounds the statements that end a batch.
const settleLimit = 10 * time.Second

// byAutocommit works on rows that are only here: whatever is neither done nor put
// somewhere is lost.
func (s *rowSlot) byAutocommit(rows []model.Claim) error {
	rows = s.taken(rows)
	for i, c := range rows {
		if s.run.Err() != nil {
			s.giveBack(rows[i:])
			return nil
		}
		err, ended := s.do(c)
		switch {
		case !ended:
			s.tell(EventLost, c, model.StateUnknown, "the handler did not stop: the row is gone, and what becomes of its work is not known")
		case err == nil:
			s.tell(EventCompleted, c, model.Done, "")
		case errors.Is(err, ErrKilled):
			for _, c := range rows[i:] {
				s.tell(EventLost, c, model.StateUnknown, "killed between DELETE and work: the row is gone, and nobody complains")
			}
			return nil
		case errors.Is(err, ErrUnable):
			s.giveBack(rows[i:])
			return err
		case s.stopped(err):
			s.giveBack(rows[i:])
			return nil
		default:
			s.bury(c, err)
		}
	}
	return nil
}

func (s *rowSlot) giveBack(rows []model.Claim) {
	keys := make([]model.Key, len(rows))
	for i, c := range rows {
		keys[i] = c.Key
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.work), settleLimit)
	defer cancel()
	err := s.q.Return(ctx, keys)
	s.trouble(StepRelease, err) //nolint:errcheck // told; what follows says it of each row
	for _, c := range rows {
		if err != nil {
			s.tell(EventLost, c, model.StateUnknown, "the row could not be put back: "+diagnostic(err))
			continue
		}
		s.tell(EventReleased, c, model.Ready, "")
	}
}

// bury ends a row that failed. Without dead letters it is lost.
func (s *rowSlot) bury(c model.Claim, why error) {
	if !s.o.Bury {
		s.tell(EventLost, c, model.StateUnknown, diagnostic(why))
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.work), settleLimit)
	defer cancel()
	if err := s.q.Bury(ctx, c.Key, newToken(), s.name, diagnostic(why)); err != nil {
		s.trouble(StepFail, err) //nolint:errcheck // told
		s.tell(EventLost, c, model.StateUnknown, "the dead letter could not be written: "+diagnostic(why))
		return
	}
	s.tell(EventFailed, c, model.Failed, diagnostic(why))
}

// inTransaction works on rows that stay locked meanwhile: they end together.
func (s *rowSlot) inTransaction(b Batch) error {
	rows := s.taken(b.Rows())
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.work))
	defer cancel()
	buried := map[int]string{}
	for i, c := range rows {
		if s.run.Err() != nil && i > 0 {
			return s.undo(ctx, b, rows, -1, "")
		}
		err, ended := s.do(c)
		switch {
		case !ended, s.stopped(err):
			return s.undo(ctx, b, rows, -1, "")
		case err == nil:
		case errors.Is(err, ErrKilled):
			b.Abandon()
			for _, c := range rows {
				s.tell(EventReleased, c, model.Ready, "killed: its rows come back")
			}
			return nil
		case errors.Is(err, ErrUnable):
			return errors.Join(err, s.undo(ctx, b, rows, -1, ""))
		case s.failed(c.Key) && s.o.Bury:
			if e := b.Bury(ctx, c.Key, newToken(), s.name, diagnostic(err)); e != nil {
				s.trouble(StepFail, e) //nolint:errcheck // told
				return s.undo(ctx, b, rows, i, diagnostic(err))
			}
			buried[i] = diagnostic(err)
		default:
			err := s.undo(ctx, b, rows, i, diagnostic(err))
			pause(s.run, s.o.Idle)
			return err
		}
	}
	return s.commit(ctx, b, rows, buried)
}

func (s *rowSlot) commit(ctx context.Context, b Batch, rows []model.Claim, buried map[int]string) error {
	err := b.Commit(ctx)
	var f *model.Fault
	unsure := errors.As(err, &f) && f.Unsure
	for i, c := range rows {
		why, dead := buried[i]
		switch {
		case unsure:
			s.tell(EventUnsure, c, model.StateUnknown, "the reply to the commit was lost: the row is gone, or it comes back")
		case err != nil:
			s.tell(EventReleased, c, model.Ready, "not committed: its work is done, and will be done again")
		case dead:
			s.tell(EventFailed, c, model.Failed, why)
		default:
			s.tell(EventCompleted, c, model.Done, "")
		}
	}
	return s.trouble(StepComplete, err)
}

// undo gives all rows back; failed is the one whose work failed, -1 for none.
func (s *rowSlot) undo(ctx context.Context, b Batch, rows []model.Claim, failed int, why string) error {
	err := b.Rollback(ctx)
	for i, c := range rows {
		if i == failed {
			s.tell(EventFailed, c, model.Ready, why)
			continue
		}
		s.tell(EventReleased, c, model.Ready, "")
	}
	return s.trouble(StepRelease, err)
}

// FaultyRows is a handler that is killed or fails where the faults say so. Where there
// is no lease to stall past and no reply to lose, the other faults are none.
func FaultyRows(h Handler, f Faults) Handler {
	return func(ctx context.Context, c model.Claim) error {
		switch f(c) {
		case Kill, Killer:
			return ErrKilled
		case Poison:
			return errors.New("the payload names an article that does not exist")
		case Flaky:
			return errors.New("the carrier's API answered 503 twice")
		default:
		}
		return h(ctx, c)
	}
}
