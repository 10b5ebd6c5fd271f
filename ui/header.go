package ui

import (
	"strconv"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// header is the first line: where one is on the left, how the watching goes on
// the right. Parts give way by their rank when there is no room.
func (a *App) header() string {
	s := a.subject()
	var parts []kit.Rank
	if s != nil {
		parts = append(a.about(s), a.watching(s)...)
	} else if a.env.Past {
		parts = []kit.Rank{{Spans: a.when(nil), Right: true}}
	}
	room := a.width - 2
	for _, p := range parts {
		if p.Rank == 0 {
			room -= p.Spans.Width() + 2
		}
	}
	parts = append([]kit.Rank{{Spans: a.crumbs(s, room)}}, parts...)
	return kit.Ranks(a.env.Styles, parts, a.width)
}

// crumbs is the way to this screen, in room cells: where they are too few its end,
// and of that as much as fits. How the watching goes is worth more.
func (a *App) crumbs(s *model.Snapshot, room int) kit.Spans {
	names := []string{"leasetop"}
	server := -1
	if s != nil && s.Server != "" && s.Server != s.Queue {
		server = len(names)
		names = append(names, text.Cut(text.Clean(s.Server), 24))
	}
	for i, x := range a.stack {
		if i == 0 && len(a.stack) > 1 && x.Subject().Queue == "" {
			continue // the list of queues is everybody's root
		}
		names = append(names, text.Cut(x.Crumb(), 32))
	}
	const between = " › "
	for len(names) > 1 && text.Width(strings.Join(names, between)) > room {
		names, server = names[1:], server-1
	}
	if len(names) == 1 {
		names[0] = text.Cut(names[0], max(0, room))
	}
	var out kit.Spans
	for i, n := range names {
		tone := themes.Dim
		switch i {
		case server:
			tone = a.env.Server(s.Server, tone)
		case len(names) - 1:
			tone = themes.Strong
		}
		if i > 0 {
			out = append(out, kit.Span{Tone: themes.Border, Text: between})
		}
		out = append(out, kit.Span{Tone: tone, Text: n})
	}
	return out
}

// about is what the queue is: its table, its family, its connection.
func (a *App) about(s *model.Snapshot) []kit.Rank {
	if s.Mapping == nil {
		return nil
	}
	facts := []string{s.Mapping.Family.String()}
	if s.Mapping.IsDestructive() {
		facts = append(facts, s.Mapping.Lane.Order.String(), s.Mapping.Lane.Mode.String())
	}
	if s.Caps.Encrypted != "" {
		facts = append(facts, text.Clean(s.Caps.Encrypted))
	}
	table := s.Mapping.Table.String()
	if table == s.Queue {
		table = "" // it would say the same word twice
	}
	return []kit.Rank{
		{Rank: 6, Spans: kit.Spans{{Tone: themes.Dim, Text: text.Cut(text.Clean(table), 32)}}},
		{Rank: 5, Spans: kit.Spans{{Tone: themes.Dim, Text: strings.Join(facts, " · ")}}},
	}
}

// watching is how the watching goes, and what it costs.
func (a *App) watching(s *model.Snapshot) []kit.Rank {
	parts := []kit.Rank{{Spans: a.health(s), Right: true}}
	if a.env.Past {
		return parts
	}
	dim := func(rank int, t string) {
		parts = append(parts, kit.Rank{Rank: rank, Right: true, Spans: kit.Spans{{Tone: themes.Dim, Text: t}}})
	}
	if c := a.cost.shown; c > 0 && s.Watch.Health == model.Live {
		dim(7, "poll "+text.Took(c))
	}
	if skew := s.Caps.Skew; skew.Abs() >= time.Second {
		parts = append(parts, kit.Rank{Rank: 2, Right: true, Spans: kit.Spans{{Tone: themes.Warn, Text: "skew " + signed(skew)}}})
	} else if s.Caps.Engine != "" && s.Caps.Engine != "sqlite" { // a file has our own clock
		dim(8, "skew "+signed(skew))
	}
	if now := s.Now(); !now.IsZero() && !a.env.Frozen {
		dim(3, a.env.Clock(now, false))
	}
	return parts
}

// signed is a skew with its sign, to a tenth of a second.
func signed(d time.Duration) string {
	sign := "+"
	if d = d.Round(100 * time.Millisecond); d < 0 {
		sign, d = "−", -d
	}
	if d < 10*time.Second {
		return sign + strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	}
	return sign + text.Short(d)
}

// health is whether the queue is being seen, in a word and a time.
func (a *App) health(s *model.Snapshot) kit.Spans {
	if a.env.Past {
		return a.when(s)
	}
	if a.env.Frozen {
		return kit.Spans{{Tone: themes.Frozen, Text: "‖ FROZEN " + a.env.Clock(s.Now(), true)}}
	}
	switch s.Watch.Health {
	case model.Live:
		return kit.Spans{{Tone: themes.Accent, Text: "●"}, {Tone: themes.Dim, Text: " live " + text.Short(s.Watch.Every)}}
	case model.Stale:
		return kit.Spans{{Tone: themes.Warn, Text: "◌ STALE" + a.since(s)}}
	case model.Down:
		t := "✕ DOWN" + a.since(s)
		if in := s.Watch.RetryAt.Sub(a.env.Now); !a.env.Now.IsZero() && !s.Watch.RetryAt.IsZero() {
			t += ", retry in " + text.Short(max(0, in))
		}
		return kit.Spans{{Tone: themes.Bad, Text: t}}
	case model.Broken:
		return kit.Spans{{Tone: themes.Bad, Text: "✕ BROKEN: R tries again"}}
	case model.Connecting:
	}
	return kit.Spans{{Tone: themes.Accent, Text: "○ connecting"}}
}

// since is how old the figures are, in this process's time.
func (a *App) since(s *model.Snapshot) string {
	if s.Pulse.Got.IsZero() || a.env.Now.Before(s.Pulse.Got) {
		return ""
	}
	return " " + text.Short(a.env.Now.Sub(s.Pulse.Got))
}

// meter holds the cost of a poll still: it rises at once and falls when a while of
// polls was cheaper, because a figure that flickers says nothing.
type meter struct {
	shown, most time.Duration
	n           int
}

// steady is after how many polls the meter may fall.
const steady = 15

func (m *meter) take(d time.Duration) {
	m.most = max(m.most, d)
	m.n++
	if d > m.shown {
		m.shown = d
	}
	if m.n >= steady {
		m.shown, m.most, m.n = m.most, 0, 0
	}
}
