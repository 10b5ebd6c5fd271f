package ui

import (
	"math/rand/v2"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// TestHostilePast draws the past, a recording, the commands and what can be copied
// over evil texts at many sizes, with keys and clicks between. While a command is
// typed there is no footer, so that sound looks at the rest.
func TestHostilePast(t *testing.T) {
	keys := []string{"[", "]", "{", "}", "p", ":", "tab", "j", "o", "b", "space", "1", "enter", "up", "y", "k", "o", "s", "esc", "down", "2", "r", "w", "v", "home", "<", ">", "?", "R"}
	evilBoard := fixture.Board(hostile())
	for seed := range uint64(8) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		r := newRig(80, 24, func(o *Options) {
			o.Past = &past{to: fixture.Now(), board: evilBoard}
			o.Replay, o.ASCII, o.Training = seed%2 == 0, seed%3 == 0, seed%4 < 2
			o.Save = func(string) error { return &model.Fault{Text: evil} }
			o.Finder = finder{}
		}, hostile())
		r.desk.plan, r.details.job = plan(), hostile().Page.Data.Jobs[0]
		r.reel.tick++ // no tick of a play is waited for
		for range 150 {
			doing := "a click"
			switch rnd.IntN(4) {
			case 0:
				doing = "a size"
				r.size(leastWidth+rnd.IntN(120), leastHeight+rnd.IntN(40))
			case 1:
				at := tea.Mouse{X: rnd.IntN(r.width), Y: rnd.IntN(r.height), Button: tea.MouseLeft}
				if at.Y == r.height-1 && !r.palette.open && r.dialog == nil {
					continue // it could press q
				}
				r.Update(tea.MouseClickMsg(at))
			default:
				doing = keys[rnd.IntN(len(keys))]
				r.Update(press(doing))
			}
			if r.palette.open {
				r.palette.typed.Update(tea.PasteMsg{Content: evil})
				if err := clean(r.View().Content); err != nil {
					t.Fatalf("a command after %s: %v", doing, err)
				}
				if rnd.IntN(3) == 0 {
					r.palette.open = false
				}
				continue
			}
			r.sound(t, doing)
		}
	}
}
