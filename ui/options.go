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
}

// Details is where one job is read.
type Details interface {
	// Inspect reads a job; a nil job and a nil error mean that there is none.
	Inspect(ctx context.Context, queue string, k model.Key) (*model.Job, time.Time, error)
	// Payload reads at most limit bytes of a job's payload.
	Payload(ctx context.Context, queue string, k model.Key, limit int) (model.Payload, error)
	// History reads the newest n events of a job, newest first.
	History(ctx context.Context, queue string, k model.Key, n int) ([]model.Event, time.Time, error)
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

	// Training marks every frame, so that no one takes it for production.
	Training bool
	// Production says which queues are on a server that is not marked dev; nil: none.
	Production func(queue string) bool

	// Notice is said at the start, until the first key: what was left over from before.
	Notice string

	Version string
	Theme   string // a name of themes.Names; empty: the default
	Local   bool   // times in the local zone instead of UTC
	ASCII   bool   // for terminals without box-drawing glyphs
}

// The budgets of calls. The store has tighter ones of its own; these are for the
// case that it breaks its word.
const (
	readBudget = 10 * time.Second
	actBudget  = 30 * time.Second
)
