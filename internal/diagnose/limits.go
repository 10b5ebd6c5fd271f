package diagnose

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Reading is a figure held against its limit.
type Reading struct {
	Measure  model.Measure
	Limit    model.Limit
	Value    model.Number // a time in milliseconds; what is known of the figure, if anything
	Trust    model.Trust
	Severity model.Severity // the worst step that is certainly passed
	Decided  bool           // false: whether a further step is passed cannot be known
	Text     string
}

// Readings hold a snapshot's figures against limits, in the order of
// model.Measures. A figure that is only known to be at least something passes a
// limit or leaves it undecided, and never keeps it.
func Readings(s *model.Snapshot, l model.Limits) []Reading {
	var out []Reading
	for _, m := range model.Measures() {
		limit, ok := l[m]
		if !ok {
			continue
		}
		r := Reading{Measure: m, Limit: limit}
		r.Value, r.Trust = figure(s, m)
		r.judge()
		out = append(out, r)
	}
	return out
}

// figure is what is known of a measure.
func figure(s *model.Snapshot, m model.Measure) (model.Number, model.Trust) {
	if !s.Pulse.Known() || s.Pulse.Err != nil {
		return model.Number{}, model.Unknown
	}
	f := s.Figures()
	count := func(c model.Count) (model.Number, model.Trust) {
		return model.Number{N: c.N, Known: c.Known()}, c.Trust
	}
	age := func(a model.Age, of model.Count) (model.Number, model.Trust) {
		switch {
		case a.Known():
			return model.NumberOf(a.D.Milliseconds()), a.Trust
		case of.Known() && of.N == 0: // nothing waits, so nothing is late
			return model.NumberOf(0), of.Trust
		}
		return model.Number{}, model.Unknown
	}
	switch m {
	case model.MeasureReady:
		return count(f.Ready)
	case model.MeasureExpired:
		return count(f.Expired)
	case model.MeasureFailed:
		return count(f.Failed)
	case model.MeasureOldest:
		var oldest model.Age
		if f.Oldest != nil {
			oldest = f.Oldest.Waiting
		}
		return age(oldest, f.Ready)
	case model.MeasureOverdue:
		return age(f.WorstOverdue, f.Expired)
	}
	return model.Number{}, model.Unknown
}

// judge finds the worst step that is passed, and whether that is all that can be
// said.
func (r *Reading) judge() {
	upper := r.Trust == model.Exact || r.Trust == model.Estimated // else it may be more
	passed := func(n model.Number) bool { return n.Known && r.Value.Known && r.Value.N > n.N }
	open := func(n model.Number) bool { return n.Known && !passed(n) && !upper }
	switch {
	case passed(r.Limit.Bad):
		r.Severity = model.Bad
	case passed(r.Limit.Warn):
		r.Severity = model.Warn
	}
	r.Decided = r.Severity == model.Bad || !open(r.Limit.Bad) && !open(r.Limit.Warn)
	r.Text = r.sentence()
}

// words name the measures in sentences.
func words(m model.Measure) string {
	switch m {
	case model.MeasureOldest:
		return "oldest ready"
	case model.MeasureOverdue:
		return "worst lease overdue"
	case model.MeasureReady, model.MeasureExpired, model.MeasureFailed:
	}
	return string(m)
}

func (r *Reading) sentence() string {
	said := words(r.Measure) + " " + r.shown()
	step := r.Limit.Bad
	switch {
	case r.Severity == model.Warn:
		step = r.Limit.Warn
	case r.Severity == model.Normal && !r.Decided && !step.Known:
		step = r.Limit.Warn
	}
	switch {
	case !r.Value.Known:
		return fmt.Sprintf("%s is not known", words(r.Measure))
	case r.Severity != model.Normal && !r.Decided:
		return fmt.Sprintf("%s, over %s; whether over %s is not known", said, r.amount(step.N), r.amount(r.Limit.Bad.N))
	case r.Severity != model.Normal:
		return fmt.Sprintf("%s, over %s", said, r.amount(step.N))
	case !r.Decided:
		return fmt.Sprintf("%s; whether over %s is not known", said, r.amount(step.N))
	}
	return said
}

func (r *Reading) shown() string {
	if r.Measure.IsTime() {
		return text.Age(model.Age{D: time.Duration(r.Value.N) * time.Millisecond, Trust: r.Trust})
	}
	return text.Count(model.Count{N: r.Value.N, Trust: r.Trust})
}

func (r *Reading) amount(n int64) string {
	if r.Measure.IsTime() {
		return text.Span(time.Duration(n) * time.Millisecond)
	}
	return text.Grouped(n)
}

// OverLimits are the findings of a snapshot's limits, worst first as they stand in
// model.Measures: what is certainly passed, and nothing that is only possible.
func OverLimits(s *model.Snapshot, l model.Limits) []model.Finding {
	var out []model.Finding
	for _, r := range Readings(s, l) {
		if r.Severity != model.Normal {
			out = append(out, model.Finding{Kind: KindOverLimit, Severity: r.Severity, Text: r.Text})
		}
	}
	return out
}
