package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// said is a snapshot of a list in which every text of the table is s.
func said(snap *model.Snapshot, s string) *model.Snapshot {
	snap.Findings = []model.Finding{{Severity: model.Bad, Text: s, Cure: s}}
	for i, j := range snap.Page.Data.Jobs {
		x := *j
		x.Worker, x.Error, x.Operation = s, s, s
		if i%2 == 0 {
			x.Key, x.Token = model.KeyOf(model.TextValue(s)), model.TokenOf(model.TextValue(s))
		}
		snap.Page.Data.Jobs[i] = &x
	}
	for i := range snap.Page.Data.Workers {
		snap.Page.Data.Workers[i].Worker = s
	}
	for i := range snap.Page.Data.Events {
		e := &snap.Page.Data.Events[i]
		e.Kind, e.Worker, e.Actor, e.Login, e.Reason = model.EventKind(s), s, s, s, s
		e.Key = model.KeyOf(model.TextValue(s))
	}
	return snap
}

// lists are all lists of a queue, by their keys.
func lists() map[string]func() *model.Snapshot {
	return map[string]func() *model.Snapshot{
		"1": fixture.Snapshot, "2": fixture.ReadyList, "3": fixture.RepeaterList, "4": fixture.FailedAlike, "5": fixture.Crew, "6": fixture.Past,
	}
}

// leaf goes through one list that says s, with its keys, and holds each frame.
func leaf(t *testing.T, s, key string, size [2]int) {
	t.Helper()
	r := newRig(size[0], size[1], nil, said(lists()[key](), s))
	r.desk.plan, r.details.job = plan(), said(fixture.Snapshot(), s).Page.Data.Jobs[0]
	r.press(key)
	r.sound(t, "list "+key)
	if n := aligned(t, r); n == 0 && key == "1" {
		t.Fatalf("at %dx%d no row has attempts:\n%s", r.width, r.height, r.text())
	}
	for _, k := range []string{"down", "space", "s", "v", "down", "/"} {
		r.press(k)
		r.sound(t, "list "+key+", "+k)
	}
	r.Update(tea.PasteMsg{Content: s})
	r.sound(t, "list "+key+", filtered")
	for _, k := range []string{"enter", "*", "esc", "esc", "enter", "?", "esc", "esc", "u"} {
		r.press(k)
		r.sound(t, "list "+key+", then "+k)
	}
}

// aligned holds that the attempts of every row stand under their title, whatever
// stands before them. It gives how many rows it looked at.
func aligned(t *testing.T, r *rig) (rows int) {
	t.Helper()
	lines := strings.Split(r.text(), "\n")
	for y, l := range lines {
		before, _, ok := strings.Cut(l, " TRY ")
		if !ok || !strings.Contains(l, "JOB ") {
			continue
		}
		x := len([]rune(before)) + len(" TRY") - 1
		screen := r.screen()
		for row := y + 1; row < len(lines)-4 && strings.Contains(screen.Line(row), "/5"); row++ {
			if got := screen.Cell(x, row); got != "5" {
				t.Fatalf("at %dx%d the attempts are not under their title in column %d: %q\n%s", r.width, r.height, x, got, r.text())
			}
			rows++
		}
		return rows
	}
	return 0
}

// TestHostileLists leafs through every list over what databases can hold.
func TestHostileLists(t *testing.T) {
	for i, s := range []string{
		evil, "", "日本語の列がとても長い", strings.Repeat("x", 400), "👩‍👩‍👧‍👦 ✈️", "a\tb\vc", "\xff\xfe", "!col:\"x y\"",
	} {
		for key := range lists() {
			leaf(t, s, key, [][2]int{{80, 24}, {120, 40}, {60, 16}}[i%3])
		}
	}
}

// FuzzLists is the same over any text, one list at a time.
func FuzzLists(f *testing.F) {
	for i, s := range []string{evil, "plain", "日本", "\x1b]0;x\x07", "\u202e", "👩‍👩‍👧", "e\u0301", "\x9b2J", "a\u00adb", "\u1160\u11a8", "🇩🇪🇩"} {
		f.Add(s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, s string, which uint8) {
		if len(s) > 1000 {
			return
		}
		leaf(t, s, string('1'+rune(which%6)), [2]int{80, 24})
	})
}

// TestResizedUnderADialog changes the size at any moment of an act on many jobs.
func TestResizedUnderADialog(t *testing.T) {
	for _, keys := range [][]string{{"r"}, {"space", "space", "r"}, {"4", "down", "u"}, {"?"}, {"w"}, {"/", "x"}} {
		r := newRig(120, 40, nil, fixture.FailedAlike())
		if keys[0] != "4" {
			r = newRig(120, 40, nil, fixture.Snapshot())
		}
		r.desk.plan = plan()
		r.Update(tick(fixture.Now().Add(time.Second)))
		r.press(keys...)
		for _, size := range [][2]int{{200, 60}, {80, 24}, {40, 12}, {20, 5}, {1, 1}, {100, 30}, {30, 8}, {120, 40}} {
			r.size(size[0], size[1])
			r.sound(t, strings.Join(keys, " "))
		}
	}
}
