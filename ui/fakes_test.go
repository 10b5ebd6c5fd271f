package ui

import (
	"context"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
	"github.com/leasetop/leasetop/themes/spot"
	"github.com/leasetop/leasetop/ui/internal/fixture"
	"github.com/leasetop/leasetop/ui/kit"
)

// feed is a board that a test sets.
type feed struct {
	bell  chan struct{}
	board *model.Board
	wants []poller.Want
	kicks []string
}

func (f *feed) Bell() <-chan struct{} { return f.bell }
func (f *feed) Board() *model.Board   { return f.board }
func (f *feed) Want(w poller.Want)    { f.wants = append(f.wants, w) }
func (f *feed) Kick(q string)         { f.kicks = append(f.kicks, q) }

// curve is a history with one known form: the same buckets for the same time.
type curve struct{ empty bool }

func (c curve) Series(_ string, m tape.Metric, to time.Time, per time.Duration, cols int) []tape.Bucket {
	out := make([]tape.Bucket, cols)
	for i := range out {
		at := to.Add(-time.Duration(cols-1-i) * per)
		x := float64(at.Unix()%900) / 900
		v := 250 * x * x
		if m != tape.OldestReady {
			v = 12 + 9*math.Sin(20*x+float64(m))
		}
		out[i] = tape.Bucket{Max: v, Mean: v, Gap: c.empty || (x > 0.3 && x < 0.36)}
	}
	return out
}

// desk answers with what a test set.
type desk struct {
	verdict func(a model.Action, j *model.Job, now time.Time) model.Verdict
	plan    model.Plan
	receipt model.Receipt
	sent    []model.Plan
	typed   string

	preview actions.Preview
	result  actions.Result
	sets    []actions.Set
}

func (d *desk) Allowed(_ string, a model.Action, j *model.Job, now time.Time) model.Verdict {
	if d.verdict != nil {
		return d.verdict(a, j, now)
	}
	return model.Yes()
}

func (d *desk) Plan(_ context.Context, queue string, ask actions.Ask) (model.Plan, error) {
	p := d.plan
	p.Row, p.At = ask.Row, ask.At
	p.Intent = model.Intent{Action: ask.Action, Queue: queue, Key: ask.Row.Key, Reason: ask.Reason, ActionID: "018F0000-0000-7000-8000-000000000001"}
	return p, nil
}

func (d *desk) Apply(_ context.Context, p model.Plan, typed string) model.Receipt {
	d.sent, d.typed = append(d.sent, p), typed
	r := d.receipt
	r.Intent, r.Before = p.Intent, p.Row
	return r
}

func (d *desk) Resolve(_ context.Context, r model.Receipt) model.Receipt {
	r.Outcome = model.Applied
	return r
}

func (d *desk) Preview(_ context.Context, s actions.Set) (actions.Preview, error) {
	p := d.preview
	p.Total, p.Fit = len(s.Rows), len(s.Rows)
	p.First = d.plan
	return p, nil
}

func (d *desk) Run(_ context.Context, s actions.Set, o actions.RunOptions) actions.Result {
	d.sets, d.typed = append(d.sets, s), o.Typed
	o.Progress(actions.Progress{Total: len(s.Rows)})
	r := d.result
	r.Total = len(s.Rows)
	return r
}

// details is a store of one job.
type details struct {
	job     *model.Job
	err     error // of reading it
	events  []model.Event
	payload model.Payload
	page    model.Page
	locks   model.Locks
}

func (d *details) Inspect(context.Context, string, model.Key) (*model.Job, time.Time, error) {
	return d.job, fixture.Now(), d.err
}

func (d *details) Payload(context.Context, string, model.Key, int) (model.Payload, error) {
	return d.payload, nil
}

func (d *details) History(context.Context, string, model.Key, int) ([]model.Event, time.Time, error) {
	return d.events, fixture.Now(), nil
}

func (d *details) Page(context.Context, string, model.View) (model.Page, time.Time, error) {
	return d.page, fixture.Now(), nil
}

func (d *details) Locks(context.Context, string, model.Key) (model.Locks, error) {
	return d.locks, nil
}

// rig is an app with its fakes.
type rig struct {
	*App
	feed    *feed
	desk    *desk
	details *details
}

// newRig makes an app of a size over snapshots, in the spot theme.
func newRig(width, height int, change func(*Options), ss ...*model.Snapshot) *rig {
	r := &rig{feed: &feed{bell: make(chan struct{}, 1), board: fixture.Board(ss...)}, desk: &desk{}, details: &details{}}
	o := Options{Feed: r.feed, History: curve{}, Desk: r.desk, Details: r.details, Version: "v0.1.0"}
	if change != nil {
		change(&o)
	}
	r.App = newApp(o)
	r.theme = spot.Theme()
	r.restyle()
	r.size(width, height)
	return r
}

func (r *rig) size(width, height int) { r.Update(tea.WindowSizeMsg{Width: width, Height: height}) }

// board publishes a board, as the poller does.
func (r *rig) board(ss ...*model.Snapshot) {
	r.feed.board = fixture.Board(ss...)
	r.Update(rang{})
}

// press gives keys, and carries out what they lead to.
func (r *rig) press(keys ...string) {
	for _, k := range keys {
		was := r.ticking
		r.ticking = true // so that no command waits for a tick
		_, cmd := r.Update(press(k))
		r.ticking = was
		r.run(cmd)
	}
}

// run carries out the calls of a command and gives the program their answers.
func (r *rig) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			r.run(c)
		}
	case kit.Answer, saved, found:
		_, next := r.Update(msg)
		r.run(next)
	}
}

// press is a key by the name that Bubble Tea gives it.
func press(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome,
		"end": tea.KeyEnd, "backspace": tea.KeyBackspace,
	}
	if code, ok := special[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "shift+tab" {
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	if len(name) == 6 && name[:5] == "ctrl+" {
		return tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl}
	}
	r := []rune(name)
	return tea.KeyPressMsg{Code: r[0], Text: name}
}

// leaves reports whether a message ends the program.
func leaves(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		for _, c := range msg {
			if c != nil && leaves(c()) {
				return true
			}
		}
	}
	return false
}
