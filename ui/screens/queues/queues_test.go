package queues

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
)

func named(name string, f func(*model.Snapshot)) *model.Snapshot {
	s := fixture.Snapshot()
	s.Queue, s.Findings = name, nil
	f(s)
	return s
}

func board() *model.Board {
	return fixture.Board(
		named("billing", func(*model.Snapshot) {}),
		named("audit", func(*model.Snapshot) {}),
		named("orders", func(s *model.Snapshot) { s.Findings = fixture.Snapshot().Findings }),
		named("mail", func(s *model.Snapshot) {
			s.Pulse, s.Page, s.In, s.Out = model.Part[model.Pulse]{}, model.Part[model.Page]{}, model.Rate{}, model.Rate{}
			s.Watch = model.Watch{Health: model.Down, RetryAt: fixture.Now().Add(time.Minute), Err: &model.Fault{Text: "connection refused"}}
		}),
		named("labels", func(s *model.Snapshot) { s.Watch.Health = model.Stale }),
	)
}

func TestWorstFirst(t *testing.T) {
	e := &kit.Env{Width: 100, Height: 9, Styles: spot.Styles(), Board: board()}
	s := New()
	s.Update(e, kit.News{})
	var order []string
	for _, q := range s.queues {
		order = append(order, q.Queue)
	}
	if got := strings.Join(order, " "); got != "mail orders labels audit billing" {
		t.Errorf("the order is %s", got)
	}
	shot.Golden(t, "worst-first", shot.Of(strings.Join(s.View(e), "\n"), 100, 9))
}

func TestOpens(t *testing.T) {
	e := &kit.Env{Width: 100, Height: 9, Styles: spot.Styles(), Board: board()}
	s := New()
	s.Update(e, kit.News{})
	s.Update(e, tea.KeyPressMsg{Code: tea.KeyDown})
	if a := s.Update(e, tea.KeyPressMsg{Code: tea.KeyEnter}); a != (kit.OpenQueue{Queue: "orders"}) {
		t.Errorf("it opens %v", a)
	}
	if a := New().Update(e, tea.KeyPressMsg{Code: tea.KeyEnter}); a != nil {
		t.Errorf("with no queue it opens %v", a)
	}
}
