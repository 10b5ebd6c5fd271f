package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/shot"
)

// names is a list of rows that are their own identity.
type names []string

func (n names) Len() int         { return len(n) }
func (n names) Key(i int) string { return n[i] }
func (n names) Cells(i int, dst []Cell) []Cell {
	return append(dst, Cell{Text: n[i]}, Cell{Text: "2m"}, Cell{Text: "note of " + n[i], Tone: themes.Warn})
}

func columns() []Column {
	return []Column{{Title: "NAME", Width: 6}, {Title: "AGE", Width: 6, Right: true, Rank: 2}, {Title: "NOTE", Width: 8, Grow: true, Rank: 1}}
}

func list(s string) names { return strings.Fields(s) }

// state is the cursor in a word: the row it is on, or "-" and the row it lost.
func state(t *Table[string], n names) string {
	if i, ok := t.Selected(); ok {
		return n[i]
	}
	if k, lost := t.Lost(); lost {
		return "-" + k
	}
	return ""
}

func TestCursor(t *testing.T) {
	press := func(keys string) func(*Table[string], names) {
		return func(tb *Table[string], n names) {
			for k := range strings.FieldsSeq(keys) {
				codes := map[string]rune{"up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd}
				if c, ok := codes[k]; ok {
					tb.Press(n, tea.KeyPressMsg{Code: c})
				} else {
					tb.Press(n, tea.KeyPressMsg{Code: rune(k[0]), Text: k})
				}
			}
		}
	}
	for _, c := range []struct{ name, before, keys, after, want string }{
		{"a first list selects its first row", "", "", "a b c", "a"},
		{"an empty list selects nothing", "", "", "", ""},
		{"down", "a b c", "down", "a b c", "b"},
		{"down at the end stays", "a b c", "down down down", "a b c", "c"},
		{"up at the start stays", "a b c", "up", "a b c", "a"},
		{"letters too", "a b c d", "j j k", "a b c d", "b"},
		{"ends", "a b c d", "end", "a b c d", "d"},
		{"and back", "a b c d", "G g", "a b c d", "a"},
		{"a screen is four rows but one", "a b c d e f g h", "pgdown", "a b c d e f g h", "d"},
		{"and back by screens", "a b c d e f g h", "pgdown pgdown pgup", "a b c d e f g h", "d"},
		{"rows before it do not move it", "a b c", "down", "x y a b c", "b"},
		{"rows that go before it do not move it", "a b c", "down down", "c", "c"},
		{"another order does not move it", "a b c", "down", "b c a", "b"},
		{"it does not jump to another row when its own goes", "a b c", "down", "a c", "-b"},
		{"nor when all go", "a b c", "down", "", "-b"},
		{"a row that nobody chose is not missed", "a b c", "", "b c", ""},
		{"nor is another chosen in its place", "a b c", "", "b c d", ""},
		{"unless somebody moved to it", "a b c", "down up", "b c", "-a"},
	} {
		var tb Table[string]
		before, after := list(c.before), list(c.after)
		tb.Sync(before)
		tb.Resize(before, 4)
		press(c.keys)(&tb, before)
		tb.Sync(after)
		if got := state(&tb, after); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// TestAfterLoss holds what the cursor does once its row has left the list.
func TestAfterLoss(t *testing.T) {
	for _, c := range []struct{ name, key, then, want string }{
		{"it comes back with its row", "", "a b c d", "b"},
		{"down goes to the row in its place", "down", "a c d", "c"},
		{"up goes to the row above", "up", "a c d", "a"},
	} {
		var tb Table[string]
		n := list("a b c d")
		tb.Sync(n)
		tb.Resize(n, 9)
		tb.Move(n, 1)
		n = list("a c d")
		tb.Sync(n)
		switch c.key {
		case "down":
			tb.Move(n, 1)
		case "up":
			tb.Move(n, -1)
		}
		n = list(c.then)
		tb.Sync(n)
		if got := state(&tb, n); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// TestRandomLists throws lists at a table: the cursor is on its own row or on
// none, it is in view when it is in the list, and nothing panics.
func TestRandomLists(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var tb Table[string]
	n := names{}
	want := ""
	for range 20_000 {
		switch rnd.IntN(6) {
		case 0:
			n = names{}
			for i := range rnd.IntN(30) {
				n = append(n, fmt.Sprint(i))
			}
			rnd.Shuffle(len(n), func(i, j int) { n[i], n[j] = n[j], n[i] })
			tb.Sync(n)
			if want == "" && len(n) > 0 {
				want = n[0]
			}
		case 1:
			tb.Resize(n, rnd.IntN(12))
		default:
			tb.Move(n, rnd.IntN(9)-4)
			if i, ok := tb.Selected(); ok && len(n) > 0 {
				want = n[i]
			}
		}
		i, ok := tb.Selected()
		if there := slices.Contains(n, want); ok != (there && want != "") {
			t.Fatalf("row %q in %v: selected is %v", want, n, ok)
		}
		if ok && n[i] != want {
			t.Fatalf("the cursor is on %s, not on %s", n[i], want)
		}
		if ok && tb.height > 0 && (i < tb.top || i >= tb.top+tb.height) {
			t.Fatalf("row %d is not in view: %d rows from %d", i, tb.height, tb.top)
		}
	}
}

// TestRowsStayOnTheirLine holds that the row under the cursor keeps its line of
// the screen while rows come above it.
func TestRowsStayOnTheirLine(t *testing.T) {
	n := names{}
	for i := range 50 {
		n = append(n, fmt.Sprintf("r%02d", i))
	}
	var tb Table[string]
	tb.Sync(n)
	tb.Resize(n, 10)
	tb.Move(n, 25)
	tb.Move(n, -4)
	line := tb.index - tb.top
	n = append(names{"x", "y", "z"}, n...)
	tb.Sync(n)
	if got := tb.index - tb.top; got != line {
		t.Errorf("the row is on line %d now, it was on %d", got, line)
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		width int
		want  []int
	}{
		{60, []int{6, 6, 42}}, {26, []int{6, 6, 8}}, {25, []int{6, 0, 15}}, {17, []int{6, 0, 0}}, {3, []int{6, 0, 0}},
	} {
		if got := Fit(columns(), c.width).widths; !slices.Equal(got, c.want) {
			t.Errorf("in %d cells: %v, not %v", c.width, got, c.want)
		}
	}
}

func TestGolden(t *testing.T) {
	n := list("alpha bravo charlie größe 日本語の列")
	var tb Table[string]
	tb.Sync(n)
	tb.Move(n, 2)
	l := Fit(columns(), 34)
	lines := append([]string{l.Head(spot.Styles())}, tb.Rows(n, l, spot.Styles(), 6, false)...)
	shot.Golden(t, "rows", shot.Of(strings.Join(lines, "\n"), 34, 6))

	n = list("alpha bravo größe")
	tb.Sync(n)
	lines = append([]string{l.Head(spot.Styles())}, tb.Rows(n, l, spot.Styles(), 6, true)...)
	shot.Golden(t, "lost-and-old", shot.Of(strings.Join(lines, "\n"), 34, 4))
}

func TestNeverWider(t *testing.T) {
	n := list("alpha bravo 日本語の列 größe")
	var tb Table[string]
	tb.Sync(n)
	for w := range 50 {
		l := Fit(columns(), w)
		for _, line := range append(tb.Rows(n, l, spot.Styles(), 5, false), l.Head(spot.Styles())) {
			if got := ansi.StringWidth(line); got != w {
				t.Errorf("in %d cells a line has %d: %q", w, got, line)
			}
		}
	}
}

// numbered is a list of any length that costs nothing to hold.
type numbered int

func (n numbered) Len() int      { return int(n) }
func (n numbered) Key(i int) int { return i }
func (n numbered) Cells(_ int, dst []Cell) []Cell {
	return append(dst, Cell{Text: "job"}, Cell{Text: "5m"}, Cell{Text: "note"})
}

// TestCostIsTheWindow holds that only rows in view are made.
func TestCostIsTheWindow(t *testing.T) {
	c := &counted{}
	var tb Table[int]
	tb.Sync(c)
	tb.Last(c)
	tb.Rows(c, Fit(columns(), 60), spot.Styles(), 25, false)
	if c.made != 25 {
		t.Errorf("%d rows were made for 25 lines", c.made)
	}
}

type counted struct{ made int }

func (c *counted) Len() int      { return 100_000 }
func (c *counted) Key(i int) int { return i }
func (c *counted) Cells(i int, dst []Cell) []Cell {
	c.made++
	return append(dst, Cell{Text: fmt.Sprint(i)}, Cell{}, Cell{})
}

func BenchmarkRows(b *testing.B) {
	for _, n := range []numbered{100, 100_000} {
		b.Run(fmt.Sprint(int(n)), func(b *testing.B) {
			var tb Table[int]
			tb.Sync(n)
			tb.Move(n, int(n)/2)
			l, st := Fit(columns(), 120), spot.Styles()
			b.ReportAllocs()
			for b.Loop() {
				tb.Rows(n, l, st, 40, false)
			}
		})
	}
}

// marked is a list of names on a server that was given a colour.
type marked []string

func (m marked) Len() int         { return len(m) }
func (m marked) Key(i int) string { return m[i] }
func (m marked) Cells(i int, dst []Cell) []Cell {
	return append(dst, Cell{Text: m[i], Tone: themes.MarkRed}, Cell{Text: "2m"}, Cell{Text: "fine"})
}

// TestAMarkLiesUnderItsWords holds that a coloured ground does not fill the column:
// a list of marked servers is no wall of blocks. The selection does fill it.
func TestAMarkLiesUnderItsWords(t *testing.T) {
	theme, _ := themes.ByName("dark")
	st := theme.Styles(true, colorprofile.TrueColor)
	src := marked{"sent", "mail"}
	var list Table[string]
	list.Sync(src)
	rows := list.Rows(src, Fit(columns(), 34), st, 2, false)
	if want := st.On(themes.MarkRed).Render("sent") + st.On(themes.Plain).Render("  "); !strings.Contains(rows[0], want) {
		t.Errorf("selected: %q, want %q in it", rows[0], want)
	}
	if want := st.Of(themes.MarkRed).Render("mail") + "  "; !strings.Contains(rows[1], want) {
		t.Errorf("%q, want %q in it", rows[1], want)
	}
}

// TestATitleStaysWhole holds that the mark of the order cuts no title and moves no
// column: it stands in the gap where a title fills its column.
func TestATitleStaysWhole(t *testing.T) {
	l := Fit([]Column{{Title: "JOB", Width: 5}, {Title: "WAITING", Width: 7, Right: true}, {Title: "TRY", Width: 5, Right: true}, {Title: "NOTE", Width: 4, Grow: true}}, 40)
	plain := ansi.Strip(l.Head(spot.Styles()))
	for title, want := range map[string]string{
		"":        "  JOB    WAITING    TRY  NOTE",
		"WAITING": "  JOB    WAITING↑   TRY  NOTE",
		"TRY":     "  JOB    WAITING   TRY↑  NOTE",
		"NOTE":    "  JOB    WAITING    TRY  NOTE↑",
	} {
		head := ansi.Strip(l.By(Order{Title: title}).Head(spot.Styles()))
		if strings.TrimRight(head, " ") != want {
			t.Errorf("by %q: %q, want %q", title, head, want)
		}
		if text.Width(head) != text.Width(plain) {
			t.Errorf("by %q it is %d cells wide, and %d without", title, text.Width(head), text.Width(plain))
		}
	}
}
