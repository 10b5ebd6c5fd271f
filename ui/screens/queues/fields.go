package queues

import (
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// field is a column and how a queue fills it.
type field struct {
	table.Column
	cell func(*kit.Env, *line) table.Cell
}

// lay makes the columns for a width. The server has one where there are several. The
// names take what the longest needs, up to a bound: the figures have the rest.
func (s *Screen) lay(width int) {
	names, servers := wide{8, 16}, wide{6, 12}
	words := 22
	switch {
	case width >= roomy:
		names.most, servers.most = 32, 20
	case width < cramped:
		words = 10
	}
	several := map[string]bool{}
	for _, l := range s.queues {
		several[l.Server] = true
		names.hold(l.Queue)
		servers.hold(l.Server)
	}
	s.fields = fields(names.least, servers.least, words, len(several) > 1)
	s.columns = s.columns[:0]
	for _, f := range s.fields {
		s.columns = append(s.columns, f.Column)
	}
}

// The width from which names may be long, and that below which the words of the
// health are cut rather than left out.
const roomy, cramped = 160, 64

// wide is how many cells a column takes, and how many it may.
type wide struct{ least, most int }

// hold makes room for a text.
func (w *wide) hold(s string) { w.least = min(w.most, max(w.least, text.Width(text.Clean(s)))) }

// fields are the columns and what stands in them, that of the server if it is wanted.
// What gives way first is what another column says as well: the curve of the oldest
// and what comes in before the drain, which is made of both.
func fields(names, servers, words int, several bool) []field {
	count := func(title string, rank int, tone themes.Token, of func(*model.Pulse) model.Count) field {
		return field{table.Column{Title: title, Width: 7, Right: true, Rank: rank}, func(_ *kit.Env, l *line) table.Cell {
			return l.count(of(&l.figures), tone)
		}}
	}
	rate := func(title string, rank int, of func(*line) model.Rate) field {
		return field{table.Column{Title: title, Width: 6, Right: true, Rank: rank}, func(_ *kit.Env, l *line) table.Cell {
			return table.Cell{Text: text.Rate(of(l)), Tone: themes.Dim}
		}}
	}
	out := []field{{table.Column{Title: "QUEUE", Width: names}, name}}
	if several {
		out = append(out, field{table.Column{Title: "SERVER", Width: servers, Rank: 6}, server})
	}
	return append(out,
		count("READY", 0, themes.Plain, func(p *model.Pulse) model.Count { return p.Ready }),
		field{table.Column{Title: "OLDEST", Width: 7, Right: true, Rank: 2}, oldest},
		field{table.Column{Title: "8 MIN", Width: sparkCells, Rank: 10}, func(_ *kit.Env, l *line) table.Cell {
			return table.Cell{Text: l.spark, Tone: themes.LineA}
		}},
		field{table.Column{Title: "WORKING", Width: 7, Right: true, Rank: 5}, working},
		count("EXPIRED", 3, themes.Warn, func(p *model.Pulse) model.Count { return p.Expired }),
		count("FAILED", 4, themes.Plain, func(p *model.Pulse) model.Count { return p.Failed }),
		rate("IN/S", 9, func(l *line) model.Rate { return l.In }),
		rate("OUT/S", 8, func(l *line) model.Rate { return l.Out }),
		field{table.Column{Title: "DRAIN", Width: 8, Right: true, Rank: 7}, func(_ *kit.Env, l *line) table.Cell {
			return table.Cell{Text: l.drain.Words(false), Tone: themes.Dim}
		}},
		field{table.Column{Title: "HEALTH", Width: words, Grow: true, Rank: 1}, func(_ *kit.Env, l *line) table.Cell {
			h := l.health()
			return table.Cell{Text: h.Text, Tone: h.Tone}
		}},
	)
}
