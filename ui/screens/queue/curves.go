package queue

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/chart"
	"github.com/leasetop/leasetop/ui/kit"
)

// curves are the screen's two charts. They move by whole buckets of the server's
// time and are drawn only then: a chart that moves with every poll costs more
// than everything else on the screen.
type curves struct {
	oldest, rates *chart.Chart
	trend         trend
	went          float64       // how many more ready jobs went than came, a second; NaN: not known
	every         time.Duration // between two polls, while they succeed
	drawn         drawing
	lines         [2][]string
}

// drawing is what the lines were drawn for.
type drawing struct {
	bucket        int64
	span, every   time.Duration
	width, height int
	charts        int
	styles        *themes.Styles
}

func newCurves() curves {
	return curves{oldest: chart.New(chart.Seconds()), rates: chart.New(chart.PerSecond()), went: math.NaN()}
}

// spans are how much time a chart shows: as little as was watched, so that the
// first minutes are not a line at the edge.
var spans = []time.Duration{2 * time.Minute, 5 * time.Minute, 15 * time.Minute}

// coarse is the grain in which it is looked up how much was watched.
const coarse = 15 * time.Second

// refresh draws the charts anew if a bucket has closed, the size has changed or
// more time is to be shown.
func (c *curves) refresh(e *kit.Env, s *model.Snapshot, p plan) {
	now := s.Now()
	if p.charts == 0 || now.IsZero() || e.History == nil {
		return
	}
	if s.Watch.Health == model.Live {
		c.every = s.Watch.Every
	}
	d := drawing{
		span: c.drawn.span, every: c.every, width: e.Width / p.charts, height: p.chartHeight,
		charts: p.charts, styles: e.Styles,
	}
	if d.span == 0 {
		d.span = spans[0]
	}
	d.bucket = bucket(now, d.per())
	if d == c.drawn {
		return
	}
	d.span = c.watched(e, s.Queue, now)
	d.bucket = bucket(now, d.per())
	c.drawn = d
	c.draw(e, s.Queue)
}

// columns is how many points a chart has.
func (d drawing) columns() int { return chart.Columns(d.width-2) + 1 }

// per is how long one point is, in whole seconds: long enough for two polls, so
// that a late one leaves no gap.
func (d drawing) per() time.Duration {
	n := time.Duration(max(1, d.columns()-1))
	return max(time.Second, whole(d.span/n), whole(2*d.every))
}

// whole rounds up to seconds.
func whole(d time.Duration) time.Duration { return (d + time.Second - 1).Truncate(time.Second) }

// closed is the end of the newest bucket that no pulse can fall into any more.
func closed(bucket int64, per time.Duration) time.Time {
	return time.UnixMilli(bucket*per.Milliseconds() - 1)
}

func bucket(t time.Time, per time.Duration) int64 { return t.Unix() / int64(per/time.Second) }

// watched chooses the span, and sees which way the ready jobs went.
func (c *curves) watched(e *kit.Env, queue string, now time.Time) time.Duration {
	longest := spans[len(spans)-1]
	n := int(longest / coarse)
	known := e.History.Series(queue, tape.Ready, now, coarse, n)
	c.trend, c.went = trendOf(known)
	for i, b := range known {
		if b.Gap {
			continue
		}
		age := time.Duration(len(known)-i) * coarse
		for _, s := range spans {
			if age <= s {
				return s
			}
		}
		return longest
	}
	return spans[0]
}

// trendOf compares the last minute with the one before: which way the figure went,
// and by how much a second it fell.
func trendOf(bs []tape.Bucket) (t trend, fell float64) {
	before, after, ok := kit.Lately(bs, coarse)
	if !ok {
		return 0, math.NaN()
	}
	margin := 2 + before/20
	fell = (before - after) / time.Minute.Seconds()
	switch {
	case after > before+margin:
		return 1, fell
	case after < before-margin:
		return -1, fell
	}
	return 0, fell
}

