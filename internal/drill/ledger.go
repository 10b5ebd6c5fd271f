package drill

import (
	"sync"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// Ledger records what workers were told: every claim by key and token, and every
// end. Its Note is an event hook. The zero Ledger is empty and ready.
type Ledger struct {
	mu      sync.Mutex
	claims  map[claimID]*entry
	twice   []claimID            // handed out more than once
	unsure  map[model.Token]bool // claims without a reply: rows may carry the token
	strange []worker.Event       // ends of claims that nobody received
	counts  map[worker.Kind]int
}

type claimID struct {
	key   model.Key
	token model.Token
}

// entry is one claim and the ends that its worker was told of.
type entry struct {
	worker string
	ends   []worker.Event
}

// Note records an event. It is safe for use by many goroutines.
func (l *Ledger) Note(e worker.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.claims == nil {
		l.claims, l.unsure, l.counts = map[claimID]*entry{}, map[model.Token]bool{}, map[worker.Kind]int{}
	}
	l.counts[e.Kind]++
	id := claimID{e.Key, e.Token}
	switch e.Kind {
	case worker.EventClaimed:
		if l.claims[id] != nil {
			l.twice = append(l.twice, id)
			return
		}
		l.claims[id] = &entry{worker: e.Worker}
	case worker.EventCompleted, worker.EventFailed, worker.EventReleased, worker.EventConfirmed,
		worker.EventLost, worker.EventUnsure, worker.EventLeft:
		if c := l.claims[id]; c != nil {
			c.ends = append(c.ends, e)
			return
		}
		l.strange = append(l.strange, e)
	case worker.EventTrouble:
		if e.Step == worker.StepClaim {
			l.unsure[e.Token] = true
		}
	case worker.EventRecovered, worker.EventPromoted, worker.EventWaiting, worker.EventBraked, worker.EventUnbraked:
	}
}

// Count is how many events of a kind were noted.
func (l *Ledger) Count(k worker.Kind) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts[k]
}
