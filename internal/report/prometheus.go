package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Prometheus writes snapshots in the text exposition format, version 0.0.4, for a
// textfile collector. What is not known has no sample; a figure that is only a
// lower bound says so in leasetop_jobs_lower_bound.
func Prometheus(w io.Writer, seen []*model.Snapshot) error {
	var p exposition
	p.family("leasetop_up", "Whether the queue could be read: 1 or 0.", seen, func(s *model.Snapshot, add adding) {
		add(yes(s.Pulse.Known() && firstFault(s.Watch.Err, s.Pulse.Err, s.Page.Err) == nil))
	})
	p.family("leasetop_jobs", "Jobs by state. Working includes expired.", seen, func(s *model.Snapshot, add adding) {
		for _, c := range counts(s) {
			add(float64(c.count.N), "state", c.state)
		}
	})
	p.family("leasetop_jobs_lower_bound", "1 where there may be more jobs than leasetop_jobs says.", seen, func(s *model.Snapshot, add adding) {
		for _, c := range counts(s) {
			add(yes(c.count.Trust == model.AtLeast || c.count.Trust == model.Capped), "state", c.state)
		}
	})
	p.family("leasetop_oldest_ready_seconds", "How long the oldest ready job has waited.", seen, func(s *model.Snapshot, add adding) {
		if f := s.Figures(); f.Oldest != nil && f.Oldest.Waiting.Known() {
			add(f.Oldest.Waiting.D.Seconds())
		}
	})
	p.family("leasetop_oldest_ready_by_priority_seconds", "How long the oldest ready job of a priority has waited.", seen, func(s *model.Snapshot, add adding) {
		for _, o := range s.Figures().ByPriority {
			if !o.Waiting.Known() {
				continue
			}
			priority := "none" // not 0, which is a priority of its own
			if o.Priority.Known {
				priority = strconv.FormatInt(o.Priority.N, 10)
			}
			add(o.Waiting.D.Seconds(), "priority", priority)
		}
	})
	p.family("leasetop_worst_overdue_seconds", "How far the worst expired lease lies back.", seen, func(s *model.Snapshot, add adding) {
		if a := s.Figures().WorstOverdue; a.Known() {
			add(a.D.Seconds())
		}
	})
	p.family("leasetop_findings", "Findings by kind and severity.", seen, findingCounts)
	p.family("leasetop_look_seconds", "How long the look took.", seen, func(s *model.Snapshot, add adding) { add(s.Cost.Took.Seconds()) })
	p.family("leasetop_look_statements", "How many statements the look sent.", seen, func(s *model.Snapshot, add adding) { add(float64(s.Cost.Statements)) })
	_, err := io.WriteString(w, p.b.String())
	return err
}

// adding adds a sample with labels beside those of its queue.
type adding func(value float64, labels ...string)

// exposition is the text so far.
type exposition struct{ b strings.Builder }

// family writes one metric's samples of all queues; a metric without any is left
// out.
func (p *exposition) family(name, help string, seen []*model.Snapshot, samples func(*model.Snapshot, adding)) {
	var lines []string
	for _, s := range seen {
		samples(s, func(value float64, labels ...string) {
			all := append([]string{"server", s.Server, "queue", s.Queue}, labels...)
			lines = append(lines, name+"{"+pairs(all)+"} "+strconv.FormatFloat(value, 'g', -1, 64))
		})
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(&p.b, "# HELP %s %s\n# TYPE %s gauge\n%s\n", name, help, name, strings.Join(lines, "\n"))
}

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func pairs(labels []string) string {
	var out []string
	for i := 0; i+1 < len(labels); i += 2 {
		out = append(out, labels[i]+`="`+escaped.Replace(text.Clean(labels[i+1]))+`"`)
	}
	return strings.Join(out, ",")
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// stateCount is a state's figure, if it is known.
type stateCount struct {
	state string
	count model.Count
}

func counts(s *model.Snapshot) []stateCount {
	f := s.Figures()
	var out []stateCount
	for _, c := range []stateCount{
		{"ready", f.Ready}, {"scheduled", f.Scheduled}, {"working", f.Working}, {"expired", f.Expired}, {"failed", f.Failed}, {"done", f.Done},
	} {
		if c.count.Known() {
			out = append(out, c)
		}
	}
	return out
}

func findingCounts(s *model.Snapshot, add adding) {
	type kind struct{ kind, severity string }
	n := map[kind]float64{}
	var order []kind
	for _, f := range s.Findings {
		k := kind{f.Kind, f.Severity.String()}
		if n[k] == 0 {
			order = append(order, k)
		}
		n[k]++
	}
	for _, k := range order {
		add(n[k], "kind", k.kind, "severity", k.severity)
	}
}
