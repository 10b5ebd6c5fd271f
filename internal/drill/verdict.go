package drill

import "time"

// Guarantee is one thing that the drill checks.
type Guarantee struct {
	Name string // stable, such as "claims-not-shared"
	Says string // the guarantee in one sentence
}

// Verdict is what the drill found about one guarantee.
type Verdict struct {
	Guarantee
	OK     bool
	Figure float64 // how often it was broken, or what was measured
	Limit  float64 // the most that Figure may be
	Text   string  // what was done and seen, in one sentence; the first faults where it does not hold
}

// Outcome is what a drill found.
type Outcome struct {
	Engine   Engine
	Break    string // the known mistake that it ran with; empty: none
	Seed     uint64
	Claimers int
	Jobs     int
	Took     time.Duration
	Verdicts []Verdict
	Cut      bool // it was stopped before its end: Verdicts are those it reached
}

// OK reports whether every guarantee that was looked at holds. A drill that looked
// at none, or was cut short, proves nothing.
func (o Outcome) OK() bool {
	if o.Cut {
		return false
	}
	for _, v := range o.Verdicts {
		if !v.OK {
			return false
		}
	}
	return len(o.Verdicts) > 0
}

// tally gathers what one guarantee comes to.
type tally struct {
	finding
	seen   bool    // its scene came to it
	figure float64 // where something is measured
	limit  float64
}

// measure gives a figure that is not a count of faults.
func (t *tally) measure(figure, limit float64) { t.figure, t.limit = figure, limit }

func (t *tally) verdict(g Guarantee) Verdict {
	v := Verdict{Guarantee: g, Limit: t.limit, Figure: t.figure, Text: t.finding.figure}
	if n := len(t.faults) + t.more; n > 0 && t.limit == 0 {
		v.Figure = float64(n)
	}
	v.OK = v.Figure <= v.Limit && len(t.faults) == 0
	if text := t.result().Text; text != "" {
		v.Text = text // what was meant to be seen is not what was seen
	}
	return v
}
