package diagnose

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// leases are the rules about rows that are being worked on.
func (st *state) leases(f facts) []model.Finding {
	var found []model.Finding
	st.abandoned = abandoned(f, st.abandoned)
	if st.abandoned {
		found = append(found, nobodyRecovers(f))
	}
	if some(f.figures.Expired) {
		found = append(found, expired(f, st.abandoned))
	}
	if some(f.figures.Corrupt) {
		found = append(found, corrupt(f))
	}
	return found
}

// leastLease is what a shorter lease counts for: with leases of a second a row
// that waits for its recovery is no news.
const leastLease = 4 * time.Second

// abandoned reports whether expired rows lie longer than any recovery leaves
// them: it runs every quarter of a lease, so after three quarters it has failed
// to come three times.
func abandoned(f facts, already bool) bool {
	lease := max(f.lease, leastLease)
	limit := 3 * lease / 4
	if already {
		limit = lease / 2
	}
	worst := f.figures.WorstOverdue
	return some(f.figures.Expired) && worst.Known() && worst.D > limit
}

func nobodyRecovers(f facts) model.Finding {
	found := model.Finding{
		Kind: KindNobodyRecovers, Severity: model.Bad, Key: f.figures.WorstKey,
		Text: fmt.Sprintf("nobody returns expired rows: the worst is %s overdue", text.Short(f.figures.WorstOverdue.D)),
	}
	if m := f.s.Mapping; m != nil && m.Family == model.Fenced {
		found.Cure = "`leasetop recover " + f.s.Queue + "` takes them back"
	}
	return found
}

func expired(f facts, abandoned bool) model.Finding {
	n, worst := f.figures.Expired, f.figures.WorstOverdue
	found := model.Finding{Kind: KindExpired, Severity: model.Warn, Key: f.figures.WorstKey}
	what, of := text.Count(n)+" leases ran out", "its worker"
	if n.N == 1 {
		what = text.Count(n) + " lease ran out"
	}
	if !found.Key.IsZero() {
		what += "; the worst is " + text.Brief(found.Key.String()) // a key is the column's exact text
	}
	if worst.Known() {
		what += ", " + text.Short(worst.D) + " overdue"
	}
	if j := f.job(found.Key); j != nil && j.Worker != "" {
		of = text.Clean(j.Worker)
	}
	found.Text = what + "; " + of + " may still be running"
	if !abandoned {
		found.Cure = "the next recovery takes it back"
	}
	return found
}

func corrupt(f facts) model.Finding {
	n := f.figures.Corrupt
	found := model.Finding{
		Kind: KindCorrupt, Severity: model.Bad,
		Text: text.Count(n) + " rows are working without a token or a lease: nothing will ever end them",
		Cure: "make sure that nobody works on them, then set their state by hand",
	}
	if n.N == 1 {
		found.Text = text.Count(n) + " row is working without a token or a lease: nothing will ever end it"
		found.Cure = "make sure that nobody works on it, then set its state by hand"
	}
	for _, j := range f.jobs {
		if j.Corrupt() {
			found.Key = j.Key
			break
		}
	}
	return found
}
