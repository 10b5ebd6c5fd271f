package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/kit"
)

// Past is what was seen before: the last hour of a watching, or a recording. Its
// times are those of the clock that it was seen by, which is not a server's.
type Past interface {
	// Reach is how far back one can look, and the newest look; zero: nothing was seen.
	Reach() (from, to time.Time)
	// At is the board of a moment. A queue that was not watched then is not on it.
	At(t time.Time) *model.Board
}

// The steps through time.
const (
	step  = 10 * time.Second
	leap  = 5 * time.Minute
	frame = 250 * time.Millisecond // between two pictures while a recording is played
)

// speeds are how many times faster than it was a recording can be played.
var speeds = []int{1, 2, 5, 10, 30, 60, 300}

// reel is where in time one looks. The zero reel looks at now.
type reel struct {
	on       bool
	from, to time.Time // as far as one can look
	at       time.Time
	froze    time.Time // where a picture was frozen

	playing bool
	speed   int // an index of speeds
	tick    int // names the tick that is awaited: an older one does nothing
}

// played is a tick of a recording that is being played.
type played int

// The keys of time.
var (
	walk    = kit.Bind("[ ]", "[ ]", "time")
	stride  = kit.Bind("{ }", "{ }", "by 5 min")
	toNow   = kit.Bind("p esc", "p/esc", "now")
	play    = kit.Bind("space p", "␣", "play")
	hold    = kit.Bind("space p", "␣", "hold")
	pace    = kit.Bind("< >", "< >", "speed")
	toEnds  = kit.Bind("home end", "home end", "first or last picture").Hushed()
	offPast = "this is the past: p returns to now"
	offTape = "this is a recording: nothing can be done to what was"
)

// timeKeys are the keys of time that work now.
func (a *App) timeKeys() []kit.Binding {
	switch {
	case a.o.Replay && a.reel.playing:
		return []kit.Binding{hold, walk, pace, stride, toEnds}
	case a.o.Replay:
		return []kit.Binding{play, walk, pace, stride, toEnds}
	case a.reel.on:
		return []kit.Binding{toNow, walk, stride}
	case a.o.Past != nil:
		return []kit.Binding{walk, stride.Hushed()}
	}
	return nil
}

// timeKey carries out a key of time.
func (a *App) timeKey(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case a.o.Past == nil:
		return nil, false
	case kit.Pressed(msg, walk):
		return a.wind(direction(msg.String()) * step), true
	case kit.Pressed(msg, stride):
		return a.wind(direction(msg.String()) * leap), true
	case a.o.Replay:
		return a.replayKey(msg)
	case a.reel.on && kit.Pressed(msg, toNow):
		return a.now(), true
	}
	return nil, false
}

func (a *App) replayKey(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case kit.Pressed(msg, play):
		return a.play(!a.reel.playing), true
	case kit.Pressed(msg, pace):
		a.reel.speed = min(max(0, a.reel.speed+int(direction(msg.String()))), len(speeds)-1)
		return nil, true
	case msg.String() == "home":
		return a.goTo(a.reel.from), true
	case msg.String() == "end":
		return a.goTo(a.reel.to), true
	}
	return nil, false
}

func direction(key string) time.Duration {
	if key == "[" || key == "{" || key == "<" {
		return -1
	}
	return 1
}

// wind goes a span through time.
func (a *App) wind(by time.Duration) tea.Cmd {
	at := a.reel.at
	if !a.reel.on {
		if _, at = a.o.Past.Reach(); a.env.Frozen {
			at = a.reel.froze
		}
	}
	return a.goTo(at.Add(by))
}

// goTo shows the picture of a moment. What lies after the newest one is now.
func (a *App) goTo(at time.Time) tea.Cmd {
	r := &a.reel
	from, to := a.o.Past.Reach()
	switch {
	case to.IsZero():
		a.said = kit.Say{Tone: themes.Warn, Text: "nothing was seen yet"}
		return nil
	case at.Before(from):
		at = a.firstLook(from, to)
		a.said = kit.Say{Tone: themes.Accent, Text: "this is as far back as was seen"}
	case !at.Before(to) && !a.o.Replay:
		return a.now()
	case !at.Before(to):
		at, r.playing = to, false
	}
	r.on, r.from, r.to, r.at = true, from, to, at
	a.env.Frozen, a.env.Past, a.env.Off = false, true, offPast
	if a.o.Replay {
		a.env.Off = offTape
	}
	a.env.Board = a.o.Past.At(at)
	return a.tell(kit.News{})
}

