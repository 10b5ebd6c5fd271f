package queue

import (
	"slices"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// figure is one number of the figures line. Its place is fixed: the number may
// grow and shrink without moving its neighbours.
type figure struct {
	long, short string
	count       model.Count
	words       func(long bool) string // what is said instead of a number
	curt        bool                   // the words are to be as few as can be
	room        int                    // cells for the number
	mark        string
	markRoom    int
	tone        themes.Token
	rank        int    // who gives way: the highest first
	shown       string // in place of the count
}

// trend is which way the ready jobs have gone lately.
type trend int8

func (t trend) mark() string {
	switch {
	case t > 0:
		return "▲"
	case t < 0:
		return "▼"
	}
	return ""
}

// figures is the line of figures. old draws them as what they are: not now.
func figures(e *kit.Env, f *model.Pulse, t trend, drain kit.Drain, old bool) string {
	if t > 0 && f.Ready.Known() && f.Ready.N == 0 {
		t = 0 // it went up and is gone again
	}
	all := []figure{
		{long: "READY", short: "READY", count: f.Ready, room: 7, mark: t.mark(), markRoom: 2},
		{long: "SCHEDULED", short: "SCHED", count: f.Scheduled, room: 6, rank: 4},
		{long: "WORKING", short: "WORK", count: f.Working, room: 6},
		alarm(figure{long: "EXPIRED", short: "EXP", count: f.Expired, room: 5, markRoom: 2}, themes.Warn),
		{long: "FAILED", short: "FAIL", count: f.Failed, room: 6, rank: 1},
		{long: "DONE", short: "DONE", count: f.Done, room: 7, rank: 5},
		{long: "DRAIN", short: "DRAIN", words: drain.Words, room: 8, rank: 3},
	}
	if f.Corrupt.N > 0 {
		all = append(all, alarm(figure{long: "CORRUPT", short: "CORR", count: f.Corrupt, room: 4, markRoom: 2, rank: 1}, themes.Bad))
	}
	return drawFigures(e, all, old)
}

// drawFigures is a line of figures, as many of them as there is room for.
func drawFigures(e *kit.Env, all []figure, old bool) string {
	all, long := fitted(all, e.Width)
	gap := min(4, max(1, (e.Width-1-total(all, long))/max(1, len(all))))
	var l kit.Line
	l.Blank(1)
	for _, x := range all {
		x.draw(e, &l, long, old)
		l.Blank(gap)
	}
	return kit.FitLine(l.String(), e.Width)
}

// fitted are the figures that there is room for, and whether their labels are in
// full: a forecast in a word, and the figure that gives way first, are worth less
// than labels that everybody understands.
func fitted(all []figure, width int) (fit []figure, long bool) {
	const apart = 2
	for _, fewer := range []func([]figure) []figure{same, curt, func(fs []figure) []figure { return without(curt(fs)) }} {
		if fit := fewer(all); total(fit, true)+apart*len(fit) <= width {
			return fit, true
		}
	}
	fit = curt(all)
	for len(fit) > 2 && total(fit, false)+len(fit) > width {
		fit = without(fit)
	}
	return fit, false
}

func same(fs []figure) []figure { return fs }

// curt says in a word what can be said so.
func curt(fs []figure) []figure {
	out := slices.Clone(fs)
	for i := range out {
		out[i].curt = true
	}
	return out
}

// alarm marks a figure that should be zero.
func alarm(f figure, tone themes.Token) figure {
	if f.count.Known() && f.count.N > 0 {
		f.mark, f.tone = "!", tone
	}
	return f
}

func (f figure) label(long bool) string {
	if long {
		return f.long
	}
	return f.short
}

func (f figure) width(long bool) int {
	room := f.room
	if f.words != nil && !f.curt {
		room = len("growing ~12.3/s")
	}
	return len(f.label(long)) + 1 + room + f.markRoom
}

func total(fs []figure, long bool) int {
	n := 0
	for _, f := range fs {
		n += f.width(long)
	}
	return n
}

// without drops the figure that gives way first.
func without(fs []figure) []figure {
	worst := 0
	for i, f := range fs {
		if f.rank >= fs[worst].rank {
			worst = i
		}
	}
	return append(append([]figure(nil), fs[:worst]...), fs[worst+1:]...)
}

func (f figure) draw(e *kit.Env, l *kit.Line, long, old bool) {
	end := l.Width() + f.width(long)
	l.Text(e.Styles.Of(themes.Dim), f.label(long))
	l.Blank(1)
	number, tone := text.Count(f.count), themes.Strong
	if f.words != nil {
		if number = f.words(!f.curt); l.Width()+text.Width(number) > end {
			number = f.words(false)
		}
	}
	if f.shown != "" {
		number = f.shown
	}
	switch {
	case old || number == text.Unknown:
		tone = themes.Dim
	case f.tone != themes.Plain:
		tone = f.tone
	}
	l.Text(e.Styles.Of(tone), text.Cut(number, end-l.Width()))
	if f.mark != "" && !old {
		mark := f.tone
		if mark == themes.Plain {
			mark = themes.Dim
		}
		l.Text(e.Styles.Of(mark), " "+f.mark)
	}
	l.To(end)
}
