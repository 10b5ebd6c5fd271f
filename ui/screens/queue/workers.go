package queue

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/table"
)

// crew are the rows of a list of workers: those of whom a lease has run out first,
// then by name, and last the one without. How many leases a worker holds changes at every look, and rows that
// stand by it change their places under the reader's eye.
func crew(p *model.Page) []row {
	out := make([]row, len(p.Workers))
	for i := range p.Workers {
		out[i].worker = &p.Workers[i]
	}
	class := func(r row) int {
		switch w := r.worker; {
		case w.Expired.N > 0:
			return 0
		case w.Worker != "":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(out, func(a, b row) int {
		return cmp.Or(cmp.Compare(class(a), class(b)), strings.Compare(a.worker.Worker, b.worker.Worker))
	})
	return out
}

// crewFields are the columns of the workers.
func crewFields(m *model.Mapping, _, width int) []field {
	out := []field{
		{table.Column{Title: "WORKER", Width: max(16, workerWidth(width))}, func(r row) table.Cell {
			if r.worker.Worker == "" {
				return table.Cell{Text: "no name recorded", Tone: themes.Dim}
			}
			return table.Cell{Text: text.Clean(r.worker.Worker), Tone: themes.Strong}
		}},
		{table.Column{Title: "LEASES", Width: 6, Right: true}, func(r row) table.Cell { return counted(r.worker.Leases, themes.Plain) }},
		{table.Column{Title: "EXPIRED", Width: 7, Right: true, Rank: 2}, func(r row) table.Cell { return counted(r.worker.Expired, themes.Warn) }},
		{table.Column{Title: "OLDEST", Width: ageWidth, Right: true, Rank: 5}, func(r row) table.Cell {
			if r.worker.Leases.N == 0 {
				return table.Cell{}
			}
			return aged(r.worker.Held)
		}},
		{table.Column{Title: "SEEN", Width: ageWidth, Right: true, Rank: 1}, func(r row) table.Cell { return r.ago(r.worker.Beat.At, themes.Plain) }},
	}
	if !m.History.IsZero() {
		out = append(out,
			field{table.Column{Title: "DONE/MIN", Width: 8, Right: true, Rank: 4}, func(r row) table.Cell { return perMinute(r.worker.Done, r.worker.Over, themes.Plain) }},
			field{table.Column{Title: "FAILED", Width: 6, Right: true, Rank: 3}, func(r row) table.Cell { return counted(r.worker.Failed, themes.Plain) }})
	}
	return append(out, field{table.Column{Title: "NOTE", Width: 26, Grow: true, Rank: 2}, crewNote})
}

// counted is a count; one that should be zero and is not has a tone.
func counted(c model.Count, tone themes.Token) table.Cell {
	switch {
	case !c.Known():
		return unknown()
	case c.N == 0:
		return table.Cell{Text: "0", Tone: themes.Dim}
	}
	return table.Cell{Text: text.Count(c), Tone: tone, Weight: float64(c.N)}
}

// perMinute is what came to an end a minute. In its first minute a history tells of no
// rate yet, only of a number.
func perMinute(c model.Count, over time.Duration, tone themes.Token) table.Cell {
	if !c.Known() || over <= 0 {
		return unknown()
	}
	rate := float64(c.N) / max(over, time.Minute).Minutes()
	return table.Cell{Text: text.Rate(model.Rate{PerSec: rate, Trust: c.Trust}), Tone: tone, Weight: rate}
}

// crewNote says in words what is remarkable about a worker: above all that it
// holds jobs and nothing was heard of it.
func crewNote(r row) table.Cell {
	w := r.worker
	since := r.now.Sub(w.Beat.At)
	known := !w.Beat.At.IsZero()
	switch {
	case w.Leases.N == 0 && known:
		return table.Cell{Text: "idle " + text.Short(since), Tone: themes.Dim}
	case w.Leases.N == 0:
		return table.Cell{Text: "idle", Tone: themes.Dim}
	case w.Expired.N > 0 && known && since < r.mapping.UsualLease()/3: // a beat of another job's
		return table.Cell{Text: "alive, " + text.Plural(w.Expired.N, "lease", "leases") + " ran out", Tone: themes.Warn}
	case w.Expired.N > 0 && known:
		return table.Cell{Text: "silent " + text.Short(since) + ", may be alive", Tone: themes.Bad}
	case w.Expired.N > 0:
		return table.Cell{Text: "leases ran out", Tone: themes.Bad}
	case known && since > r.mapping.UsualLease()*3/4:
		return table.Cell{Text: "silent " + text.Short(since) + ", still leased", Tone: themes.Warn}
	}
	return table.Cell{}
}

// heldBy is the filter for the jobs of a worker.
func heldBy(worker string) string {
	if worker == "" {
		worker = text.Unknown
	}
	name, _, _ := strings.Cut(worker, `"`) // there is no way to write one in a filter
	if strings.ContainsAny(name, " :!") {
		return `worker:"` + name + `"`
	}
	return "worker:" + name
}
