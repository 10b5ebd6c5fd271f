package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// TestTheFrameSaysWhatThePictureIs: what is not of now goes over whose it is, and a
// training queue is one whatever befalls it.
func TestTheFrameSaysWhatThePictureIs(t *testing.T) {
	t.Parallel()
	training := func(o *Options) { o.Training = true }
	production := func(o *Options) { o.Production = func(string) bool { return true } }
	health := func(h model.Health) *model.Snapshot {
		s := fixture.Snapshot()
		s.Watch.Health = h
		return s
	}
	for name, c := range map[string]struct {
		change func(*Options)
		board  *model.Snapshot
		keys   []string
		want   themes.Token
	}{
		"live":               {nil, fixture.Snapshot(), nil, themes.Border},
		"connecting":         {nil, health(model.Connecting), nil, themes.Border},
		"stale":              {nil, health(model.Stale), nil, themes.Warn},
		"down":               {nil, health(model.Down), nil, themes.Bad},
		"broken":             {nil, health(model.Broken), nil, themes.Bad},
		"frozen":             {nil, fixture.Snapshot(), []string{"p"}, themes.Frozen},
		"frozen while down":  {nil, health(model.Down), []string{"p"}, themes.Frozen},
		"production":         {production, fixture.Snapshot(), nil, themes.Production},
		"production, stale":  {production, health(model.Stale), nil, themes.Warn},
		"production, frozen": {production, fixture.Snapshot(), []string{"p"}, themes.Frozen},
		"training":           {training, fixture.Snapshot(), nil, themes.Training},
		"training, down":     {training, health(model.Down), nil, themes.Training},
		"training, frozen":   {training, fixture.Snapshot(), []string{"p"}, themes.Training},
	} {
		r := newRig(80, 24, c.change, c.board)
		r.Update(tick(fixture.Now().Add(14 * time.Second)))
		r.press(c.keys...)
		if got := r.edge(); got != c.want {
			t.Errorf("%s: the frame is %s, not %s", name, got, c.want)
		}
	}
}

// TestTheHeaderKeepsItsPartsApart holds that the way to a screen gives way before
// how the watching goes, and that a blank stands between them at any width.
func TestTheHeaderKeepsItsPartsApart(t *testing.T) {
	s := failing(model.Down, &model.Fault{Class: model.FaultNetwork, Text: "connection refused"})
	s.Watch.RetryAt = fixture.Now().Add(8 * time.Second)
	for width := leastWidth; width <= 120; width++ {
		r := newRig(width, 12, nil, s)
		r.Update(tick(fixture.Now()))
		head := r.screen().Line(0)
		if before, _, ok := strings.Cut(head, "✕ DOWN"); !ok || !strings.HasSuffix(before, "  ") {
			t.Errorf("%d cells: %q", width, head)
		}
		if width >= 36 && !strings.Contains(head, "orders") {
			t.Errorf("%d cells do not name the queue: %q", width, head)
		}
	}
}

// TestAnOldTickIsNotTheTime has a queue go down hours after the ages were last
// counted: until the next tick nothing is said that needs the time.
func TestAnOldTickIsNotTheTime(t *testing.T) {
	began := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	with := func(h model.Health, retry time.Time) *model.Snapshot {
		s := fixture.Snapshot()
		s.Watch.Health, s.Watch.RetryAt = h, retry
		return s
	}
	r := newRig(120, 30, nil, with(model.Stale, time.Time{}))
	r.Update(tick(began))
	r.board(with(model.Live, time.Time{}))
	r.ticking = false // its last tick has come
	r.board(with(model.Live, time.Time{}))
	r.board(with(model.Down, began.Add(3*time.Hour)))
	r.expect(t, "DOWN")
	r.expectNot(t, "retry in")
	r.Update(tick(began.Add(3*time.Hour - 5*time.Second)))
	r.expect(t, "retry in 5s")
}
