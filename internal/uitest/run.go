package uitest

import (
	"errors"
	"image/color"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Options is the terminal and what runs in it.
type Options struct {
	// Model makes the program's model. It is called inside the bubble of virtual
	// time, so what it opens is closed by t.Cleanup of the story's session.
	Model func(s *Session) tea.Model

	Width, Height int                  // 80x24 when zero
	Profile       colorprofile.Profile // what colours the terminal has; true colour when zero
	FPS           int                  // frames a second; 30 when zero

	// Modern is a terminal that answers the two questions of modern ones: it has
	// synchronized output and measures by graphemes.
	Modern bool

	// Environment is added to TERM=xterm-256color.
	Environment []string

	// Token names a colour for goldens and Style, as the package themes/spot does for
	// its theme; nil prints palette numbers.
	Token func(color.Color) string

	// Linger is how long the slowest timer of the program may still run after its
	// end; a minute when zero.
	Linger time.Duration

	// NoOracle leaves out the comparison after each step, for measurements.
	NoOracle bool
}

// Run runs the story against the program on virtual time. When the story ends
// and the program still runs, it is told to quit; it must then end well and give
// the terminal back.
func Run(t *testing.T, o Options, story func(*Session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		s := start(t, o.withDefaults())
		defer s.end()
		s.step("start", func() {})
		story(s)
	})
}

func (o Options) withDefaults() Options {
	if o.Width == 0 {
		o.Width, o.Height = 80, 24
	}
	if o.Profile == colorprofile.Unknown {
		o.Profile = colorprofile.TrueColor
	}
	if o.FPS == 0 {
		o.FPS = 30
	}
	if o.Linger == 0 {
		o.Linger = time.Minute
	}
	return o
}

func start(t *testing.T, o Options) *Session {
	t.Helper()
	s := &Session{T: t, o: o, width: o.Width, height: o.Height, term: NewTerminal(o.Width, o.Height, nil), seen: &sight{}, done: make(chan error, 1)}
	s.term.mapNewlines()
	t.Cleanup(func() { _ = s.term.Close() })      // last of all
	t.Cleanup(func() { time.Sleep(o.Linger) })    // once everything has been told to stop
	t.Cleanup(func() { s.unused(s.goldenDir()) }) // a golden that no step asked for
	s.program = tea.NewProgram(
		spy{o.Model(s), s.seen},
		tea.WithInput(nil),
		tea.WithOutput(s.term),
		tea.WithoutSignalHandler(),
		tea.WithWindowSize(o.Width, o.Height),
		tea.WithColorProfile(o.Profile),
		tea.WithEnvironment(append([]string{"TERM=xterm-256color"}, o.Environment...)),
		tea.WithFPS(o.FPS),
	)
	go func() {
		_, err := s.program.Run()
		s.done <- err
	}()
	if o.Modern {
		s.program.Send(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset})
		s.program.Send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
	}
	return s
}

// end quits the program if it still runs and checks what it leaves behind.
func (s *Session) end() {
	s.Helper()
	if !s.Ended() {
		s.program.Quit()
		synctest.Wait()
		if !s.Ended() {
			s.program.Kill()
			s.Errorf("the program does not quit")
			return
		}
	}
	if s.err != nil && !errors.Is(s.err, tea.ErrInterrupted) {
		s.Errorf("the program ended with: %v", s.err)
	}
	if left := s.term.screen(); left.alt || left.hidden {
		s.Errorf("the terminal is not given back: alternate screen %v, cursor hidden %v", left.alt, left.hidden)
	}
}
