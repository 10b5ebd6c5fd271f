package diagnose

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// An urgent job that waits longer than less urgent ones is found from urgentWait
// on and urgentTimes their wait, until it is urgentEnds of it.
const (
	urgentWait  = time.Minute
	urgentTimes = 4
	urgentEnds  = 2
)

// urgent finds a job that waits while its priority says that it should not: the
// oldest job of the whole queue may be young, and only a look at each priority
// shows it.
func (st *state) urgent(f facts) (model.Finding, bool) {
	times := time.Duration(urgentTimes)
	if st.late {
		times = urgentEnds
	}
	all := f.s.Pulse.Data.ByPriority
	for i, o := range all {
		for _, less := range all[i+1:] {
			if !o.Waiting.Known() || !less.Waiting.Known() || !comesFirst(o.Priority, less.Priority) || less.Waiting.Trust == model.AtLeast {
				continue
			}
			if o.Waiting.D < urgentWait || o.Waiting.D < times*less.Waiting.D {
				continue
			}
			st.late = true
			return model.Finding{
				Kind: KindUrgentWaits, Severity: model.Warn, Key: o.Key,
				Text: fmt.Sprintf("%s %s waits for %s, those %s for %s", text.Brief(o.Key.String()), ofPriority(o.Priority), text.Age(o.Waiting), ofPriority(less.Priority), text.Age(less.Waiting)),
				Cure: "w on it says what stands in its way",
			}, true
		}
	}
	st.late = false
	return model.Finding{}, false
}

// comesFirst reports whether jobs of one priority are claimed before those of another:
// both engines put what has none before all others.
func comesFirst(a, b model.Number) bool {
	return b.Known && (!a.Known || a.N < b.N)
}

func ofPriority(n model.Number) string {
	if !n.Known {
		return "without a priority"
	}
	return fmt.Sprintf("of priority %d", n.N)
}

// loopTries is how many attempts in a row must be over before a job whose last
// lease ended without a word is suspected of killing its workers.
const loopTries = 2

// loops are the jobs that may kill their workers, as the last list that could show
// them did. It is forgotten after one lease without such a list.
type loops struct {
	found model.Finding
	at    time.Time // server's time of that list; zero: it showed none
}

func (l *loops) observe(f facts) (model.Finding, bool) {
	p := &f.s.Page
	if v := p.Data.View; p.Err == nil && p.Known() && (v == model.ViewWorking || v == model.ViewRepeaters) {
		l.look(p.Data.Jobs, p.At)
	}
	if l.at.IsZero() || f.now.Sub(l.at) > f.lease {
		return model.Finding{}, false
	}
	return l.found, true
}

func (l *loops) look(jobs []*model.Job, at time.Time) {
	var worst *model.Job
	n := 0
	for _, j := range jobs {
		over := j.Attempts.N
		if j.State == model.Working {
			over--
		}
		if !j.Attempts.Known || over < loopTries || NatureOf(j) != Lapsed {
			continue
		}
		if n++; worst == nil || j.Attempts.N > worst.Attempts.N {
			worst = j
		}
	}
	if l.at = at; worst == nil {
		l.at = time.Time{}
		return
	}
	tries := text.Grouped(worst.Attempts.N)
	if worst.MaxAttempts.Known {
		tries += " of " + text.Grouped(worst.MaxAttempts.N)
	}
	name := text.Brief(worst.Key.String())
	words := fmt.Sprintf("%s may kill its workers: attempt %s, and the last lease ended without a word", name, tries)
	if n > 1 {
		words = fmt.Sprintf("%d jobs may kill their workers; the worst is %s: attempt %s, and the last lease ended without a word", n, name, tries)
	}
	l.found = model.Finding{Kind: KindCrashLoop, Severity: model.Warn, Key: worst.Key, Text: words, Cure: "see what its worker met, or dead-letter it"}
}
