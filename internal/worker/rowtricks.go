package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/model"
)

// floodRows is the size of a flood of the destructive queue, whose workers end a row
// a second.
const floodRows = 50

// rowStage is what tricks need of the training of a destructive queue.
type rowStage struct {
	queue   RowQueue // nil before it runs
	mapping *model.Mapping
	next    []Fault // what befalls the next rows that are taken
}

// DoesRows says what a trick would do now to the destructive queue. One that could
// do nothing there says why.
func (m *Mischief) DoesRows(t Trick) (does, why string) {
	switch t {
	case TrickKill:
		return "kill the worker that takes the next row: the row comes back", ""
	case TrickPoison:
		return "let the next row fail: it goes to the dead letters", ""
	case TrickFlood:
		return fmt.Sprintf("enqueue %d rows at once", floodRows), ""
	case TrickStall:
		return "", "no lease to stall past: a row is locked until its end"
	case TrickLoseReply:
		return "", "there is no token by which an end could be asked for again"
	case TrickKiller:
		return "", "a row that comes back is not known again: 1 kills one worker"
	case TrickRecovery:
		return "", "none is needed: the row of a dead worker comes back by itself"
	case TrickClock, TrickCalm:
	}
	return m.Does(t), ""
}

// DoRows does a trick to the destructive queue and says what it did.
func (m *Mischief) DoRows(ctx context.Context, t Trick) (string, error) {
	if _, why := m.DoesRows(t); why != "" {
		return "", errors.New(why)
	}
	m.mu.Lock()
	s := m.rows
	m.mu.Unlock()
	if s.queue == nil {
		return "", errNotYet
	}
	if t == TrickFlood { // which asks for the time, and so for the lock
		if _, err := s.queue.Enqueue(ctx, RowJobs(s.mapping, uint64(time.Now().UnixNano()), floodRows)); err != nil {
			return "", err
		}
		return fmt.Sprintf("%d rows came", floodRows), nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch t {
	case TrickKill:
		m.rows.next = append(m.rows.next, Kill)
		return "the worker that takes the next row dies with it, and the row comes back", nil
	case TrickPoison:
		m.rows.next = append(m.rows.next, Poison)
		return "the next row that is taken fails and goes to the dead letters", nil
	default:
		return m.turn(t), nil
	}
}

// takeRows remembers what tricks need of a training that begins.
func (m *Mischief) takeRows(q RowQueue, of *model.Mapping) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows = rowStage{queue: q, mapping: of}
}

// rowFaults are those that were asked for, and while it is not calm the usual ones.
func (m *Mischief) rowFaults(usual Faults) Faults {
	return func(c model.Claim) Fault {
		f := usual(c)
		m.mu.Lock()
		defer m.mu.Unlock()
		switch s := &m.rows; {
		case len(s.next) > 0:
			f, s.next = s.next[0], s.next[1:]
		case m.calm:
			f = NoFault
		}
		return f
	}
}
