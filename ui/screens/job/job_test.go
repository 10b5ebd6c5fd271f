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

// TestAValueIsShownInFull holds that a value which is wider than the screen goes on
// in the next line: of a token that is cut nobody can say which it is.
func TestAValueIsShownInFull(t *testing.T) {
	e := env(40, 60, fixture.Snapshot())
	s := open()
	s.Update(e, kit.News{})
	var values strings.Builder
	for _, l := range s.View(e) {
		if l = ansi.Strip(l); ansi.StringWidth(l) > 40 {
			t.Errorf("%q is wider than the screen", l)
		} else if len(l) > labelWidth {
			values.WriteString(strings.TrimSpace(l[labelWidth:]))
		}
	}
	if want := fixture.Jobs()[0].Token.String(); !strings.Contains(values.String(), want) {
		t.Errorf("%s is not in %s", want, values.String())
	}
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

func BenchmarkView(b *testing.B) {
	e := env(200, 57, fixture.Snapshot())
	s := open()
	s.Update(e, kit.News{})
	s.Update(e, kit.PayloadRead{Queue: "orders", Key: fixture.Key(10421), Payload: model.Payload{Text: strings.Repeat("x", payloadLimit)}})
	for b.Loop() {
		s.View(e)
	}
}

// TestThePayloadOfThePast holds that a picture of the past shows what was kept, says
// when it was read, and else why there is nothing.
func TestThePayloadOfThePast(t *testing.T) {
	e := env(80, 40, fixture.Snapshot())
	e.Past = true
	s := open()
	shows := func(want, whyNot string) {
		t.Helper()
		s.Update(e, kit.News{})
		if got := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
		if v := s.Keys(e)[0]; !strings.Contains(v.Why, whyNot) || (v.Why == "") != (whyNot == "") {
			t.Errorf("v is refused with %q, want %q", v.Why, whyNot)
		}
		if a := press(s, e, "v"); e.Past && whyNot == "" && a != nil {
			t.Errorf("v asks for %v", a)
		}
	}
	shows("payload  not recorded: payloads are kept only with --record-payloads", "only with --record-payloads")
	var read time.Time
	e.Carried = func(string, model.Key) (model.Payload, time.Time) { return model.Payload{Text: "sixpence"}, read }
	shows("payload  not recorded: nobody read it", "nobody read it")
	read = fixture.Now()
	shows("payload  as it was read at "+e.Clock(read, true), "")
	shows("sixpence", "")
	s.Update(e, kit.PayloadRead{Queue: "orders", Key: fixture.Key(10421), Payload: model.Payload{Text: "of now"}})
	shows("sixpence", "")
	e.Past = false
	shows("payload  not read: v shows it", "")
}

// TestWhetherAPayloadIsKept holds that one knows of a payload whether it goes into a file.
func TestWhetherAPayloadIsKept(t *testing.T) {
	for want, got := range map[string]kit.PayloadRead{
		"payload  4 B\n": {},
		"payload  4 B · kept for looking back, :save":      {Kept: true},
		"payload  4 B · not recorded: the room is used up": {KeptErr: errors.New("the room is used up")},
	} {
		e := env(80, 40, fixture.Snapshot())
		s := open()
		s.Update(e, kit.News{})
		got.Queue, got.Key, got.Payload = "orders", fixture.Key(10421), model.Payload{Text: "wool", Bytes: model.NumberOf(4)}
		s.Update(e, got)
		if view := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(view, want) {
			t.Errorf("it does not say %q:\n%s", want, view)
		}
	}
}

// TestTheHistoryOfThePast holds that a picture of the past has no event that was
// still to come, and says so where that leaves none.
func TestTheHistoryOfThePast(t *testing.T) {
	e := env(80, 40, fixture.Snapshot())
	s := open()
	s.Update(e, kit.News{})
	s.Update(e, read(fixture.Jobs()[0], fixture.Now(), fixture.Event(-time.Minute, model.EventFailed, 2, "pick-03", "HTTP 503")))
	if got := ansi.Strip(strings.Join(s.View(e), "\n")); !strings.Contains(got, "HTTP 503") {
		t.Errorf("the event is not told:\n%s", got)
	}
	e.Past = true
	s.Update(e, kit.News{})
	if got := ansi.Strip(strings.Join(s.View(e), "\n")); strings.Contains(got, "HTTP 503") || !strings.Contains(got, "nothing had ended yet") {
		t.Errorf("what was still to come is told:\n%s", got)
	}
}
