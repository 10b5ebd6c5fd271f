package ui

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/dialog"
)

// lookIn looks for jobs in one queue.
type lookIn func(ctx context.Context, queue string) (jobs []*model.Job, whole bool, at time.Time, err error)

// found is what a look-up brought.
type found struct {
	what   string
	rows   []dialog.Match
	whole  bool
	alone  bool     // one queue was asked
	missed []string // the queues that could not be looked at
	err    error    // why not, of the first of them; nil where none was asked
}

// reach lists the queues that a look-up asks, those of one server together, and
// those that it leaves alone. The queue on the screen is asked whatever is known of
// it; of all queues only those that answer.
func (a *App) reach() (servers [][]string, silent []string) {
	if q := a.top().Subject().Queue; q != "" {
		return [][]string{{q}}, nil
	}
	if a.env.Board == nil {
		return nil, nil
	}
	at := map[string]int{}
	for _, s := range a.env.Board.Queues {
		if h := s.Watch.Health; h == model.Down || h == model.Broken {
			silent = append(silent, s.Queue)
			continue
		}
		i, known := at[s.Server]
		if !known {
			i = len(servers)
			at[s.Server] = i
			servers = append(servers, nil)
		}
		servers[i] = append(servers[i], s.Queue)
	}
	return servers, silent
}

// lookup asks all servers side by side, one queue of each at a time, so that none
// waits for another.
func lookup(ctx context.Context, servers [][]string, in lookIn) found {
	parts := make([]found, len(servers))
	var all sync.WaitGroup
	for i, queues := range servers {
		all.Go(func() { parts[i] = lookOn(ctx, queues, in) })
	}
	all.Wait()
	f := found{whole: true}
	for _, p := range parts {
		f.rows = append(f.rows, p.rows...)
		f.whole = f.whole && p.whole
		f.missed = append(f.missed, p.missed...)
		if f.err == nil {
			f.err = p.err
		}
	}
	return f
}

// lookOn asks the queues of one server. Once it does not answer for one it is not
// asked for the others.
func lookOn(ctx context.Context, queues []string, in lookIn) found {
	f := found{whole: true}
	for i, q := range queues {
		jobs, whole, at, err := in(ctx, q)
		if err != nil {
			if f.err == nil {
				f.err = err
			}
			if unreachable(err) {
				f.missed = append(f.missed, queues[i:]...)
				break
			}
			f.missed = append(f.missed, q)
			continue
		}
		f.whole = f.whole && whole
		for _, j := range jobs {
			f.rows = append(f.rows, dialog.Match{Queue: q, Job: j, At: at})
		}
	}
	return f
}

// unreachable reports whether an error is about the server and not about the queue.
func unreachable(err error) bool {
	var f *model.Fault
	if !errors.As(err, &f) {
		return false
	}
	return f.Class == model.FaultNetwork || f.Class == model.FaultHung || f.Class == model.FaultLogin
}

// mostNamed bounds how many queues that were not looked at are named.
const mostNamed = 4

// unseen names the queues that were not looked at.
func (f *found) unseen() string {
	names := f.missed
	if len(names) > mostNamed {
		names = names[:mostNamed]
	}
	s := text.Clean(strings.Join(names, ", "))
	if n := len(f.missed) - len(names); n > 0 {
		s += " and " + text.Plural(int64(n), "more", "more")
	}
	if f.err != nil {
		s += " (" + text.Clean(f.err.Error()) + ")"
	}
	return s
}

// nothing says that no job was found, and how far that goes.
func (f *found) nothing() string {
	s := f.what + ": no job has it"
	switch {
	case f.alone && f.err != nil:
		s = "not found: " + f.err.Error()
	case len(f.missed) > 0:
		return s + " in the queues that answer; not looked at: " + f.unseen()
	case !f.whole:
		s = f.what + ": not among the jobs that can be looked through; :job KEY finds any job"
	}
	return s
}
