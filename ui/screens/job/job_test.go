package job

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/internal/shot"
	"github.com/leasetop/leasetop/ui/kit"
)

func env(w, h int, ss ...*model.Snapshot) *kit.Env {
	b := fixture.Board(ss...)
	return &kit.Env{Width: w, Height: h, Styles: spot.Styles(), Board: b, Live: b}
}

func open() *Screen {
	s, _ := New(kit.OpenJob{Queue: "orders", Key: fixture.Key(10421), Job: fixture.Jobs()[0], At: fixture.Now()})
	return s
}

func press(s *Screen, e *kit.Env, name string) kit.Action {
	codes := map[string]rune{"down": tea.KeyDown, "up": tea.KeyUp, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp}
	if c, ok := codes[name]; ok {
		return s.Update(e, tea.KeyPressMsg{Code: c})
	}
	return s.Update(e, tea.KeyPressMsg{Code: rune(name[0]), Text: name})
}

func read(job *model.Job, at time.Time, events ...model.Event) kit.JobRead {
	return kit.JobRead{Queue: "orders", Key: fixture.Key(10421), Job: job, At: at, Events: events}
}

func TestGolden(t *testing.T) {
	events := []model.Event{
		fixture.Event(20*time.Minute, model.EventFailed, 2, "pick-03", "HTTP 503 from the carrier"),
		fixture.Event(50*time.Minute, model.EventReclaimed, 1, "pick-01", "hung since the deploy"),
	}
	events[1].Action, events[1].Actor, events[1].Login = "018F", "anna", "PROD\\anna"
	e := env(76, 40, fixture.Snapshot())
	s := open()
	s.Update(e, kit.News{})
	s.Update(e, read(fixture.Jobs()[0], fixture.Now(), events...))
	press(s, e, "v")
	s.Update(e, kit.PayloadRead{Queue: "orders", Key: fixture.Key(10421), Payload: model.Payload{
		Text: `{"order":10421,"lines":[{"sku":"A-1","qty":2}],"note":"Größe 42"}`, Bytes: model.NumberOf(68),
	}})
	shot.Golden(t, "narrow", shot.Of(strings.Join(s.View(e), "\n"), 76, 40))

	e = env(120, 24, fixture.Snapshot())
	shot.Golden(t, "wide", shot.Of(strings.Join(s.View(e), "\n"), 120, 24))
}

// TestBare holds that the page of a table without history, beats and operation
// says what it does not have, and makes nothing up.
func TestBare(t *testing.T) {
	snap := fixture.Snapshot()
	snap.Mapping = fixture.Bare()
	j := &model.Job{
		Key: fixture.Key(7), Token: fixture.Token(7), State: model.Working, RawState: model.TextValue("W"),
		Lease: fixture.At(time.Minute), Held: model.Age{D: 12 * time.Minute, Trust: model.AtLeast},
	}
	e := env(76, 14, snap)
	s, _ := New(kit.OpenJob{Queue: "orders", Key: j.Key, Job: j, At: fixture.Now()})
	s.Update(e, kit.News{})
	shot.Golden(t, "bare", shot.Of(strings.Join(s.View(e), "\n"), 76, 14))
}

// TestPayloadOnlyOnAKey holds that nothing fetches a payload but the key, and that
// it is asked for once.
func TestPayloadOnlyOnAKey(t *testing.T) {
	e := env(80, 30, fixture.Snapshot())
	s, first := New(kit.OpenJob{Queue: "orders", Key: fixture.Key(10421), Job: fixture.Jobs()[0], At: fixture.Now()})
	if _, ok := first.(kit.ReadJob); !ok {
		t.Fatalf("it begins with %T", first)
	}
	for _, msg := range []tea.Msg{kit.News{}, read(fixture.Jobs()[0], fixture.Now())} {
		if a, ok := s.Update(e, msg).(kit.ReadPayload); ok {
			t.Errorf("%T fetches %v", msg, a)
		}
	}
	a, ok := press(s, e, "v").(kit.ReadPayload)
	if !ok || a.Limit != payloadLimit {
		t.Fatalf("v asks for %v", a)
	}
	if a := press(s, e, "v"); a != nil {
		t.Errorf("a second v asks for %v", a)
	}
	s.Update(e, kit.PayloadRead{Queue: "orders", Key: fixture.Key(1), Payload: model.Payload{Text: "of another job"}})
	if s.fetch != asked {
		t.Error("it took another job's payload")
	}
}

// TestHugePayload holds that a payload of one line of the whole limit is wrapped,
// reached to its end and drawn fast.
func TestHugePayload(t *testing.T) {
	e := env(80, 21, fixture.Snapshot())
	s := open()
	s.Update(e, kit.News{})
	s.Update(e, kit.PayloadRead{Queue: "orders", Key: fixture.Key(10421), Payload: model.Payload{
		Text: strings.Repeat("x", payloadLimit-3) + "END", Bytes: model.NumberOf(2 << 20), Cut: true,
	}})
	s.View(e)
	for range 100 {
		press(s, e, "pgdown")
		s.View(e)
	}
	view := ansi.Strip(strings.Join(s.View(e), "\n"))
	if !strings.Contains(view, "END") {
		t.Errorf("its end is not reached:\n%s", view)
	}
	for range 200 {
		press(s, e, "pgup")
	}
	if view := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(view, "10421") {
		t.Error("its top is not reached")
	}
}

