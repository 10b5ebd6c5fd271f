package dialog

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
)

// TestTheBrakesDialog holds that the brake is put with its reason, and that a brake
// which somebody else put meanwhile freezes the dialog.
func TestTheBrakesDialog(t *testing.T) {
	e := env(80, 24)
	p := plan(model.Confirm{Reason: true})
	p.Brake, p.At = &model.Brake{}, e.Live.Queue("orders").Pulse.At
	open := func() *Confirm {
		c, _ := NewConfirm(e, 1, kit.Ask{Queue: "orders", Action: model.PutBrake})
		c.Update(e, kit.Planned{ID: 1, Plan: p})
		return c
	}
	c := open()
	if did := drive(e, c, p, "'bad tab enter"); !strings.Contains(did, "send bad/") {
		t.Errorf("did %q, want the brake sent with its reason", did)
	}
	c = open()
	text := strings.Join(c.View(e), "\n")
	for _, want := range []string{"brake orders", "the brake is off", "Brake"} {
		if !strings.Contains(text, want) {
			t.Errorf("the dialog does not say %q:\n%s", want, text)
		}
	}
	s := *e.Live.Queue("orders")
	s.Pulse.At = s.Pulse.At.Add(time.Second)
	s.Pulse.Data.Brake = &model.Brake{On: true, Actor: "other@host", Reason: "sooner"}
	e.Live = &model.Board{Queues: []*model.Snapshot{&s}}
	c.Update(e, kit.News{})
	if did := drive(e, c, p, "'bad tab enter"); strings.Contains(did, "send") {
		t.Errorf("did %q after another operator put the brake", did)
	}
	if text := strings.Join(c.View(e), "\n"); !strings.Contains(text, "other@host, sooner") {
		t.Errorf("the dialog does not say who was sooner:\n%s", text)
	}
}
