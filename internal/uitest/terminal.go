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

// Terminal is an emulator that may be written to and looked at from different
// goroutines, and that counts what was written.
type Terminal struct {
	mu        sync.Mutex
	emulator  *vt.Emulator
	written   int
	recent    bytes.Buffer // what was written since the last step began
	clipboard string
	title     string
	read      read
}

// read is the text of the screen as it was last asked for, and when that was: a
// story that waits for a word asks ten times a second.
type read struct {
	written, width, height int
	text                   string // empty: it was not asked for yet
}

// NewTerminal makes a terminal. What it answers to a program's questions goes to
// answers; nil drops it.
func NewTerminal(width, height int, answers io.Writer) *Terminal {
	t := &Terminal{emulator: vt.NewEmulator(width, height)}
	t.emulator.SetCallbacks(vt.Callbacks{Title: func(s string) { t.title = s }})
	t.emulator.RegisterOscHandler(52, t.copied)
	if answers == nil {
		answers = io.Discard
	}
	// An answer of the emulator that nobody reads would block its next write.
	go func() { _, _ = io.Copy(answers, t.emulator) }()
	return t
}

// mapNewlines makes a line feed a new line, as the line discipline of a terminal
// does on which the renderer relies when its input is none.
func (t *Terminal) mapNewlines() {
	if runtime.GOOS != "windows" {
		_, _ = t.emulator.WriteString(ansi.SetModeLineFeedNewLine)
	}
}

// Write is the program's output.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.written += len(p)
	t.recent.Write(p)
	return t.emulator.Write(p)
}

// copied takes what an OSC 52 put on the clipboard.
func (t *Terminal) copied(data []byte) bool {
	parts := strings.SplitN(string(data), ";", 3)
	if len(parts) == 3 {
		if text, err := base64.StdEncoding.DecodeString(parts[2]); err == nil {
			t.clipboard = string(text)
		}
	}
	return true
}

func (t *Terminal) resize(width, height int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.emulator.Resize(width, height)
}

// Close ends the terminal's answers. The emulator's own Close writes what the reader
// of the answers reads at the same time.
func (t *Terminal) Close() error { return t.emulator.InputPipe().(io.Closer).Close() }

// Written is the number of bytes written so far.
func (t *Terminal) Written() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.written
}

// Screen is the text on the screen, trailing blanks left out.
func (t *Terminal) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	w, h := t.emulator.Width(), t.emulator.Height()
	if r := t.read; r.text != "" && r.written == t.written && r.width == w && r.height == h {
		return r.text
	}
	var lines []string
	for _, l := range t.lines() {
		lines = append(lines, lineText(l))
	}
	t.read = read{t.written, w, h, strings.Join(lines, "\n")}
	return t.read.text
}

// lines are the cells on the screen.
func (t *Terminal) lines() []uv.Line {
	lines := make([]uv.Line, t.emulator.Height())
	for y := range lines {
		lines[y] = make(uv.Line, t.emulator.Width())
		for x := range lines[y] {
			if c := t.emulator.CellAt(x, y); c != nil {
				lines[y][x] = *c
			}
		}
	}
	return lines
}

// forget drops what was written so far.
func (t *Terminal) forget() {
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

func (t *Terminal) screen() screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.emulator
	return screen{
		lines: t.lines(), cursor: e.CursorPosition(), hidden: e.CursorHidden(), alt: e.IsAltScreen(),
		title: t.title, clip: t.clipboard, written: t.written, recently: t.recent.String(),
	}
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
