package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// say types a command and runs it.
func (r *rig) say(line string) {
	r.press(":")
	for _, c := range line {
		k := string(c)
		if c == ' ' {
			k = "space"
		}
		r.press(k)
	}
	r.press("enter")
}

// past is an hour in which every moment has the same board.
type past struct {
	to    time.Time
	board *model.Board
	asked []time.Time
}

func (p *past) Reach() (from, to time.Time) { return p.to.Add(-time.Hour), p.to }

func (p *past) At(t time.Time) *model.Board {
	p.asked = append(p.asked, t)
	return p.board
}

// later is a past in which a queue was seen a moment after the others.
type later struct{ past }

func (p *later) At(t time.Time) *model.Board {
	if from, _ := p.Reach(); t.Sub(from) < 300*time.Millisecond {
		return fixture.Board()
	}
	return p.past.At(t)
}

// TestAsFarBackAsItWasSeen holds that going back to the beginning shows the queue
// that is looked at, and not that another was seen a moment before it.
func TestAsFarBackAsItWasSeen(t *testing.T) {
	p := &later{past{to: fixture.Now(), board: fixture.Board(fixture.Snapshot())}}
	r := newRig(80, 24, func(o *Options) { o.Past = p }, fixture.Snapshot())
	for range 13 { // an hour by five minutes, and once more
		r.press("{")
	}
	r.expect(t, "as far back as was seen", "READY 1,284")
	r.expectNot(t, "was not watched then")
}

// TestEveryKeyHasACommand holds that what a key does can be said, and does the same.
func TestEveryKeyHasACommand(t *testing.T) {
	r := newRig(100, 40, nil, fixture.Snapshot())
	for _, b := range append(r.top().Keys(r.area()), r.everywhere()...) {
		if len(strings.Fields(b.Help().Key)) > 1 {
			continue // it moves something
		}
		if b.Help() == command.Help() {
			continue // it opens the palette
		}
		if name := commandName(b); name == "" || !slices.Contains(r.names(), name) {
			t.Errorf("no command does %q: %q is none", b.Help().Desc, name)
		}
	}
	r.desk.plan = plan()
	r.say("force")
	r.expect(t, "force-reclaim job 10421")
	r.press("esc")
	r.say("freeze")
	r.expect(t, "FROZEN")
	r.say("go-on")
	r.expectNot(t, "FROZEN")
	r.say("help")
	r.expect(t, "this screen")
	r.press("esc")
	r.say("dead-letters")
	if v := r.top().Subject().View; v != model.ViewFailed {
		t.Errorf("the list is %v", v)
	}
}

func TestCommands(t *testing.T) {
	other := fixture.Snapshot()
	other.Queue = "audit"
	for _, c := range []struct {
		line string
		want []string
	}{
		{"job 10433", []string{"› orders › 10433"}},
		{"job audit 7", []string{"› audit › 7"}},
		{"job", []string{"which job?"}},
		{"job abc", []string{`key "abc": JobId: not a whole number`}},
		{"queue audit", []string{"› audit"}},
		{"queue orde", []string{`there is no queue orde; did you mean "orders"?`}},
		{"theme light", []string{"theme light"}},
		{"theme ligth", []string{`there is no theme ligth; did you mean "light"?`}},
		{"reclam", []string{`there is no command reclam; did you mean "reclaim"?`, ":reclam"}},
		{"poll 3s", []string{"looking every 3s"}},
		{"poll fast", []string{"poll takes a span from 200ms to 10m0s"}},
		{"poll 1ms", []string{"poll takes a span"}},
		{"goto -10m", []string{"THE PAST", "10m ago"}},
		{"goto 11:34", []string{"THE PAST", "30m ago"}},
		{"goto 11:34:31Z", []string{"THE PAST", "30m ago"}},
		{"goto 2026-03-14T12:34:31+01:00", []string{"THE PAST", "30m ago"}},
		{"goto 13:00", []string{"as far back as was seen"}}, // the day before
		{"goto noonish", []string{"goto takes 12:04, 2026-"}},
		{"mouse", []string{"left to the terminal"}},
		{"save", []string{"saved to orders-20260314T120431Z.leasetop"}},
		{"save /no/such", []string{"not saved: no such directory"}},
		{"worker pick-07", []string{"worker pick-07", "10433", "10439", "2 jobs", "may be more"}},
		{"op 1B4E", []string{"› orders › 10421"}},
		{"op none", []string{"operation none: no job has it"}},
		{"op", []string{"which operation?"}},
		{"op broken", []string{"not found: the index is missing"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			p := &past{to: fixture.Now(), board: fixture.Board(fixture.Snapshot())}
			var every time.Duration
			r := newRig(120, 30, func(o *Options) {
				o.Past, o.Finder = p, finder{}
				o.Every = func(d time.Duration) { every = d }
				o.Save = func(path string) error {
					if strings.HasPrefix(path, "/") {
						return errors.New("no such directory")
					}
					return nil
				}
			}, fixture.Snapshot(), other)
			r.press("enter") // the first queue
			if r.top().Subject().Queue != "orders" {
				r.press("esc", "down", "enter")
			}
			r.details.job = fixture.Jobs()[1]
			r.say(c.line)
			r.expect(t, c.want...)
			if c.line == "poll 3s" && every != 3*time.Second {
				t.Errorf("it looks every %v", every)
			}
		})
	}
}

// finder is a store in which one operation and one worker are known.
type finder struct{}

func (finder) FindOperation(_ context.Context, _, id string) ([]*model.Job, bool, time.Time, error) {
	switch id {
	case "none":
		return nil, true, fixture.Now(), nil
	case "broken":
		return nil, false, time.Time{}, errors.New("the index is missing")
	}
	return fixture.Jobs()[:1], true, fixture.Now(), nil
}

func (finder) FindWorker(context.Context, string, string) ([]*model.Job, bool, time.Time, error) {
	return fixture.Jobs()[1:3], false, fixture.Now(), nil
}

// TestPaletteHelpsTyping holds completion and what was typed before.
func TestPaletteHelpsTyping(t *testing.T) {
	r := newRig(100, 24, nil, fixture.Snapshot())
	line := func() string { return r.palette.typed.String() }
	r.press(":", "t", "h")
	r.expect(t, ":th", "theme NAME  colours")
	r.press("tab")
	if line() != "theme " {
		t.Errorf("tab makes %q", line())
	}
	r.expect(t, "theme auto · theme dark")
	r.press("l", "tab", "enter")
	r.expect(t, "theme light")
	r.press(":", "r", "e", "tab")
	first := line()
	if r.press("tab"); line() == first || !strings.HasPrefix(line(), "re") {
		t.Errorf("tab goes from %q to %q", first, line())
	}
	r.press("up")
	if line() != "theme light" {
		t.Errorf("before it there was %q", line())
	}
	r.press("up", "down")
	if line() != "" {
		t.Errorf("and after it %q", line())
	}
	r.Update(tea.PasteMsg{Content: "job\x1b[2J 7\u202e"})
	if strings.ContainsAny(line(), "\x1b\u202e") {
		t.Errorf("what was pasted is not cleaned: %q", line())
	}
	r.press("esc")
	r.expectNot(t, ":job")
	r.press(":", "backspace")
	if r.palette.open {
		t.Error("backspace on nothing does not close it")
	}
	r.press(":", "q")
	if _, cmd := r.Update(press("ctrl+c")); cmd == nil || !leaves(cmd()) {
		t.Error("ctrl+c does not leave from the palette")
	}
}
