package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Trick is something that a trainer can do to the training queue while it plays.
type Trick string

// The tricks.
const (
	TrickKill      Trick = "kill"       // the worker that holds the job vanishes
	TrickStall     Trick = "stall"      // it stands still past its lease and then ends late
	TrickLoseReply Trick = "lose-reply" // the end of its job is applied, its reply lost
	TrickPoison    Trick = "poison"     // a job comes that fails at every attempt
	TrickKiller    Trick = "killer"     // a job comes that kills each of its workers
	TrickFlood     Trick = "flood"      // many jobs come at once
	TrickRecovery  Trick = "recovery"   // recovery stops, or goes on
	TrickClock     Trick = "clock"      // the server's clock is set ahead, or right again
	TrickCalm      Trick = "calm"       // no faults but those asked for, or the usual ones again
)

// Tricks lists them in the order of the menu.
func Tricks() []Trick {
	return []Trick{TrickKill, TrickStall, TrickLoseReply, TrickPoison, TrickKiller, TrickFlood, TrickRecovery, TrickClock, TrickCalm}
}

// The size of tricks.
const (
	floodJobs = 200
	clockStep = 5 * time.Minute
)

// What the payload of a job on purpose begins with, by which its handler knows it.
const (
	poisonMark = `{"trick":"poison"`
	killerMark = `{"trick":"killer"`
)

// Mischief does tricks to the workers of a training queue. Its methods are safe
// for use by several goroutines.
type Mischief struct {
	mu    sync.Mutex
	queue Queue // nil before the training runs
	load  Load
	out   map[claimID]*victim
	rows  rowStage
	blind bool // nobody recovers
	calm  bool
	ahead time.Duration // how far the server's clock is ahead of the right time
}

// victim is a claim that is out. struck is closed when something befalls its
// worker.
type victim struct {
	claim  model.Claim
	worker string
	fault  Fault
	struck chan struct{}
}

// There is nobody to do a trick to, or nothing yet.
var (
	errIdle   = errors.New("no worker holds a job at the moment")
	errNotYet = errors.New("the training does not run yet")
)

// Now is the server's clock of the training queue, which a trick sets.
func (m *Mischief) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Add(m.ahead)
}

// Does says what a trick would do now, in a few words.
func (m *Mischief) Does(t Trick) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch t {
	case TrickKill:
		return "kill the worker of the job: no word from it again"
	case TrickStall:
		return "stall it past its lease: it ends its job too late"
	case TrickLoseReply:
		return "lose the reply to its completion, which is applied"
	case TrickPoison:
		return "enqueue a job that fails at every attempt"
	case TrickKiller:
		return "enqueue a job that kills each of its workers"
	case TrickFlood:
		return fmt.Sprintf("enqueue %d jobs at once", floodJobs)
	case TrickRecovery:
		if m.blind {
			return "let recovery go on"
		}
		return "stop recovery: expired rows stay where they are"
	case TrickClock:
		if m.ahead != 0 {
			return "set the server's clock right again"
		}
		return "set the server's clock five minutes ahead"
	case TrickCalm:
		if m.calm {
			return "bring the usual faults back"
		}
		return "no faults but those of this menu"
	}
	return ""
}

