// Package ui is the terminal user interface. Its root routes messages: the size,
// the colours and the news to everybody, keys to the dialog or to the screen on
// top, and what these ask for to commands. Screens, dialogs and widgets live in
// packages of their own and know only ui/kit.
package ui

import (
	"context"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/ui/kit"
)

// FPS is how often a second the terminal is written to. Twenty costs a key press
// 14 ms more at the 95th percentile, sixty costs twice the processor time.
const FPS = 30

// Feed is where the boards come from.
type Feed interface {
	// Bell rings when there is a new board. It has room for one ring.
	Bell() <-chan struct{}
	// Board is the newest board; it is immutable.
	Board() *model.Board
	// Want says what is on the screen. It does not wait.
	Want(w poller.Want)
	// Kick polls a queue at once, all of them for the empty name. It does not wait.
	Kick(queue string)
}

// Desk is where an operator's acts are judged, planned and carried out.
type Desk interface {
	kit.Judge
	Plan(ctx context.Context, queue string, ask actions.Ask) (model.Plan, error)
	Apply(ctx context.Context, p model.Plan, typed string) model.Receipt
	Resolve(ctx context.Context, r model.Receipt) model.Receipt
	Preview(ctx context.Context, s actions.Set) (actions.Preview, error)
	Run(ctx context.Context, s actions.Set, o actions.RunOptions) actions.Result
}

// Details is where one job is read.
type Details interface {
	// Inspect reads a job; a nil job and a nil error mean that there is none.
	Inspect(ctx context.Context, queue string, k model.Key) (*model.Job, time.Time, error)
	// Payload reads at most limit bytes of a job's payload.
	Payload(ctx context.Context, queue string, k model.Key, limit int) (model.Payload, error)
	// History reads the newest n events of a job, newest first.
	History(ctx context.Context, queue string, k model.Key, n int) ([]model.Event, time.Time, error)
	// Page reads a list of a queue's jobs.
	Page(ctx context.Context, queue string, v model.View) (model.Page, time.Time, error)
	// Locks looks for locks on a job's row.
	Locks(ctx context.Context, queue string, k model.Key) (model.Locks, error)
}

// Mischief lets something go wrong on a training queue.
type Mischief interface {
	// Tricks is a queue's menu as it is now.
	Tricks(queue string) []kit.Trick
	// Do does a trick to a queue and says what it did. The zero key means any job.
	Do(ctx context.Context, queue, name string, k model.Key) (string, error)
}

// Options are what the user interface is made of. Feed must be there; without a
// History there are no curves, without a Desk no acts, without Details no more of
// a job than its list shows.
type Options struct {
	// Context ends the calls that are under way; nil: none ends before its time.
	Context context.Context

	Feed    Feed
	History kit.History
	Desk    Desk
	Details Details

	// Past is what was seen before; nil: one cannot look back. With Replay it is a
	// recording, and there is nothing else: the Feed is not asked for anything new.
	Past   Past
	Replay bool
	Begin  time.Time // of a recording: the moment that is shown first; zero: its first

	// Finder looks jobs up by operation and worker; nil: only by their key.
	Finder Finder
	// Every changes how often the feed looks; nil: it cannot be changed.
	Every func(time.Duration)
	// Keep remembers a payload that was read, for the past and what is recorded; nil:
	// they are not kept.
	Keep func(queue string, k model.Key, p model.Payload) error
	// Carried is what a job carried, as it was read nearest to a moment of the Past, and
	// when that was; the zero time: it was not kept. Nil: none was.
	Carried func(queue string, k model.Key, at time.Time) (model.Payload, time.Time)
	// Save writes the past to a new file; nil: it cannot be saved.
	Save func(path string) error
	// Recording is nil when nothing is being recorded; else it gives why the recording
	// has failed, nil while it has not.
	Recording func() error

	// Training marks every frame, so that no one takes it for production.
	Training bool
	// First is the queue to begin with where there are several, with a line about the
	// others; empty: begin with the list.
	First string
	// Mischief is the menu of a trainer; nil: there is none.
	Mischief Mischief
	// Production says which queues are on a server that is not marked dev; nil: none.
	Production func(queue string) bool

	// Mark is the colour that a server was given, a name of themes.MarkNamed; nil or
	// empty: none.
	Mark func(server string) string

	// Notice is said at the start, until the first key: what was left over from before.
	Notice string
	// Notices are said as they come, each until the next key: what became of that.
	Notices <-chan string

	Version string
	Theme   string // a name of themes.Names; empty: the default
	Local   bool   // times in the local zone instead of UTC
	Light   bool   // the ground is taken to be light until the terminal says
	NoMouse bool   // the mouse is left to the terminal
	ASCII   bool   // for terminals without box-drawing glyphs
}

// The budgets of calls. The store has tighter ones of its own; these are for the
// case that it breaks its word.
const (
	readBudget = 10 * time.Second
	actBudget  = 30 * time.Second
)
