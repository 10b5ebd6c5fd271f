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
	mu    sync.Mutex
	view  tea.View
	views int
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
	s.seen.view = v
	s.seen.views++
	return v
}

func (s *sight) last() (view tea.View, views int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view, s.views
}
