package table

// Marks are the rows that were marked, by their identity: they stay marked while
// rows come and go, and a row that has left the list is counted and not forgotten,
// because it may only have been out of sight for one look. The zero Marks are
// ready.
type Marks[K comparable] struct {
	set   map[K]bool // whether the row was in the list at the last Sync
	gone  int
	empty int // lists in a row that had none of them
}

// grace is how many lists in a row may have none of the marked rows before the
// marks are forgotten.
const grace = 5

// Has reports whether a row is marked.
func (m *Marks[K]) Has(k K) bool {
	_, ok := m.set[k]
	return ok
}

// Any reports whether one of the marked rows is such.
func (m *Marks[K]) Any(such func(K) bool) bool {
	for k := range m.set {
		if such(k) {
			return true
		}
	}
	return false
}

// Len is how many rows are marked, those that are gone included.
func (m *Marks[K]) Len() int { return len(m.set) }

// Gone is how many of them are not in the list.
func (m *Marks[K]) Gone() int { return m.gone }

// Toggle marks a row of the list, or takes its mark away.
func (m *Marks[K]) Toggle(k K) {
	if m.Has(k) {
		delete(m.set, k)
		return
	}
	m.Add(k)
}

// Add marks a row of the list.
func (m *Marks[K]) Add(k K) {
	if m.set == nil {
		m.set = map[K]bool{}
	}
	m.set[k] = true
}

// Clear takes all marks away.
func (m *Marks[K]) Clear() { *m = Marks[K]{} }

// Sync follows a new list, whose rows each gives to yield.
func (m *Marks[K]) Sync(each func(yield func(K))) {
	if len(m.set) == 0 {
		return
	}
	for k := range m.set {
		m.set[k] = false
	}
	m.gone = len(m.set)
	each(func(k K) {
		if there, marked := m.set[k]; marked && !there {
			m.set[k] = true
			m.gone--
		}
	})
	if m.gone < len(m.set) {
		m.empty = 0
		return
	}
	if m.empty++; m.empty >= grace {
		m.Clear()
	}
}
