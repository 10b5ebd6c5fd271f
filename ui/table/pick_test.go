package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFilter(t *testing.T) {
	columns := []Column{{Title: "JOB"}, {Title: "WORKER"}, {Title: "LEASE"}, {Title: "NOTE"}}
	cells := []Cell{
		{Text: "10421"}, {Text: "pick-07…", Full: "pick-07-east"}, {Runs: []Run{{Text: "▕▄"}, {Text: " 2m"}}}, {Text: "HTTP 503: Größe passt nicht"},
	}
	for f, want := range map[string]bool{
		"": true, " ": true, "104": true, "PICK": true, "east": true, "2m": true, "größe": true, "nope": false, "104 pick": true, "104 nope": false,
		"!nope": true, "!104": false, "!nope !404": true, "worker:pick": true, "worker:503": false, "w:pick": true, "WORKER:EAST": true,
		"note:503": true, "!worker:pick": false, "!worker:503": true, "503:": true, "http:503": false, `"503: gr"`: true, `note:"503: gr"`: true, `!"503: gr"`: false,
		"worker:": true, "!": true, ":": true, "!worker:": true, `"`: true,
	} {
		if got := ParseFilter(f, columns).Match(cells); got != want {
			t.Errorf("%q lets it through: %v", f, got)
		}
	}
	if !ParseFilter("  ! w: ", columns).IsZero() {
		t.Error("half a filter filters")
	}
}

// numbers is a list of rows with a number and a name.
type numbers []int

func (n numbers) Len() int      { return len(n) }
func (n numbers) Key(i int) int { return n[i] }
func (n numbers) Cells(i int, dst []Cell) []Cell {
	return append(dst, Cell{Text: fmt.Sprint(n[i]), Weight: float64(n[i])}, Cell{Text: []string{"b", "A", "c"}[n[i]%3]})
}

func TestPick(t *testing.T) {
	columns := []Column{{Title: "N"}, {Title: "NAME"}}
	list := numbers{10, 9, 2, 30, 4}
	for _, c := range []struct {
		filter string
		order  Order
		want   []int
	}{
		{"", Order{}, nil}, {"", Order{Title: "GONE"}, nil}, {"0", Order{}, []int{0, 3}}, {"zz", Order{}, []int{}},
		{"", Order{Title: "N"}, []int{2, 4, 1, 0, 3}}, {"", Order{"N", true}, []int{3, 0, 1, 4, 2}},
		{"", Order{Title: "NAME"}, []int{0, 4, 1, 3, 2}}, {"n:0", Order{"N", true}, []int{3, 0}},
	} {
		if got := Pick(list, columns, ParseFilter(c.filter, columns), c.order); !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%q by %v: %v, not %v", c.filter, c.order, got, c.want)
		}
	}
}

func TestOrderGoesRound(t *testing.T) {
	var o Order
	var got strings.Builder
	for range 4 {
		o = o.Next(columns())
		got.WriteString(o.Title + " ")
	}
	if got.String() != "NAME AGE NOTE  " {
		t.Errorf("%q", got.String())
	}
	if o := (Order{Title: "GONE", Reverse: true}).Next(columns()); o != (Order{}) {
		t.Errorf("from a column that is gone: %v", o)
	}
	if o := o.Next(nil); o != (Order{}) {
		t.Errorf("without columns: %v", o)
	}
}

func TestMarks(t *testing.T) {
	var m Marks[string]
	sync := func(rows ...string) {
		m.Sync(func(yield func(string)) {
			for _, r := range rows {
				yield(r)
				yield(r) // a list may show a row twice while it moves
			}
		})
	}
	for _, k := range []string{"a", "b", "c", "b"} {
		m.Toggle(k)
	}
	if m.Len() != 2 || m.Has("b") || !m.Has("c") {
		t.Fatalf("%+v", m)
	}
	sync("a", "x")
	if m.Len() != 2 || m.Gone() != 1 {
		t.Errorf("with one away: %d, %d gone", m.Len(), m.Gone())
	}
	sync("c", "a")
	if m.Gone() != 0 {
		t.Errorf("back again: %d gone", m.Gone())
	}
	for range grace - 1 {
		sync("x")
	}
	sync("c")
	for range grace - 1 {
		sync("x")
	}
	if m.Len() != 2 || m.Gone() != 2 {
		t.Errorf("before the grace is over: %d, %d gone", m.Len(), m.Gone())
	}
	sync()
	if m.Len() != 0 || m.Gone() != 0 {
		t.Errorf("after it: %d, %d gone", m.Len(), m.Gone())
	}
}

// BenchmarkPick sorts and filters a list.
func BenchmarkPick(b *testing.B) {
	n := make(numbers, 500)
	for i := range n {
		n[i] = i * 7919 % 500
	}
	f := ParseFilter("name:a", []Column{{Title: "N"}, {Title: "NAME"}})
	b.ReportAllocs()
	for b.Loop() {
		Pick(n, []Column{{Title: "N"}, {Title: "NAME"}}, f, Order{Title: "N"})
	}
}
