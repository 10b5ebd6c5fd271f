package drill

import (
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// word is what workers were told about one job.
type word struct {
	done   int  // how often that they completed it
	unsure bool // at least once that nobody knows
}

func told(l *Ledger) map[model.Key]word {
	out := make(map[model.Key]word, len(l.claims))
	for id, e := range l.claims {
		w := out[id.key]
		for _, end := range e.ends {
			if end.Kind == worker.EventCompleted || end.Kind == worker.EventConfirmed && end.Step == worker.StepComplete {
				w.done++
			}
			w.unsure = w.unsure || end.Kind == worker.EventUnsure
		}
		out[id.key] = w
	}
	return out
}

// truth: what a worker was told about its claim is what happened.
func (c *checker) truth(v *finding) {
	answers := 0
	for id, e := range c.l.claims {
		for _, end := range e.ends {
			answers++
			if why := c.lie(id, end); why != "" {
				v.fault("job %s: %s was told %q: %s", id.key, e.worker, end.Kind, why)
			}
		}
	}
	for k, w := range c.told {
		if w.done > 1 {
			v.fault("job %s: %d workers were told that they completed it", k, w.done)
		}
	}
	v.say("workers were told the truth", "%d answers", answers)
}

// lie says what the history knows better, if it does.
func (c *checker) lie(id claimID, told worker.Event) string {
	if c.f.History == nil {
		return ""
	}
	var end model.Event // the zero kind: the claim never ended
	for _, e := range c.f.History[id.key] {
		if e.OldToken == id.token && endsAttempt(e) {
			end = e
		}
	}
	mine := told.Next != "" && end.NewToken.String() == told.Next
	switch told.Kind {
	case worker.EventCompleted:
		return unless(end.Kind == model.EventCompleted, end)
	case worker.EventFailed:
		return unless(end.Kind == model.EventFailed && mine, end)
	case worker.EventReleased:
		return unless(end.Kind == model.EventReleased && mine, end)
	case worker.EventConfirmed:
		return unless(mine || told.Step == worker.StepComplete && end.Kind == model.EventCompleted, end)
	case worker.EventLost:
		// A failure or release whose reply was lost, and whose job was claimed again before
		// the re-read, cannot be told from a loss; a completion can.
		return unless(end.Kind != model.EventCompleted, end)
	case worker.EventClaimed, worker.EventUnsure, worker.EventLeft, worker.EventRecovered, worker.EventPromoted,
		worker.EventWaiting, worker.EventTrouble, worker.EventBraked, worker.EventUnbraked:
	}
	return ""
}

func unless(ok bool, end model.Event) string {
	if ok {
		return ""
	}
	if end.Kind == "" {
		return "the history knows no end of that claim"
	}
	return "the history says " + string(end.Kind)
}
