package model

// Limit is where a figure begins to need a person: above Warn, and above Bad. A
// step that is not known has no limit. A time is in milliseconds.
type Limit struct{ Warn, Bad Number }

// IsZero reports whether nothing is limited.
func (l Limit) IsZero() bool { return !l.Warn.Known && !l.Bad.Known }

// Measure names a figure that can have a limit. Its text is the key in the
// configuration, the word in flags and in JSON.
type Measure string

// The figures that can have a limit.
const (
	MeasureOldest  Measure = "oldest"  // how long the oldest ready job has waited
	MeasureOverdue Measure = "overdue" // how far the worst expired lease lies back
	MeasureReady   Measure = "ready"
	MeasureExpired Measure = "expired"
	MeasureFailed  Measure = "failed"
)

// Measures lists them in the order in which they are shown.
func Measures() []Measure {
	return []Measure{MeasureOldest, MeasureOverdue, MeasureReady, MeasureExpired, MeasureFailed}
}

// IsTime reports whether the figure is a time and not a count.
func (m Measure) IsTime() bool { return m == MeasureOldest || m == MeasureOverdue }

// Limits are a queue's limits. A nil Limits limits nothing.
type Limits map[Measure]Limit

// Over is the limits with what they say laid over a base, step by step.
func (l Limits) Over(base Limits) Limits {
	out := Limits{}
	for _, m := range Measures() {
		one := base[m]
		if w := l[m].Warn; w.Known {
			one.Warn = w
		}
		if b := l[m].Bad; b.Known {
			one.Bad = b
		}
		if !one.IsZero() {
			out[m] = one
		}
	}
	return out
}
