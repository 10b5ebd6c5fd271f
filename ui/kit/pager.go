package kit

import "slices"

// Page is a text and how many of its lines can be seen at once.
type Page struct {
	Lines  []string
	Height int
}

// last is the last line that a window can begin with.
func (p Page) last() int { return max(0, len(p.Lines)-max(1, p.Height)) }

// Pager is the place of a reader in a text that may be longer than its window. The
// text and the window change with every answer and every size of the terminal, so a
// Pager is given both whenever they matter and keeps the place alone: drawing
// changes nothing. The zero Pager is at the beginning.
type Pager struct{ top int }

// At is the line with which the window begins.
func (r Pager) At(p Page) int { return min(r.top, p.last()) }

// Window is a copy of the lines in view, and how many more are below them.
func (r Pager) Window(p Page) (shown []string, below int) {
	first := r.At(p)
	end := min(len(p.Lines), first+max(1, p.Height))
	return slices.Clone(p.Lines[first:end]), len(p.Lines) - end
}

// Go moves the window to a line, as far as the text reaches.
func (r *Pager) Go(p Page, line int) { r.top = max(0, min(line, p.last())) }

// ReadOn names the keys of a Pager.
var ReadOn = Bind("up down k j", "↑ ↓", "read on")

// Keys are ReadOn where there is more than can be seen at once.
func (p Page) Keys() []Binding {
	if p.last() == 0 {
		return nil
	}
	return []Binding{ReadOn}
}

// Press moves the window if the key is one for it.
func (r *Pager) Press(p Page, key string) {
	screen := max(1, p.Height-1)
	switch at := r.At(p); key {
	case "up", "k":
		r.Go(p, at-1)
	case "down", "j":
		r.Go(p, at+1)
	case "pgup", "ctrl+b":
		r.Go(p, at-screen)
	case "pgdown", "ctrl+f", "space":
		r.Go(p, at+screen)
	case "home", "g":
		r.Go(p, 0)
	case "end", "G":
		r.Go(p, len(p.Lines))
	}
}
