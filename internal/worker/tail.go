package worker

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/leasetop/leasetop/internal/text"
)

// The bounds of what is kept of a command's standard error. The shipped error
// column holds more, so that the exit status always has its place.
const (
	tailRing  = 4096 // bytes in memory, however much is written
	tailLines = 10
	tailBytes = 1500
)

// tail keeps the end of what is written to it. It is not safe for concurrent use;
// a command's end is awaited before it is read.
type tail struct {
	ring  [tailRing]byte
	next  int // where the next byte goes
	whole bool
}

// Write never fails: who floods must not be stopped by it.
func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if n >= tailRing {
		p = p[n-tailRing:]
	}
	rest := copy(t.ring[t.next:], p)
	copy(t.ring[:], p[rest:])
	t.whole = t.whole || t.next+n >= tailRing
	t.next = (t.next + len(p)) % tailRing
	return n, nil
}

// text is the last lines, cleaned.
func (t *tail) text() string {
	raw := string(t.ring[:t.next])
	if t.whole {
		raw = string(t.ring[t.next:]) + raw
		// What the ring begins with is the rest of something.
		if _, after, ok := strings.Cut(raw, "\n"); ok && strings.TrimSpace(after) != "" {
			raw = after
		}
	}
	lines := strings.Split(text.CleanBlock(raw, 4*tailRing), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	s := strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
	if cut := len(s) - tailBytes; cut > 0 {
		for !utf8.RuneStart(s[cut]) {
			cut++
		}
		s = s[cut:]
	}
	return s
}