// firstLook is the beginning of what was seen of the queue on the screen, if that is
// soon after the beginning of all: the queues of a session come one after the other.
func (a *App) firstLook(from, to time.Time) time.Time {
	const soon, step = 5 * time.Second, time.Second / 4
	queue := a.top().Subject().Queue
	for at := from; queue != "" && at.Before(to) && at.Sub(from) < soon; at = at.Add(step) {
		if b := a.o.Past.At(at); b != nil && b.Queue(queue) != nil {
			return at
		}
	}
	return from
}

// now goes back to what is.
func (a *App) now() tea.Cmd {
	a.reel = reel{}
	a.env.Frozen, a.env.Past, a.env.Off = false, false, ""
	a.env.Board = a.env.Live
	return a.tell(kit.News{})
}

// play plays a recording or holds it. At its end it begins anew.
func (a *App) play(on bool) tea.Cmd {
	r := &a.reel
	r.playing = on
	if !on {
		return nil
	}
	if !r.at.Before(r.to) {
		a.goTo(r.from)
	}
	return a.nextPicture()
}

func (a *App) nextPicture() tea.Cmd {
	a.reel.tick++
	n := a.reel.tick
	return tea.Tick(frame, func(time.Time) tea.Msg { return played(n) })
}

// roll shows the next picture of a recording that is being played.
func (a *App) roll(n played) tea.Cmd {
	r := &a.reel
	if !r.playing || int(n) != r.tick {
		return nil
	}
	cmd := a.goTo(r.at.Add(time.Duration(speeds[r.speed]) * frame))
	if !r.playing {
		return cmd
	}
	return tea.Batch(cmd, a.nextPicture())
}

// wordy is the width from which the header says in words what kind of picture it is.
const wordy = 60

// when says which picture of the past this is, for the header.
func (a *App) when(s *model.Snapshot) kit.Spans {
	at := a.reel.at
	if s != nil && !s.Now().IsZero() {
		at = s.Now() // a server's own time is what its rows are to be read by
	}
	mark, word, tail := "◂", "THE PAST", " · "+text.Short(a.ago())+" ago"
	if a.o.Replay {
		mark, word, tail = "‖", "REPLAY", ""
		if a.reel.playing {
			mark = "▸"
		}
		if n := speeds[a.reel.speed]; n > 1 {
			tail = " · " + text.Grouped(int64(n)) + "×"
		}
	}
	if a.width < wordy { // the rule below says it too
		word, tail = "", ""
	}
	return kit.Spans{{Tone: themes.Past, Text: strings.Join(strings.Fields(mark+" "+word+" "+a.env.Clock(at, true)+tail), " ")}}
}

// ago is how long before the newest look the picture was seen.
func (a *App) ago() time.Duration {
	_, to := a.o.Past.Reach()
	return max(0, to.Sub(a.reel.at))
}

// The least width of the scrubber, and what its two ends take beside it.
const leastScrub, scrubEnds = 10, 2 * 2

// scrubber draws where in the reach of the past one is: its two ends by the clock,
// and the place between them.
func (a *App) scrubber(l *kit.Line, room int) {
	r, st := &a.reel, a.env.Styles
	exact := r.to.Sub(r.from) < leap
	from, to := a.env.Clock(r.from, exact), a.env.Clock(r.to, exact)
	width := min(room-text.Width(from)-text.Width(to)-scrubEnds, 60)
	if width < leastScrub {
		return
	}
	at := width - 1
	if whole := r.to.Sub(r.from); whole > 0 {
		at = int(int64(width-1) * int64(r.at.Sub(r.from)/time.Millisecond) / max(1, int64(whole/time.Millisecond)))
	}
	at = min(max(0, at), width-1)
	l.Blank(1)
	l.Text(st.Of(themes.Dim), from+" ")
	l.Put(st.Edge(themes.Past), strings.Repeat("━", at)+"●", at+1)
	l.Put(st.Of(themes.Dim), strings.Repeat("─", width-1-at), width-1-at)
	l.Text(st.Of(themes.Dim), " "+to)
	l.Blank(1)
}

// noPast is a past in which nothing was seen.
type noPast struct{}

func (noPast) Reach() (from, to time.Time) { return }
func (noPast) At(time.Time) *model.Board   { return nil }
