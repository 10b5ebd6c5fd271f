package cli

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/ui/kit"
)

// mark is what stands before the words of a line: its place, the number of a step, or
// a sign.
var mark = regexp.MustCompile(`^ *(\d+  |[→?|] +)?`)

// wrapped breaks lines at words where they are wider than the terminal, and sets what
// goes on below the words above it.
type wrapped struct {
	w     io.Writer
	width int
	line  []byte // what has no end yet
}

// inWords is the standard output for long sentences: whole lines for a program, broken
// at words for a terminal.
func (a *app) inWords() io.Writer {
	f, ok := a.Out.(*os.File)
	if !ok || !isTerminal(f) {
		return a.Out
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width < 1 {
		return a.Out
	}
	return &wrapped{w: a.Out, width: width}
}

// Write writes the lines that have their end.
func (w *wrapped) Write(p []byte) (int, error) {
	w.line = append(w.line, p...)
	for {
		line, rest, ok := bytes.Cut(w.line, []byte{'\n'})
		if !ok {
			return len(p), nil
		}
		w.line = rest
		if _, err := io.WriteString(w.w, w.broken(string(line))); err != nil {
			return len(p), err
		}
	}
}

func (w *wrapped) broken(line string) string {
	lead := mark.FindString(line)
	if text.Width(lead) > w.width/2 {
		lead = ""
	}
	parts := kit.Wrap(line[len(lead):], w.width-text.Width(lead))
	return lead + strings.Join(parts, "\n"+strings.Repeat(" ", text.Width(lead))) + "\n"
}
