package queues

import (
	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/ui/kit"
)

// above is how many lines stand above the first row.
const above = 2

// clicked chooses the queue that was clicked on.
func (s *Screen) clicked(e *kit.Env, msg tea.Msg) bool {
	c, ok := msg.(kit.Click)
	if ok {
		s.cursor.Point(rows{s, e}, c.Y-above)
	}
	return ok
}
