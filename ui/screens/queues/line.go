package queues

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
	"github.com/leasetop/leasetop/ui/table"
)

// line is one queue of the list.
type line struct {
	*model.Snapshot
	figures model.Pulse
	drain   kit.Drain
	went    float64 // how many more ready jobs went than came, a second; NaN: not known
	spark   string
	quarter int64 // of a minute, what spark and went were taken at

	rank kit.Held // how much the queue needs a person, as it stands in the list
}

func newLine() *line { return &line{went: math.NaN()} }

func (l *line) take(e *kit.Env, s *model.Snapshot) {
	l.Snapshot, l.figures = s, s.Figures()
	l.look(e)
	l.drain.Take(s, &l.figures, l.went)
	l.rank.Take(s, need(s))
}

// sparkCells is how many minutes the sparkline shows, one a cell.
const sparkCells = 8

// coarse is the grain in which the ready jobs are compared.
const coarse = 15 * time.Second

// look reads the curves, four times a minute. The minute that is not over is the
// last of the sparkline: a queue that is watched since a moment has that to show.
func (l *line) look(e *kit.Env) {
	now := l.Now()
	if e.History == nil || now.IsZero() {
		return
	}
	if q := now.Unix() / int64(coarse/time.Second); q != l.quarter {
		l.quarter, l.went = q, math.NaN()
		l.spark = sparkline(e.History.Series(l.Queue, tape.OldestReady, now, time.Minute, sparkCells))
		if before, after, ok := kit.Lately(e.History.Series(l.Queue, tape.Ready, now, coarse, sparkCells), coarse); ok {
			l.went = (before - after) / time.Minute.Seconds()
		}
	}
}

// calm is an age that fills a sparkline: shorter ones look short.
const calm = time.Minute

// sparkline draws ages, each against the largest; a minute that was not watched is
// blank.
func sparkline(bs []tape.Bucket) string {
	const levels = "▁▂▃▄▅▆▇█"
	steps := []rune(levels)
	most := calm.Seconds()
	for _, b := range bs {
		if !b.Gap {
			most = max(most, b.Max)
		}
	}
	var out strings.Builder
	for _, b := range bs {
		switch {
		case b.Gap:
			out.WriteByte(' ')
		default:
			out.WriteRune(steps[min(len(steps)-1, int(b.Max/most*float64(len(steps))))])
		}
	}
	return out.String()
}

// worstFirst sorts by who needs a person most; those that need one alike stand in
// the order of their names.
func worstFirst(ls []*line) {
	slices.SortStableFunc(ls, func(a, b *line) int {
		return cmp.Or(cmp.Compare(b.rank.N, a.rank.N), cmp.Compare(a.Queue, b.Queue))
	})
}

// need is how much a queue needs a person.
func need(s *model.Snapshot) int {
	n := 0
	switch s.Watch.Health {
	case model.Broken, model.Down:
		n = 8
	case model.Stale:
		n = 3
	case model.Connecting, model.Live:
	}
	for _, f := range s.Findings {
		n = max(n, 2*int(f.Severity))
	}
	return n
}

// name is the queue's name, in the colour of its server if that has one: the server
// itself has no place on a narrow screen.
func name(e *kit.Env, l *line) table.Cell {
	return table.Cell{Text: text.Clean(l.Queue), Tone: e.Server(l.Server, themes.Strong)}
}

func server(_ *kit.Env, l *line) table.Cell {
	return table.Cell{Text: text.Clean(l.Server), Tone: themes.Dim}
}

func oldest(_ *kit.Env, l *line) table.Cell {
	switch o := l.figures.Oldest; {
	case o != nil:
		return table.Cell{Text: text.Age(o.Waiting), Tone: l.now(themes.Plain)}
	case l.figures.Ready.Known() && l.figures.Ready.N == 0:
		return table.Cell{Text: "none", Tone: themes.Dim}
	}
	return table.Cell{Text: text.Unknown, Tone: themes.Dim}
}

// now is the tone of a figure: what is old stands back.
func (l *line) now(tone themes.Token) themes.Token {
	if l.Watch.Health != model.Live {
		return themes.Dim
	}
	return tone
}

// count is a figure; one that is not zero has a tone.
func (l *line) count(c model.Count, tone themes.Token) table.Cell {
	out := table.Cell{Text: text.Count(c), Tone: l.now(themes.Plain)}
	switch {
	case !c.Known() || c.N == 0:
		out.Tone = themes.Dim
	case tone != themes.Plain:
		out.Tone = l.now(tone)
	}
	return out
}
