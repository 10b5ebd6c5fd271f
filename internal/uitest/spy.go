package uitest

import (
	"sync"

	tea "charm.land/bubbletea/v2"
)

// spy stands between the program and its model and keeps the last view.
type spy struct {
	model tea.Model
	seen  *sight
}

type sight struct {
	mu     sync.Mutex
	view   tea.View
	views  int // how often the view was asked for
	drawn  int // how often its content was another than before
	others int // and how often anything was that a terminal shows
}

func (s spy) Init() tea.Cmd { return s.model.Init() }

func (s spy) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := s.model.Update(msg)
	return spy{m, s.seen}, cmd
}

func (s spy) View() tea.View {
	v := s.model.View()
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	if v.Content != s.seen.view.Content {
		s.seen.drawn++
	}
	if !same(v, s.seen.view) {
		s.seen.others++
	}
	s.seen.view = v
	s.seen.views++
	return v
}

// same reports whether a terminal shows two views alike.
func same(a, b tea.View) bool {
	there := a.Cursor != nil && b.Cursor != nil
	if a.Cursor != b.Cursor && (!there || a.Cursor.Position != b.Cursor.Position) {
		return false
	}
	return a.Content == b.Content && a.AltScreen == b.AltScreen && a.WindowTitle == b.WindowTitle
}

// last is the last view, and how many there were that differ from the one before.
func (s *sight) last() (view tea.View, others int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view, s.others
}

func (s *sight) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.views
}

func (s *sight) draws() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drawn
}
