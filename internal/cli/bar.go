package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// barWidth is how many cells the bar itself has.
const barWidth = 24

// barEvery is how often the bar is drawn anew: often enough for the eye.
const barEvery = 100 * time.Millisecond

// bar shows on standard error how far a long command is, where that is a
// terminal. It is safe for use by several goroutines.
type bar struct {
	w io.Writer // nil: nobody looks

	mu    sync.Mutex
	drawn time.Time
	what  string
}

func (a *app) bar() *bar {
	if !isTerminal(a.Err) {
		return &bar{}
	}
	return &bar{w: a.Err}
}

// show draws the share of all that is done: whole parts and a share of the next.
func (b *bar) show(what string, done, of int, share float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w == nil || of == 0 || what == b.what && time.Since(b.drawn) < barEvery {
		return
	}
	b.what, b.drawn = what, time.Now()
	full := int((float64(done) + min(max(share, 0), 1)) / float64(of) * barWidth)
	fmt.Fprintf(b.w, "\r[%s%s] %2d/%d  %-20s\x1b[K", strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), done+1, of, what)
}

// clear takes the bar away.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w != nil && !b.drawn.IsZero() {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
