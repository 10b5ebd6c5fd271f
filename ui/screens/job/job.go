// Package job is the page of one job: every mapped column, its history, and its
// payload when it is asked for.
package job

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
)

// payloadLimit is how much of a payload is fetched, in bytes: more is not read on
// a screen, and it all has to cross the wire.
const payloadLimit = 64 << 10

// Screen is the page of one job. It begins with the row as the list showed it and
// follows it from poll to poll; what the list does not have is read apart.
type Screen struct {
	queue   string
	key     model.Key
	job     *model.Job // as last seen; nil: not looked up yet
	at      time.Time  // the server's time of job
	mapping *model.Mapping
	gone    bool // there is no such row any more
	past    bool // what is shown is of the past
	err     error

	reading   bool // a read is under way
	read      bool // the history has been read
	events    []model.Event
	eventsErr error

	payload kit.PayloadRead
	readAt  time.Time // of a payload of the past: when it was read, by our own clock
	fetch   fetch
	wrapped wrapped

	place kit.Pager
}

// fetch is how far the payload has come.
type fetch uint8

const (
	notAsked fetch = iota
	asked
	fetched
)

// New opens the page of a job and asks for what the list did not have.
func New(o kit.OpenJob) (*Screen, kit.Action) {
	s := &Screen{queue: o.Queue, key: o.Key, job: o.Job, at: o.At}
	return s, s.reread()
}

// Crumb implements kit.Screen.
func (s *Screen) Crumb() string { return text.Cut(text.Clean(s.key.String()), 24) }

// Subject implements kit.Screen: the list that has the job.
func (s *Screen) Subject() kit.Subject {
	if s.job == nil {
		return kit.Subject{Queue: s.queue}
	}
	return kit.Subject{Queue: s.queue, View: model.ViewOf(s.job.State)}
}

// The keys of the page, beside the acts.
var (
	show  = kit.Bind("v", "v", "payload")
	again = kit.Bind("R", "R", "read again")
	lines = kit.Bind("up down k j", "↑ ↓", "scroll").Hushed()
	pages = kit.Bind("pgup pgdown ctrl+b ctrl+f space", "pgup pgdn", "scroll by screens").Hushed()
	ends  = kit.Bind("home end g G", "home end", "top or end").Hushed()
)

// Keys implements kit.Screen.
func (s *Screen) Keys(e *kit.Env) []kit.Binding {
	v := show
	if e.Past && s.fetch != fetched {
		v = v.Refused(model.No("its payload was not recorded: "+notKept(e), ""))
	}
	if s.mapping != nil && !s.mapping.IsDestructive() && !s.mapping.Has(model.RolePayload) {
		v = v.Refused(model.No("the table has no payload column", ""))
	}
	keys := append([]kit.Binding{v}, kit.ActKeys(e, s.chosen())...)
	r := again
	if e.Off != "" { // what was is not read again
		r = r.Refused(model.No(e.Off, ""))
	}
	return append(keys, kit.WhyKey(e, s.chosen()), r, lines, pages, ends)
}

// chosen is what an act would be about.
func (s *Screen) chosen() kit.Chosen {
	c := kit.Chosen{Queue: s.queue, At: s.at, List: s.Subject().View}
	switch {
	case s.gone:
		c.None = "the job is " + s.nowhere()
	case s.job == nil && s.past:
		c.None = "the job was not watched then"
	case s.job == nil && s.err != nil:
		c.None, c.Key = "the job could not be read: R reads it again", s.key
	case s.job == nil:
		c.None = "the job is being read"
	default:
		c.Job = s.job
	}
	return c
}

// nowhere says that there is no row. One that was never seen, and of which nothing
// is on record, may be one that never was.
func (s *Screen) nowhere() string {
	if s.job == nil && len(s.events) == 0 {
		return "not found: the table has no such row"
	}
	return "gone: the table has no such row any more"
}

