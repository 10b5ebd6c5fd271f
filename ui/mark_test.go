package ui

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// A server that was given a colour has its name in it, wherever one is; one that
// was given none is drawn as ever.
func TestAServerHasItsColour(t *testing.T) {
	for color, want := range map[string]string{"red": "mark-red", "cyan": "mark-cyan", "": "dim", "no such colour": "dim"} {
		s := fixture.Snapshot()
		r := newRig(120, 40, func(o *Options) { o.Mark = func(string) string { return color } }, s)
		x := strings.Index(r.screen().Line(0), s.Server)
		if x < 0 {
			t.Fatalf("the server's name is not there: %s", r.screen().Line(0))
		}
		at := len([]rune(r.screen().Line(0)[:x]))
		if got, _ := r.screen().Token(at, 0); got != want {
			t.Errorf("%q: the name is %s, want %s", color, got, want)
		}
	}
}
