package kit

import (
	"fmt"
	"strings"
	"testing"
)

// TestPager holds where the keys lead in a text of twenty lines, five of which can
// be seen.
func TestPager(t *testing.T) {
	text := Page{Height: 5}
	for i := range 20 {
		text.Lines = append(text.Lines, fmt.Sprint(i))
	}
	for _, c := range []struct {
		keys  string
		first int
	}{
		{"", 0}, {"up", 0}, {"down j", 2}, {"down j k", 1}, {"pgdown", 4}, {"space ctrl+f", 8}, {"pgdown pgup", 0},
		{"end", 15}, {"G down", 15}, {"end up", 14}, {"end home", 0}, {"G g", 0}, {"pgdown pgdown pgdown pgdown pgdown", 15}, {"x enter", 0},
	} {
		var r Pager
		for k := range strings.FieldsSeq(c.keys) {
			r.Press(text, k)
		}
		shown, below := r.Window(text)
		if len(shown) != 5 || shown[0] != fmt.Sprint(c.first) || below != 15-c.first {
			t.Errorf("%q: %v and %d more below, want %d first", c.keys, shown, below, c.first)
		}
	}
}

// TestPagerFollowsItsWindow holds that a place beyond the end, because the text
// became shorter or the window higher, is the end, from where the next key counts.
func TestPagerFollowsItsWindow(t *testing.T) {
	page := func(lines, height int) Page { return Page{Lines: make([]string, lines), Height: height} }
	var r Pager
	r.Press(page(20, 5), "end")
	for _, p := range []Page{page(8, 5), page(20, 17)} {
		if shown, below := r.Window(p); below != 0 || len(shown) != p.Height {
			t.Errorf("%d lines in view, %d below them", len(shown), below)
		}
	}
	if at := r.At(page(20, 5)); at != 15 {
		t.Errorf("drawing moved the place to %d", at)
	}
	r.Press(page(8, 5), "up")
	if at := r.At(page(20, 5)); at != 2 {
		t.Errorf("from the end of a shorter text it went to %d", at)
	}
	if shown, below := r.Window(Page{}); len(shown) != 0 || below != 0 {
		t.Errorf("of nothing it shows %v, %d below", shown, below)
	}
}
