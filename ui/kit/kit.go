// Package kit is the contract between the root of the user interface and its
// screens and dialogs: what they are given, what they may ask for, and the small
// drawing tools that all of them share.
//
// A screen never waits, never makes a command and never imports another screen.
// It is told of keys and of news, changes itself, and answers with an Action that
// the root carries out.
package kit

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
)

// Screen is one page of the navigation stack. It owns the area between the header
// and the footer.
type Screen interface {
	// Crumb is the screen's part of the breadcrumb.
	Crumb() string
	// Subject is what must be read while the screen is on top.
	Subject() Subject
	// Keys lists the keys that the screen answers to now, the most useful first.
	Keys(e *Env) []Binding
	// Update takes a key, a News or an answer.
	Update(e *Env, msg tea.Msg) Action
	// View is the screen's lines, none wider than e.Width and at most e.Height of
	// them. It reads nothing but the screen and e.
	View(e *Env) []string
}

// Dialog lies over a screen and takes every key while it is open.
type Dialog interface {
	// Keys lists the keys for the dialog's own lower edge.
	Keys(e *Env) []Binding
	// Update takes a key, a News or an answer.
	Update(e *Env, msg tea.Msg) Action
	// View is the dialog's box: lines of one width that fit into e.Width and e.Height.
	View(e *Env) []string
}

// Subject is a queue and the list of it that is looked at, and who gets the keys.
type Subject struct {
	Queue string
	View  model.View
	// Typing says that keys are text now: the root keeps only those that end or
	// leave the program.
	Typing bool
}

// News says that something in the Env is new: the board, the size, the styles,
// the time zone, the freeze or whether one looks at the past.
type News struct{}

// History gives the curves of the charts.
type History interface {
	// Series is cols buckets of a metric, each per long, the last one ending at to.
	Series(queue string, m tape.Metric, to time.Time, per time.Duration, cols int) []tape.Bucket
}

// Judge says whether an act may be tried on a job, without asking anybody.
type Judge interface {
	Allowed(queue string, a model.Action, j *model.Job, now time.Time) model.Verdict
}

// Env is what screens and dialogs know of the world. It is theirs to read only.
type Env struct {
	Width, Height int // cells that the screen may fill
	Styles        *themes.Styles
	Edge          themes.Token // ink of boxes and rules, which says what kind of queue this is
	ASCII         bool         // keys are named in letters
	Zone          *time.Location

	Board  *model.Board // what is shown: the picture that was frozen, while it is
	Live   *model.Board // the newest, whatever is shown
	Frozen bool
	Past   bool      // Board is of the past: what was not seen then cannot be read now
	Beside bool      // the screen of a queue has a line about the others
	Off    string    // why nothing can be done to any job, whatever it is; empty: it is judged
	Now    time.Time // this process's time at the last tick, for staleness only; may be zero

	// Mark is the ink of a server's name; nil: none has one of its own.
	Mark func(server string) (themes.Token, bool)

	// Carried gives what a job carried, as it was read nearest to the picture of the
	// past that is shown, and when that was: the zero time where nothing of it was
	// kept. Nil: payloads are not kept.
	Carried func(queue string, k model.Key) (model.Payload, time.Time)

	History History
	Judge   Judge
}

// Server is the ink of a server's name, else the one that is given.
func (e *Env) Server(name string, otherwise themes.Token) themes.Token {
	if e.Mark != nil {
		if t, ok := e.Mark(name); ok {
			return t
		}
	}
	return otherwise
}

// Clock writes a server time for people: seconds only where they are looked at.
func (e *Env) Clock(t time.Time, seconds bool) string {
	layout := "15:04"
	if seconds {
		layout = "15:04:05"
	}
	return e.zoned(t, layout)
}

// Stamp writes a server time in full.
func (e *Env) Stamp(t time.Time) string { return e.zoned(t, "2006-01-02 15:04:05.000") }

func (e *Env) zoned(t time.Time, layout string) string {
	if e.Zone == nil || e.Zone == time.UTC {
		return t.UTC().Format(layout) + "Z"
	}
	return t.In(e.Zone).Format(layout + " MST")
}
