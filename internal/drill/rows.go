package drill

import (
	"sync"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// RowLedger records what workers of a destructive queue were told. Its Note is an
// event hook. The zero RowLedger is empty and ready.
type RowLedger struct {
	mu                      sync.Mutex
	open                    map[model.Token]model.Key // handed out and not ended
	strange                 int                       // ends of what was never handed out
	done, dead, lost        int
	unsure, taken, released int
}

// Note records an event. It is safe for use by many goroutines.
func (l *RowLedger) Note(e worker.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[model.Token]model.Key{}
	}
	switch e.Kind {
	case worker.EventClaimed:
		l.open[e.Token] = e.Key
		l.taken++
		return
	case worker.EventCompleted, worker.EventFailed, worker.EventReleased, worker.EventLost, worker.EventUnsure:
	default:
		return
	}
	if _, ok := l.open[e.Token]; !ok {
		l.strange++
		return
	}
	delete(l.open, e.Token)
	switch {
	case e.Kind == worker.EventCompleted:
		l.done++
	case e.Kind == worker.EventFailed && e.State == model.Failed:
		l.dead++
	case e.Kind == worker.EventLost:
		l.lost++
	case e.Kind == worker.EventUnsure:
		l.unsure++
	default:
		l.released++
	}
}

// RowFacts are what the tables say at the end.
type RowFacts struct {
	Inserted, Ready, Dead int
	Mode                  model.Mode
	// Killed is how many rows were in hand of processes that died with their ledgers.
	Killed int
}

// Conservation holds a destructive queue to its one line: inserted = done + ready +
// dead + lost, each row ended once, and lost only where autocommit loses.
func Conservation(l *RowLedger, f RowFacts) Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	var v finding
	lost := l.lost
	if f.Mode == model.Autocommit {
		lost += f.Killed
	}
	if sum := l.done + l.unsure + f.Ready + f.Dead + lost; sum != f.Inserted {
		v.fault("%d rows went in, %d are accounted for", f.Inserted, sum)
	}
	if f.Dead < l.dead {
		v.fault("workers made %d dead letters, %d are there", l.dead, f.Dead)
	}
	if f.Mode == model.Transaction && lost > 0 {
		v.fault("%d rows were lost although a transaction held them", lost)
	}
	if l.strange > 0 {
		v.fault("%d ends of rows that nobody was given", l.strange)
	}
	if n := len(l.open); n > 0 && f.Killed == 0 {
		v.fault("%d rows were handed out and never ended", n)
	}
	v.say("conservation", "%d in = %d done + %d ready + %d dead + %d lost", f.Inserted, l.done+l.unsure, f.Ready, f.Dead, lost)
	return v.result()
}
