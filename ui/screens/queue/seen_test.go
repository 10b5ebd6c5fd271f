package queue

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestCursorIsSeen throws keys, sizes and lists at the screen: no line is wider
// than the screen, there are no more than fit, and the row under the cursor is
// among them whenever a row of the list is.
func TestCursorIsSeen(t *testing.T) {
	keys := strings.Fields("up down down down end g G 1 2 3 4 5 6 tab space * A s S v enter esc / esc / x enter")
	boards := []func() *model.Snapshot{fixture.Snapshot, fixture.ReadyList, fixture.RepeaterList, fixture.FailedAlike, fixture.Crew, fixture.Past, fixture.FailedList}
	for seed := range uint64(8) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		u := sit(t, 80, 21, fixture.Snapshot())
		for step := range 300 {
			doing := "a board"
			switch rnd.IntN(4) {
			case 0:
				u.e.Width, u.e.Height = 30+rnd.IntN(180), 5+rnd.IntN(55)
				u.Update(u.e, kit.News{})
				doing = fmt.Sprint("size ", u.e.Width, "x", u.e.Height)
			case 1:
				s := boards[rnd.IntN(len(boards))]()
				rnd.Shuffle(len(s.Page.Data.Jobs), func(i, j int) {
					s.Page.Data.Jobs[i], s.Page.Data.Jobs[j] = s.Page.Data.Jobs[j], s.Page.Data.Jobs[i]
				})
				s.Page.Data.Jobs = s.Page.Data.Jobs[:rnd.IntN(len(s.Page.Data.Jobs)+1)]
				u.polled(s)
			default:
				doing = keys[rnd.IntN(len(keys))]
				u.keys(doing)
			}
			u.hold(fmt.Sprintf("seed %d, step %d, %s", seed, step, doing))
		}
	}
}

func (u *user) hold(when string) {
	u.Helper()
	lines := u.View(u.e)
	if len(lines) > u.e.Height {
		u.Fatalf("%s: %d lines in %d", when, len(lines), u.e.Height)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w > u.e.Width {
			u.Fatalf("%s: a line of %d cells in %d: %q", when, w, u.e.Width, l)
		}
	}
	_, on := u.list().selected()
	if p := u.plan(u.e); on && p.rows > 0 && !strings.Contains(ansi.Strip(strings.Join(lines, "\n")), "▸") {
		u.Fatalf("%s: the cursor is not seen\n%s", when, ansi.Strip(strings.Join(lines, "\n")))
	}
}
