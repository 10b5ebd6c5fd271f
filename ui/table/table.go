// Package table is a list of rows of which only those in view are ever made. Its
// cursor belongs to a row's identity and not to a place: when rows come and go
// around it, it stays on its row, and when that row goes, it is on none.
package table

// Source is what a table shows. A table never keeps one.
type Source[K comparable] interface {
	// Len is the number of rows.
	Len() int
	// Key is the identity of row i.
	Key(i int) K
	// Cells appends the cells of row i, one a column, to dst.
	Cells(i int, dst []Cell) []Cell
}

// Table is the cursor and the window of a list. The zero Table is ready.
type Table[K comparable] struct {
	key    K
	chosen bool // key is a row that somebody, or the first look, has chosen
	used   bool // somebody has: by a key of the cursor's, or by one that was about the row
	lost   bool // that row is no longer in the list
	index  int  // where it is, or was
	top    int  // first row in view
	height int  // rows in view at the last drawing
}

// Sync follows a new list. The cursor stays on its row and, as far as the list
// reaches, on its line of the screen. A first list puts it on the first row.
func (t *Table[K]) Sync(src Source[K]) {
	n := src.Len()
	switch {
	case n == 0:
		t.lost = t.chosen
	case !t.chosen:
		t.choose(src, 0)
		t.used = false
	case t.index < n && src.Key(t.index) == t.key:
		t.lost = false
	default:
		t.follow(src, n)
	}
	t.clamp(n)
}

func (t *Table[K]) follow(src Source[K], n int) {
	for i := range n {
		if src.Key(i) == t.key {
			t.top += i - t.index
			t.index, t.lost = i, false
			return
		}
	}
	t.lost = true
}

// Selected is the row under the cursor; ok is false when there is none or when
// it has left the list.
func (t *Table[K]) Selected() (index int, ok bool) {
	return t.index, t.chosen && !t.lost
}

// Lost is the identity of the row that the cursor was on when it left the list. A
// row that nobody chose and that nobody did anything with is not missed.
func (t *Table[K]) Lost() (key K, lost bool) { return t.key, t.chosen && t.lost && t.used }

// Use says that somebody did something with the row under the cursor.
func (t *Table[K]) Use() { t.used = t.used || t.chosen && !t.lost }

// Move moves the cursor by rows. From a row that has left the list it goes to the
// one that took its place.
func (t *Table[K]) Move(src Source[K], by int) {
	if src.Len() == 0 {
		return
	}
	to := t.index + by
	if t.lost || !t.chosen {
		to = t.index
		if by < 0 {
			to--
		}
	}
	t.choose(src, to)
	t.clamp(src.Len())
}

// Point puts the cursor on the row that is on a line of the window, if there is one.
func (t *Table[K]) Point(src Source[K], line int) {
	if line >= 0 && line < t.height && t.top+line < src.Len() {
		t.choose(src, t.top+line)
	}
}

// Page moves the cursor by screens.
func (t *Table[K]) Page(src Source[K], by int) { t.Move(src, by*max(1, t.height-1)) }

// First and Last put the cursor on an end of the list.
func (t *Table[K]) First(src Source[K]) { t.end(src, 0) }

// Last puts the cursor on the last row.
func (t *Table[K]) Last(src Source[K]) { t.end(src, src.Len()-1) }

func (t *Table[K]) end(src Source[K], i int) {
	if src.Len() > 0 {
		t.choose(src, i)
		t.clamp(src.Len())
	}
}

func (t *Table[K]) choose(src Source[K], i int) {
	t.index = min(max(0, i), src.Len()-1)
	t.key, t.chosen, t.lost, t.used = src.Key(t.index), true, false, true
}

// Resize says how many rows are in view.
func (t *Table[K]) Resize(src Source[K], height int) {
	t.height = max(0, height)
	t.clamp(src.Len())
}

// clamp keeps index and window within a list of n rows, and the cursor within
// the window.
func (t *Table[K]) clamp(n int) {
	t.index = min(max(0, t.index), max(0, n-1))
	if t.height > 0 {
		t.top = min(t.top, t.index)
		t.top = max(t.top, t.index-t.height+1)
	}
	t.top = min(max(0, t.top), max(0, n-t.height))
}
