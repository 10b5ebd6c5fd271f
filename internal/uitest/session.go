package uitest

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// Session is a user at a virtual terminal. Its T is the story's test.
type Session struct {
	*testing.T

	o             Options
	width, height int
	program       *tea.Program
	term          *Terminal
	seen          *sight
	done          chan error
	ended         bool
	err           error
	quits         bool // the step under way is allowed to end the program
	right         judged
	bytes, views  int // at the last Bytes and Views
	drawn         int // at the last Drawn
	used          map[string]bool
}

// Press presses keys one after the other, each a step: "r", "tab", "ctrl+c".
func (s *Session) Press(keys ...string) {
	s.Helper()
	for _, k := range keys {
		e, err := event(k)
		if err != nil {
			s.Fatal(err)
		}
		s.step("press "+k, func() { s.program.Send(e) })
	}
}

// Type types the text as single keys, in one step.
func (s *Session) Type(text string) {
	s.Helper()
	s.step("type "+text, func() {
		for _, r := range text {
			if e, err := event(string(r)); err == nil {
				s.program.Send(e)
			}
		}
	})
}

// Paste pastes the text as a terminal with bracketed paste does.
func (s *Session) Paste(text string) {
	s.Helper()
	s.step("paste", func() { s.program.Send(uv.PasteEvent{Content: text}) })
}

// Click presses and releases the left button on the cell; both count from 1.
func (s *Session) Click(row, column int) {
	s.Helper()
	m := uv.Mouse{X: column - 1, Y: row - 1, Button: uv.MouseLeft}
	s.step("click", func() {
		s.program.Send(uv.MouseClickEvent(m))
		s.program.Send(uv.MouseReleaseEvent(m))
	})
}

// Resize changes the terminal's size.
func (s *Session) Resize(width, height int) {
	s.Helper()
	s.step("resize", func() { s.Drag(width, height) })
}

// Drag changes the terminal's size without waiting for a frame, as a window does
// that is being dragged.
func (s *Session) Drag(width, height int) {
	s.width, s.height = width, height
	s.term.resize(width, height)
	s.program.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// Wait lets virtual time pass.
func (s *Session) Wait(d time.Duration) {
	s.Helper()
	s.step("wait", func() { time.Sleep(d) })
}

// Until lets virtual time pass, a tenth of a second at a time, until the condition
// holds. It fails the test when that takes longer than the limit.
func (s *Session) Until(limit time.Duration, what string, holds func() bool) {
	s.Helper()
	for end := time.Now().Add(limit); !holds(); {
		if time.Now().After(end) {
			s.Fatalf("not within %v: %s\n%s", limit, what, s.Screen())
		}
		s.Wait(100 * time.Millisecond)
	}
}

// UntilShown lets virtual time pass until the text is on the screen.
func (s *Session) UntilShown(limit time.Duration, text string) {
	s.Helper()
	s.Until(limit, "shown: "+text, func() bool { return strings.Contains(s.Screen(), text) })
}

// Quit presses the keys and expects that the program has ended by the next frame.
func (s *Session) Quit(keys ...string) {
	s.Helper()
	s.quits = true
	s.Press(keys...)
	if !s.Ended() {
		s.Fatalf("after %v the program still runs\n%s", keys, s.Screen())
	}
}

// Ended reports whether the program has ended.
func (s *Session) Ended() bool {
	select {
	case s.err = <-s.done:
		s.ended = true
	default:
	}
	return s.ended
}

// Frame is how long the terminal may lag behind a view.
func (s *Session) Frame() time.Duration { return time.Second/time.Duration(s.o.FPS) + time.Millisecond }

// step does something, lets a frame pass and compares the screen with the view.
func (s *Session) step(what string, do func()) {
	s.Helper()
	s.term.forget()
	do()
	s.pause()
	if s.Ended() {
		if !s.quits {
			s.Fatalf("%s: the program ended: %v", what, s.err)
		}
		return
	}
	if !s.o.NoOracle {
		s.judge(what)
	}
}

// pause lets one frame reach the terminal.
func (s *Session) pause() {
	synctest.Wait()
	time.Sleep(s.Frame())
	synctest.Wait()
}
