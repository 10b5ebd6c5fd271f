package queue

import (
	"strconv"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/table"
)

// events are the rows of the history.
func events(p *model.Page) []row {
	out := make([]row, len(p.Events))
	for i := range p.Events {
		out[i].event = &p.Events[i]
	}
	return out
}

// eventFields are the columns of the history.
func eventFields(m *model.Mapping, keys, width int) []field {
	out := []field{
		{table.Column{Title: "AGO", Width: ageWidth, Right: true}, func(r row) table.Cell { return r.ago(r.event.At, themes.Plain) }},
		{table.Column{Title: "JOB", Width: keyWidth(keys)}, func(r row) table.Cell {
			return table.Cell{Text: text.Clean(r.event.Key.String()), Tone: themes.Strong, Weight: keyWeight(r.event.Key)}
		}},
		{table.Column{Title: "WHAT", Width: 14, Rank: 1}, whatCell},
	}
	if m.Has(model.RoleAttempts) {
		out = append(out, field{table.Column{Title: "TRY", Width: 4, Right: true, Rank: 5}, func(r row) table.Cell {
			if !r.event.Attempts.Known {
				return unknown()
			}
			return table.Cell{Text: text.Grouped(r.event.Attempts.N), Weight: float64(r.event.Attempts.N)}
		}})
	}
	return append(out,
		field{table.Column{Title: "WORKER", Width: workerWidth(width), Rank: 4}, func(r row) table.Cell {
			if r.event.Worker == "" {
				return unknown()
			}
			return table.Cell{Text: text.Clean(r.event.Worker)}
		}},
		field{table.Column{Title: "BY", Width: 12, Rank: 3}, func(r row) table.Cell { return byCell(r, width >= bothNames) }},
		field{table.Column{Title: "REASON", Width: noteLeast, Grow: true, Rank: 2}, func(r row) table.Cell {
			return table.Cell{Text: text.Clean(r.event.Reason)}
		}})
}

func whatCell(r row) table.Cell {
	c := table.Cell{Text: text.Clean(string(r.event.Kind))}
	switch r.event.Kind {
	case model.EventFailed, model.EventExpired: // they happened, and stand out from what is dim
	case model.EventCompleted, model.EventReleased:
		c.Tone = themes.Dim
	case model.EventReclaimed, model.EventDeadLettered, model.EventExtended, model.EventRequeued, model.EventBraked, model.EventUnbraked:
		c.Tone = themes.Accent
	}
	return c
}

// bothNames is the least width at which the worker has a column of his own.
const bothNames = 104

// byCell is who did it: an operator, as he named himself and else as the server
// knows him, or the worker whose step it was: by name where no other column has it.
func byCell(r row, both bool) table.Cell {
	switch e := r.event; {
	case e.Action == "" && e.Worker == "":
		return unknown()
	case e.Action == "" && both && e.Kind == model.EventExpired:
		return table.Cell{Text: "recovery", Tone: themes.Dim} // he did nothing, which is why
	case e.Action == "" && both:
		return table.Cell{Text: "worker", Tone: themes.Dim}
	case e.Action == "":
		return table.Cell{Text: text.Clean(e.Worker), Tone: themes.Dim}
	case e.Actor != "":
		return table.Cell{Text: text.Clean(e.Actor), Full: text.Clean(e.Actor + " " + e.Login)}
	default:
		return table.Cell{Text: text.Clean(e.Login)}
	}
}

// stamp names an event among those of its job.
func stamp(e *model.Event) string {
	return string(e.Kind) + strconv.FormatInt(e.At.UnixNano(), 10) + e.OldToken.String()
}