// Do does a trick and says what it did. key is the job whose worker is meant;
// the zero key means any worker.
func (m *Mischief) Do(ctx context.Context, t Trick, key model.Key) (string, error) {
	m.mu.Lock()
	q, load := m.queue, m.load
	m.mu.Unlock()
	if q == nil {
		return "", errNotYet
	}
	switch t {
	case TrickKill:
		return m.strike(key, Kill, "one process of %s is dead; job %s is working until its lease runs out")
	case TrickStall:
		return m.strike(key, Stall, "%s stands still past the lease of job %s and then ends it, too late")
	case TrickLoseReply:
		return m.strike(key, LoseReply, "%s will not hear that its end of job %s was applied")
	case TrickPoison:
		return send(ctx, q, []model.NewJob{{Payload: poisonMark + `}`, MaxAttempts: load.Bound, Priority: model.NumberOf(10)}}, "job %s fails at every attempt")
	case TrickKiller:
		return send(ctx, q, []model.NewJob{{Payload: killerMark + `}`, MaxAttempts: load.Bound, Priority: model.NumberOf(10)}}, "job %s kills each of its workers")
	case TrickFlood:
		jobs := load
		jobs.Seed = uint64(time.Now().UnixNano())
		return send(ctx, q, jobs.Jobs(floodJobs), fmt.Sprintf("%d jobs came, from %%s on", floodJobs))
	case TrickRecovery, TrickClock, TrickCalm:
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.turn(t), nil
	}
	return "", fmt.Errorf("no trick is called %q", t)
}

// turn switches what is on or off. m is locked.
func (m *Mischief) turn(t Trick) string {
	said := map[bool]string{true: "nobody recovers any more: the next lease that runs out stays", false: "recovery goes on"}
	on := false
	switch t {
	case TrickClock:
		if m.ahead == 0 {
			m.ahead = clockStep
		} else {
			m.ahead = 0
		}
		on = m.ahead != 0
		said = map[bool]string{true: "the server's clock is five minutes ahead: every lease lies in its past", false: "the server's clock is right again"}
	case TrickCalm:
		m.calm = !m.calm
		on = m.calm
		said = map[bool]string{true: "no more faults of themselves", false: "the usual faults are back"}
	default:
		m.blind = !m.blind
		on = m.blind
	}
	return said[on]
}

// strike lets a fault befall the worker that holds a job.
func (m *Mischief) strike(key model.Key, f Fault, said string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var v *victim
	for _, one := range m.out {
		if !key.IsZero() && one.claim.Key != key {
			continue
		}
		if one.fault != NoFault {
			if !key.IsZero() {
				return "", fmt.Errorf("something has befallen the worker of job %s already: choose another", key)
			}
			continue
		}
		if v == nil || one.claim.Key.String() < v.claim.Key.String() {
			v = one
		}
	}
	switch {
	case v == nil && key.IsZero():
		return "", errIdle
	case v == nil:
		return "", fmt.Errorf("job %s has no worker any more: it died or has just ended it: choose another", key)
	}
	v.fault = f
	if f != LoseReply {
		close(v.struck)
	}
	return fmt.Sprintf(said, v.worker, v.claim.Key), nil
}

// send enqueues jobs on purpose and names the first.
func send(ctx context.Context, q Queue, jobs []model.NewJob, said string) (string, error) {
	keys, err := q.Enqueue(ctx, jobs)
	if err != nil {
		return "", err
	}
	if len(keys) == 0 {
		return "", errors.New("nothing was enqueued")
	}
	return fmt.Sprintf(said, keys[0]), nil
}

// faults are those of jobs on purpose, and while it is not calm the usual ones.
func (m *Mischief) faults(usual Faults) Faults {
	return func(c model.Claim) Fault {
		switch {
		case strings.HasPrefix(c.Payload, poisonMark):
			return Poison
		case strings.HasPrefix(c.Payload, killerMark):
			return Killer
		}
		m.mu.Lock()
		calm := m.calm
		m.mu.Unlock()
		if calm {
			return NoFault
		}
		return usual(c)
	}
}

// take remembers what tricks need of a training that begins.
func (m *Mischief) take(q Queue, load Load) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queue, m.load, m.out = q, load, map[claimID]*victim{}
}

func (m *Mischief) victim(k model.Key, t model.Token) *victim {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.out[claimID{k, t}]
}

// of is the fault that has befallen a claim so far.
func (m *Mischief) of(k model.Key, t model.Token) Fault {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v := m.out[claimID{k, t}]; v != nil {
		return v.fault
	}
	return NoFault
}

func (m *Mischief) forget(k model.Key, t model.Token) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.out, claimID{k, t})
}