func (c *curves) draw(e *kit.Env, queue string) {
	d := c.drawn
	to := closed(d.bucket, d.per())
	series := func(m tape.Metric, of func(tape.Bucket) float64) []float64 {
		bs := e.History.Series(queue, m, to, d.per(), d.columns())
		out := make([]float64, len(bs))
		for i, b := range bs {
			if out[i] = of(b); b.Gap {
				out[i] = math.NaN()
			}
		}
		return out
	}
	most := func(b tape.Bucket) float64 { return b.Max }
	mean := func(b tape.Bucket) float64 { return b.Mean }
	w, h := d.width-2, d.height-2
	c.lines[0] = c.oldest.Draw(e.Styles, w, h, series(tape.OldestReady, most))
	if d.charts > 1 {
		c.lines[1] = c.rates.Draw(e.Styles, w, h, series(tape.In, mean), series(tape.Out, mean))
	}
}

// view is the charts in their boxes, side by side.
func (c *curves) view(e *kit.Env, s *model.Snapshot, f *model.Pulse, p plan) []string {
	w := e.Width / p.charts
	age := "none"
	if o := f.Oldest; o != nil {
		age = text.Age(o.Waiting)
	} else if !f.Ready.Known() || f.Ready.N > 0 {
		age = text.Unknown
	}
	rates := kit.Spans{
		{Tone: themes.LineA, Text: "in "}, {Tone: themes.Strong, Text: padded(text.Rate(s.In), rateRoom(s))},
		{Tone: themes.LineB, Text: "  ╌ out "}, {Tone: themes.Strong, Text: padded(text.Rate(s.Out), rateRoom(s))},
	}
	shown := time.Duration(c.drawn.columns()) * c.drawn.per()
	span := kit.Spans{{Tone: themes.Dim, Text: fmt.Sprintf("%d min", int(shown/time.Minute))}}
	inWork := took(&s.Latency)
	left := kit.Box{Edge: e.Edge, Title: title("oldest ready"), Right: kit.Spans{{Tone: themes.Strong, Text: age}}, Foot: span}
	if p.charts == 1 {
		if inWork != "" {
			left.Foot = kit.Spans{{Tone: themes.Dim, Text: span[0].Text + " · " + inWork}}
		}
		left.FootEnd = append(kit.Spans{{Tone: themes.Dim, Text: "per second "}}, rates...)
		return left.Draw(e.Styles, e.Width, kit.Fit(c.lines[0], e.Width-2, p.chartHeight-2))
	}
	left.FootEnd = title(byPriority(f))
	right := kit.Box{Edge: e.Edge, Title: title("per second"), Right: rates, Foot: span, FootEnd: title(inWork)}
	a := left.Draw(e.Styles, w, kit.Fit(c.lines[0], w-2, p.chartHeight-2))
	b := right.Draw(e.Styles, e.Width-w, kit.Fit(c.lines[1], e.Width-w-2, p.chartHeight-2))
	for i := range a {
		a[i] += b[i]
	}
	return a
}

// rateRoom is the cells that a rate takes: bounds are longer.
func rateRoom(s *model.Snapshot) int {
	if s.Mapping.IsDestructive() {
		return 6
	}
	return 4
}

// padded keeps the usual rates from moving what stands before them; a longer one
// is never cut.
func padded(rate string, room int) string { return text.PadLeft(rate, max(room, text.Width(rate))) }

func title(s string) kit.Spans {
	if s == "" {
		return nil
	}
	return kit.Spans{{Tone: themes.Dim, Text: s}}
}

// took is how long jobs were in work, where that is known.
func took(p *model.Part[model.Latency]) string {
	if !p.Known() || p.Data.N.N == 0 {
		return ""
	}
	l := &p.Data
	return fmt.Sprintf("in work p50 %s p95 %s p99 %s", text.Took(l.P50), text.Took(l.P95), text.Took(l.P99))
}

// shownPriorities is how many priorities have room.
const shownPriorities = 4

// byPriority is the age of the oldest ready job of each priority, where there is
// more than one.
func byPriority(f *model.Pulse) string {
	if len(f.ByPriority) < 2 {
		return ""
	}
	var parts []string
	for i, o := range f.ByPriority {
		if i == shownPriorities {
			parts = append(parts, "…")
			break
		}
		priority := "none"
		if o.Priority.Known {
			priority = text.Grouped(o.Priority.N)
		}
		parts = append(parts, priority+" "+text.Age(o.Waiting))
	}
	return "priority " + strings.Join(parts, " · ")
}