// Update implements kit.Screen.
func (s *Screen) Update(e *kit.Env, msg tea.Msg) kit.Action {
	switch msg := msg.(type) {
	case kit.News:
		return s.news(e)
	case kit.JobRead:
		s.took(msg)
	case kit.PayloadRead:
		if msg.Queue == s.queue && msg.Key == s.key && !s.past {
			s.payload, s.fetch, s.wrapped = msg, fetched, wrapped{}
			s.jump(e)
		}
	case tea.KeyPressMsg:
		return s.press(e, msg)
	}
	return nil
}

func (s *Screen) press(e *kit.Env, msg tea.KeyPressMsg) kit.Action {
	if a, ok := kit.Act(e, msg, s.chosen()); ok {
		return a
	}
	if a, ok := kit.AskedWhy(e, msg, s.chosen()); ok {
		return a
	}
	switch {
	case kit.Pressed(msg, show):
		return s.ask(e)
	case kit.Pressed(msg, again):
		return kit.Many{kit.Kick{Queue: s.queue}, s.reread()}
	}
	page, _ := s.page(e)
	s.place.Press(page, msg.String())
	return nil
}

func (s *Screen) ask(e *kit.Env) kit.Action {
	for _, k := range s.Keys(e)[:1] {
		if k.Why != "" {
			return kit.Refuse(k)
		}
	}
	switch {
	case s.past:
		s.jump(e)
		return nil
	case s.fetch == asked:
		return nil
	}
	s.fetch = asked
	return kit.ReadPayload{Queue: s.queue, Key: s.key, Limit: payloadLimit}
}

func (s *Screen) reread() kit.Action {
	if s.reading {
		return nil
	}
	s.reading = true
	return kit.ReadJob{Queue: s.queue, Key: s.key}
}

func (s *Screen) took(r kit.JobRead) {
	if r.Queue != s.queue || r.Key != s.key {
		return
	}
	s.reading = false
	if s.past {
		return // it is of now
	}
	if s.err = r.Err; r.Err == nil {
		s.gone = r.Job == nil
		if r.Job != nil && !r.At.Before(s.at) {
			s.job, s.at = r.Job, r.At
		}
		s.read, s.events, s.eventsErr = true, r.Events, r.EventsErr
	}
}

// news follows the job in the list that has it. When it has changed hands or left
// the list, the row and its history are read anew, once.
func (s *Screen) news(e *kit.Env) kit.Action {
	if e.Past != s.past {
		s.past, s.reading = e.Past, false
		s.job, s.at, s.gone, s.err = nil, time.Time{}, false, nil
		s.payload, s.fetch, s.wrapped = kit.PayloadRead{}, notAsked, wrapped{}
		if !e.Past {
			return s.reread()
		}
	}
	if e.Past {
		s.carried(e)
	}
	snap := e.Board.Queue(s.queue)
	if snap == nil {
		if e.Past {
			s.job = nil
		}
		return nil
	}
	s.mapping = snap.Mapping
	if e.Past {
		s.then(snap)
		return nil
	}
	p := &snap.Page
	if s.job == nil || p.Err != nil || !p.At.After(s.at) || p.Data.View != s.Subject().View {
		return nil
	}
	for _, j := range p.Data.Jobs {
		if j.Key != s.key {
			continue
		}
		moved := j.Token != s.job.Token || j.State != s.job.State
		s.job, s.at, s.gone = j, p.At, false
		if moved {
			return s.reread()
		}
		return nil
	}
	if p.Data.More || s.gone {
		return nil
	}
	return s.reread()
}

// then takes the job as a list of the past has it. What no list had was not seen,
// and cannot be read any more.
func (s *Screen) then(snap *model.Snapshot) {
	s.job, s.at = nil, snap.Now()
	for _, j := range snap.Page.Data.Jobs {
		if j.Key == s.key {
			s.job, s.at = j, snap.Page.At
		}
	}
}
