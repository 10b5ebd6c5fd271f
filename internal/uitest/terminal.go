package uitest

import (
	"bytes"
	"encoding/base64"
	"io"
	"runtime"
	"strings"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// terminal is an emulator that may be written to and looked at from different
// goroutines, and that keeps what was written.
type terminal struct {
	mu        sync.Mutex
	emulator  *vt.Emulator
	written   int
	recent    bytes.Buffer // what was written since the last step began
	clipboard string
	title     string
}

func newTerminal(width, height int) *terminal {
	t := &terminal{emulator: vt.NewEmulator(width, height)}
	t.emulator.SetCallbacks(vt.Callbacks{Title: func(s string) { t.title = s }})
	t.emulator.RegisterOscHandler(52, t.copied)
	if runtime.GOOS != "windows" {
		// Without a terminal as its input the renderer relies on the line discipline
		// to turn a line feed into a new line.
		_, _ = t.emulator.WriteString(ansi.SetModeLineFeedNewLine)
	}
	// An answer of the emulator that nobody reads would block its next write.
	go func() { _, _ = io.Copy(io.Discard, t.emulator) }()
	return t
}

// Write is the program's output.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written += len(p)
	t.recent.Write(p)
	return t.emulator.Write(p)
}

// copied takes what an OSC 52 put on the clipboard.
func (t *terminal) copied(data []byte) bool {
	parts := strings.SplitN(string(data), ";", 3)
	if len(parts) == 3 {
		if text, err := base64.StdEncoding.DecodeString(parts[2]); err == nil {
			t.clipboard = string(text)
		}
	}
	return true
}

func (t *terminal) resize(width, height int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.emulator.Resize(width, height)
}

func (t *terminal) close() { _ = t.emulator.Close() }

// forget drops what was written so far.
func (t *terminal) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.recent.Reset()
}

// screen is the emulator's picture at one moment.
type screen struct {
	lines    []uv.Line
	cursor   uv.Position
	hidden   bool
	alt      bool
	title    string
	clip     string
	written  int
	recently string
}

func (t *terminal) screen() screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.emulator
	s := screen{
		lines: make([]uv.Line, e.Height()), cursor: e.CursorPosition(), hidden: e.CursorHidden(), alt: e.IsAltScreen(),
		title: t.title, clip: t.clipboard, written: t.written, recently: t.recent.String(),
	}
	for y := range s.lines {
		s.lines[y] = make(uv.Line, e.Width())
		for x := range s.lines[y] {
			if c := e.CellAt(x, y); c != nil {
				s.lines[y][x] = *c
			}
		}
	}
	return s
}

// lineText is the line's text without trailing blanks.
func lineText(l uv.Line) string {
	var b strings.Builder
	for x := 0; x < len(l); x++ {
		switch {
		case l[x].Width > 1:
			b.WriteString(l[x].Content)
			x += l[x].Width - 1
		case l[x].Content == "":
			b.WriteByte(' ')
		default:
			b.WriteString(l[x].Content)
		}
	}
	return strings.TrimRight(b.String(), " ")
}
