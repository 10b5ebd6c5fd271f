package report

import (
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Latency is how long the newest completed jobs had been in work.
type Latency struct {
	P50Ms int64 `json:"p50_ms"`
	P95Ms int64 `json:"p95_ms"`
	P99Ms int64 `json:"p99_ms"`
	Of    Count `json:"of" jsonschema:"how many jobs it is taken from"`
	Over  int64 `json:"over_ms" jsonschema:"the time in which they were completed"`
}

// latency is nil where nothing is known.
func latency(p *model.Part[model.Latency]) *Latency {
	l := &p.Data
	if !p.Known() || l.N.N == 0 {
		return nil
	}
	ms := time.Duration.Milliseconds
	return &Latency{ms(l.P50), ms(l.P95), ms(l.P99), count(l.N), ms(l.Over)}
}

// latencyLine is the same for people, empty where nothing was asked.
func latencyLine(p *model.Part[model.Latency]) string {
	l := &p.Data
	switch {
	case p.Err != nil:
		return "in work: not known: " + p.Err.Text
	case !p.Known():
		return ""
	case l.N.N == 0:
		return "in work: nothing was completed"
	}
	ms := func(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
	return fmt.Sprintf("in work: p50 %s, p95 %s, p99 %s, of the last %s completed in %s",
		ms(l.P50), ms(l.P95), ms(l.P99), text.Count(l.N), text.Short(l.Over))
}
