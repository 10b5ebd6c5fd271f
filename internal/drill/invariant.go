package drill

import (
	"fmt"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// Facts are what the table says at the end.
type Facts struct {
	Enqueued int                         // how many jobs went in
	Rows     []*model.Job                // every one of them that is there
	History  map[model.Key][]model.Event // oldest first; nil: the table records none
	Partial  bool                        // a process died with its ledger: unknown claims are no fault
}

// Check holds the facts and what the workers were told to the guarantees of a
// lease queue: every job ends once; every (key, token) that was handed out ends
// once; no token is honoured after it was replaced; no worker was told a lie; no
// job is claimed beyond its bound; nothing is lost or doubled.
func Check(l *Ledger, f Facts) Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &checker{l: l, f: f, told: told(l)}
	for _, check := range []func(*finding){
		c.conservation, c.endedOnce, c.claimsEndOnce, c.fence, c.truth, c.bound,
	} {
		var v finding
		check(&v)
		c.report.Checks = append(c.report.Checks, v.result())
	}
	c.report.Figures = c.figures()
	return c.report
}

type checker struct {
	l      *Ledger
	f      Facts
	told   map[model.Key]word
	report Report
}

// conservation: what went in is there, each row once, each in a final state.
func (c *checker) conservation(v *finding) {
	var done, failed int
	seen := make(map[model.Key]bool, len(c.f.Rows))
	for _, j := range c.f.Rows {
		if seen[j.Key] {
			v.fault("job %s is there twice", j.Key)
		}
		seen[j.Key] = true
		switch j.State {
		case model.Done:
			done++
		case model.Failed:
			failed++
		case model.StateUnknown, model.Scheduled, model.Ready, model.Working:
			v.fault("job %s is still %s", j.Key, j.State)
		}
	}
	if len(seen) != c.f.Enqueued {
		v.fault("%d jobs went in, %d are there", c.f.Enqueued, len(seen))
	}
	v.say("conservation", "%d in = %d done + %d failed", c.f.Enqueued, done, failed)
}

// endedOnce: the history ends every job exactly once, in the state that it has.
// Without a history the workers' word is all that can be known.
func (c *checker) endedOnce(v *finding) {
	total := 0
	for _, j := range c.f.Rows {
		n, want := c.told[j.Key].done, 1
		if c.f.History == nil && n == 0 && (c.f.Partial || c.told[j.Key].unsure) {
			n = 1
		}
		if c.f.History != nil {
			n, want = ends(c.f.History[j.Key])
		}
		if n != want {
			v.fault("job %s, %s, ended %d times", j.Key, j.State, n)
		}
		total += n
	}
	v.say("each job ends once", "%d ends", total)
}

// ends counts the events that ended a job, and how many there have to be: one, and
// one more for every time that it was requeued.
func ends(events []model.Event) (n, want int) {
	want = 1
	for _, e := range events {
		switch {
		case e.Kind == model.EventRequeued:
			want++
		case e.NewState == model.Done || e.NewState == model.Failed:
			n++
		}
	}
	return n, want
}

// claimsEndOnce: every claim that a worker received, and only such, has one end.
func (c *checker) claimsEndOnce(v *finding) {
	for _, id := range c.l.twice {
		v.fault("job %s was handed out twice with token %s", id.key, id.token)
	}
	for _, e := range c.l.strange {
		v.fault("job %s: a worker was told %q about a claim that nobody received", e.Key, e.Kind)
	}
	for id, e := range c.l.claims {
		if len(e.ends) > 1 {
			v.fault("job %s: token %s was told %d ends", id.key, id.token, len(e.ends))
		}
	}
	v.say("each claim ends once", "%d claims", len(c.l.claims))
	if c.f.History == nil {
		return
	}
	ends := make(map[claimID]int, len(c.l.claims))
	for k, events := range c.f.History {
		for _, e := range events {
			if endsAttempt(e) {
				ends[claimID{k, e.OldToken}]++
			}
		}
	}
	for id := range c.l.claims {
		if ends[id] != 1 {
			v.fault("job %s: the history ends token %s %d times", id.key, id.token, ends[id])
		}
	}
	for id, n := range ends {
		if c.l.claims[id] == nil && !c.f.Partial && !c.l.unsure[id.token] {
			v.fault("job %s: the history ends token %s, which no worker received, %d times", id.key, id.token, n)
		}
	}
}

// endsAttempt reports whether an event ended a claim.
func endsAttempt(e model.Event) bool {
	return e.OldState == model.Working && e.NewState != model.Working
}

// fence: in a job's history every event names the token that the one before left
// or that a claim wrote since, never one that was replaced; the row ends with the
// last.
func (c *checker) fence(v *finding) {
	steps := 0
	for _, j := range c.f.Rows {
		replaced := map[model.Token]bool{}
		events := c.f.History[j.Key]
		for _, e := range events {
			steps++
			if replaced[e.OldToken] {
				v.fault("job %s: %s by token %s after it was replaced", j.Key, e.Kind, e.OldToken)
			}
			if e.NewToken != e.OldToken && !e.OldToken.IsZero() {
				replaced[e.OldToken] = true
			}
		}
		if n := len(events); n > 0 && events[n-1].NewToken != j.Token {
			v.fault("job %s carries token %s, its last event left %s", j.Key, j.Token, events[n-1].NewToken)
		}
		if replaced[j.Token] {
			v.fault("job %s carries token %s, which was replaced", j.Key, j.Token)
		}
	}
	v.say("no replaced token is honoured", "%d steps", steps)
}

// bound: attempts stay within the job's bound, and the claims that the table counts
// are those that ended.
func (c *checker) bound(v *finding) {
	most := int64(0)
	for _, j := range c.f.Rows {
		if !j.Attempts.Known || !j.MaxAttempts.Known {
			continue
		}
		most = max(most, j.Attempts.N)
		if j.Attempts.N > j.MaxAttempts.N {
			v.fault("job %s has %d attempts of %d", j.Key, j.Attempts.N, j.MaxAttempts.N)
		}
		var claims, released, requeued int64
		for _, e := range c.f.History[j.Key] {
			switch {
			case e.Kind == model.EventRequeued:
				requeued++
			case endsAttempt(e):
				claims++
			}
			if e.Kind == model.EventReleased {
				released++
			}
		}
		if c.f.History == nil || requeued > 0 {
			continue
		}
		if claims-released != j.Attempts.N {
			v.fault("job %s counts %d attempts, its history %d claims less %d released", j.Key, j.Attempts.N, claims, released)
		}
		if j.TotalClaims.Known && claims != j.TotalClaims.N {
			v.fault("job %s counts %d claims in all, its history %d", j.Key, j.TotalClaims.N, claims)
		}
	}
	v.say("claims stay within the bound", "at most %d attempts", most)
}

func (c *checker) figures() string {
	n := c.l.counts
	return fmt.Sprintf("%d claims: %d completed, %d failed, %d released, %d confirmed, %d lost, %d unsure, %d left; %d recovered",
		n[worker.EventClaimed], n[worker.EventCompleted], n[worker.EventFailed], n[worker.EventReleased], n[worker.EventConfirmed],
		n[worker.EventLost], n[worker.EventUnsure], n[worker.EventLeft], n[worker.EventRecovered])
}
