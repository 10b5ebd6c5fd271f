package dialog

import (
	"errors"
	"testing"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
)

func menu() []kit.Trick {
	return []kit.Trick{
		{Name: "kill", Does: "kill the worker of the job"}, {Name: "flood", Does: "enqueue 200 jobs at once"}, {Name: "clock", Does: "set the server's clock five minutes ahead"},
		{Name: "stall", Why: "there is no lease to stall past"},
	}
}

// A trick is asked for once at a time, about the job that was chosen, and the menu
// stays open with what became of it.
func TestTricks(t *testing.T) {
	e := env(80, 20)
	k := model.KeyOf(model.IntValue(10421))
	d := NewTricks("training", menu(), k)
	d.Update(e, key("down"))
	want := kit.DoTrick{Queue: "training", Name: "flood", Key: k}
	if a := d.Update(e, key("enter")); a != want {
		t.Fatalf("asked for %v, want %v", a, want)
	}
	for _, press := range []string{"enter", "1"} {
		if a := d.Update(e, key(press)); a != nil {
			t.Errorf("while one is under way %s asks for %v", press, a)
		}
	}
	d.Update(e, kit.Tricked{Said: "200 jobs came, from 77 on", Tricks: menu()})
	shot.Golden(t, "tricks", box(d.View(e)))
	if a := d.Update(e, key("3")); a != (kit.DoTrick{Queue: "training", Name: "clock", Key: k}) {
		t.Errorf("the number asks for %v", a)
	}
	d.Update(e, kit.Tricked{Err: errors.New("no worker holds a job at the moment"), Tricks: menu()})
	shot.Golden(t, "tricks-narrow", box(d.View(env(44, 6))))
	if a := d.Update(e, key("4")); a != nil {
		t.Errorf("one that can do nothing here asks for %v", a)
	}
	shot.Golden(t, "tricks-refused", box(d.View(e)))
	if _, ok := d.Update(e, key("esc")).(kit.Close); !ok {
		t.Error("esc does not close it")
	}
}