func TestWrapPayload(t *testing.T) {
	for _, c := range []struct {
		p    model.Payload
		want string
	}{
		{model.Payload{Text: `{"a":[1,2]}`}, "{\n  \"a\": [\n    1,\n    2\n  ]\n}"},
		{model.Payload{Text: `{"a":[1,2`, Cut: true}, `{"a":[1,2`},
		{model.Payload{Text: "plain"}, "plain"},
		{model.Payload{}, "(empty)"},
		{model.Payload{Text: "0123456789abc"}, "0123456789\nabc"},
	} {
		if got := strings.Join(wrap(c.p, 10), "\n"); got != c.want {
			t.Errorf("%q gives %q", c.p.Text, got)
		}
	}
}

// TestFollows holds how the page keeps up with its job.
func TestFollows(t *testing.T) {
	later := func(f func(*model.Snapshot, *model.Job)) *model.Snapshot {
		s := fixture.Snapshot()
		s.Page.At = s.Page.At.Add(2 * time.Second)
		j := *s.Page.Data.Jobs[0]
		f(s, &j)
		s.Page.Data.Jobs[0] = &j
		return s
	}
	for _, c := range []struct {
		name   string
		after  *model.Snapshot
		reread bool
		lease  model.Instant
	}{
		{"a renewed lease is shown", later(func(_ *model.Snapshot, j *model.Job) { j.Lease = fixture.At(time.Minute) }), false, fixture.At(time.Minute)},
		{"another token: its history has grown", later(func(_ *model.Snapshot, j *model.Job) { j.Token = fixture.Token(3) }), true, fixture.Jobs()[0].Lease},
		{"it left the list", later(func(_ *model.Snapshot, j *model.Job) { j.Key = fixture.Key(1) }), true, fixture.Jobs()[0].Lease},
		{"it is behind the end of the list", later(func(s *model.Snapshot, j *model.Job) { j.Key, s.Page.Data.More = fixture.Key(1), true }), false, fixture.Jobs()[0].Lease},
	} {
		e := env(80, 21, fixture.Snapshot())
		s := open()
		s.Update(e, read(fixture.Jobs()[0], fixture.Now()))
		e.Board = fixture.Board(c.after)
		_, got := s.Update(e, kit.News{}).(kit.ReadJob)
		if got != c.reread || s.job.Lease != c.lease {
			t.Errorf("%s: read again %v, lease %v", c.name, got, s.job.Lease)
		}
		if got {
			s.Update(e, kit.News{})
			if a := s.Update(e, kit.News{}); a != nil {
				t.Errorf("%s: it is read again while it is being read", c.name)
			}
		}
	}
}

// TestGone holds that a row that is no more is said so, and can be acted on no
// longer.
func TestGone(t *testing.T) {
	e := env(80, 21, fixture.Snapshot())
	s := open()
	s.Update(e, read(nil, fixture.Now().Add(time.Second)))
	if s.chosen().Job != nil || !strings.Contains(ansi.Strip(s.View(e)[0]), "gone") {
		t.Errorf("%q", s.View(e)[0])
	}
	s = open()
	s.Update(e, kit.JobRead{Queue: "orders", Key: fixture.Key(10421), Err: errors.New("no connection")})
	if s.chosen().Job == nil || !strings.Contains(ansi.Strip(s.View(e)[1]), "no connection") {
		t.Errorf("%q", s.View(e)[:2])
	}
}

// TestLookedUp opens the page of a job that no list has: it is read by its key,
// and nothing is made up or offered before.
func TestLookedUp(t *testing.T) {
	e := env(80, 21, fixture.Snapshot())
	s, first := New(kit.OpenJob{Queue: "orders", Key: fixture.Key(10421)})
	if a, ok := first.(kit.ReadJob); !ok || a.Key != fixture.Key(10421) {
		t.Fatalf("it begins with %v", first)
	}
	if a := s.Update(e, kit.News{}); a != nil {
		t.Errorf("the news makes it ask for %v", a)
	}
	view := ansi.Strip(strings.Join(s.View(e), "\n"))
	if !strings.Contains(view, "reading …") || strings.Contains(view, "ClaimToken") {
		t.Errorf("before it was read it shows\n%s", view)
	}
	if say, ok := press(s, e, "d").(kit.Say); !ok || !strings.Contains(say.Text, "being read") {
		t.Errorf("an act before it was read: %v", say)
	}
	s.Update(e, kit.JobRead{Queue: "orders", Key: fixture.Key(10421), Err: errors.New("no connection")})
	if view := ansi.Strip(s.View(e)[1]); !strings.Contains(view, "no connection") {
		t.Errorf("%q", view)
	}
	dead := fixture.Failed(10421, 5, 12*time.Minute, "no such article")
	s.Update(e, read(dead, fixture.Now()))
	if got := s.Subject().View; got != model.ViewFailed {
		t.Errorf("it wants %v", got)
	}
	view = ansi.Strip(strings.Join(s.View(e), "\n"))
	for _, want := range []string{"dead letter, failed 12m00s ago", "no such article"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not on the page:\n%s", want, view)
		}
	}
}

func BenchmarkView(b *testing.B) {
	e := env(200, 57, fixture.Snapshot())
	s := open()
	s.Update(e, kit.News{})
	s.Update(e, kit.PayloadRead{Queue: "orders", Key: fixture.Key(10421), Payload: model.Payload{Text: strings.Repeat("x", payloadLimit)}})
	for b.Loop() {
		s.View(e)
	}
}
