// Package actions carries out an operator's acts: a plan of exactly what would be
// sent, a confirmation, the journal written ahead, one statement, and a receipt
// that is true or says that it does not know. It is the only place that judges
// what became of an act.
package actions

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/leasetop/leasetop/model"
)

// Store is what the desk needs of one bound queue. It returns facts and never
// retries; its errors are *model.Fault.
type Store interface {
	Mapping() *model.Mapping
	Caps() (model.Caps, bool)
	Inspect(ctx context.Context, k model.Key) (*model.Job, time.Time, error)
	Render(ctx context.Context, i model.Intent) (model.Statement, error)
	Apply(ctx context.Context, i model.Intent) ([]model.Change, time.Time, error)
	Audit(ctx context.Context, k model.Key, actionID string) (*model.Event, error)
	History(ctx context.Context, k model.Key, n int) ([]model.Event, time.Time, error)
	// Remembered is the age of the oldest event in the history; zero: it is empty.
	Remembered(ctx context.Context) (time.Duration, error)
}

// Journal keeps what was sent, so that a lost session leaves something to resolve.
type Journal interface {
	// Sent records an act before its statement leaves. When it fails nothing is sent.
	Sent(p model.Plan, at time.Time) error
	// Done records a receipt.
	Done(r model.Receipt) error
	// Place says where a person finds what is recorded.
	Place() string
}

// Ask is what an operator wants done to one job as it was shown.
type Ask struct {
	Action model.Action
	Row    *model.Job
	At     time.Time // the server's time at which the row was shown
	Reason string
	By     time.Duration // extend: how far beyond the server's now; zero: the usual lease
	Far    bool          // extend: more than one usual lease beyond now was asked for on purpose

	// Of a destructive queue.
	Oldest   int  // dead-letter so many of the oldest rows, whichever they are; Row is nil then
	KeepTime bool // requeue with the row's old time instead of now
}

// Target is one queue as the desk may act on it.
type Target struct {
	Store Store
	// Brakes stops and frees its claims; nil: this queue cannot have a brake.
	Brakes Brakes
	// Control is off on a remote server unless it was switched on.
	Control bool
	// Production wants the queue's name typed and a reason for what is dangerous.
	Production bool
	// PrintOnly shows what would be sent and sends nothing, whatever else is allowed.
	PrintOnly bool
}

// Desk plans acts and applies them. It is safe for use by several goroutines.
type Desk struct {
	targets map[string]Target
	journal Journal
	actor   string
	settle  time.Duration
	now     func() time.Time

	records Records // where the runs of fixed sets are kept; nil: there is no place
	guard   Guard   // asked before a set takes expired jobs back; nil: nobody knows
	running sync.WaitGroup
}

// Settle is how long after sending a statement whose reply was lost may still
// take effect: its lock timeout, its whole budget and a margin. Only after it does
// an unchanged row prove that nothing happened.
const Settle = 3*time.Second + 10*time.Second + 2*time.Second

// New makes a desk over queues by name. actor is who the acts are recorded for.
func New(targets map[string]Target, j Journal, actor string) *Desk {
	return &Desk{targets: targets, journal: j, actor: actor, settle: Settle, now: time.Now}
}

// Plan says what an act would send and do about the row as it was shown. A plan
// that must not be applied says why in its Refusal; an error means that it could
// not be made at all.
func (d *Desk) Plan(ctx context.Context, queue string, ask Ask) (model.Plan, error) {
	if ask.Action.OnQueue() {
		return d.planBrake(ctx, queue, ask)
	}
	t, ok := d.targets[queue]
	oldest := ok && ask.Oldest > 0 && t.Store.Mapping().IsDestructive() // only such rows are taken by their age
	if !ok || ask.Row == nil && !oldest {
		return model.Plan{}, &model.Fault{Class: model.FaultTarget, Op: ask.Action.String(), Text: fmt.Sprintf("no queue %q or no job was chosen", queue)}
	}
	id, err := uuid.NewV7()
	if err != nil {
		return model.Plan{}, fmt.Errorf("making an action id: %w", err)
	}
	m := t.Store.Mapping()
	if ask.Action == model.Extend && ask.By == 0 {
		ask.By = m.UsualLease()
	}
	intent := model.Intent{
		Action: ask.Action, Queue: queue, Actor: d.actor, Reason: strings.TrimSpace(ask.Reason),
		ActionID: strings.ToUpper(id.String()), By: ask.By, Oldest: ask.Oldest, KeepTime: ask.KeepTime,
	}
	row := ask.Row
	if row != nil {
		intent.Key, intent.Oldest = row.Key, 0
		intent.Seen = model.Seen{State: row.State, Token: row.Token, Lease: row.Lease, Attempts: row.Attempts}
	}
	p := model.Plan{
		Intent: intent, Row: row, At: ask.At, Mapping: m, Far: ask.Far, PrintOnly: t.PrintOnly,
		Effects: effects(ask, m),
	}
	p.Refusal = d.refusal(p)
	p.Confirm = confirm(t, ask)
	if p.Statement, err = t.Store.Render(ctx, p.Intent); err != nil {
		if !p.Refusal.OK {
			return p, nil
		}
		return model.Plan{}, err
	}
	if p.Statement.Danger != "" {
		p.Effects = append([]string{"Danger: " + p.Statement.Danger + "."}, p.Effects...)
	}
	return p, nil
}

// confirm is what must be given first: what takes a job from a worker that says
// it is alive wants the queue's name typed in production, and a dead letter wants
// its diagnostic.
func confirm(t Target, ask Ask) model.Confirm {
	if t.Store.Mapping().IsDestructive() {
		c := model.Confirm{Reason: ask.Action == model.DeadLetter}
		if t.Production && ask.Oldest > 0 { // whichever rows they are: nobody has looked at them
			c.Type = t.Store.Mapping().Queue
		}
		return c
	}
	left, ok := ask.Row.Left(ask.At)
	live := ask.Row.State == model.Working && ok && left >= 0
	c := model.Confirm{Reason: ask.Action == model.DeadLetter}
	if t.Production && (ask.Action == model.Force || ask.Action == model.DeadLetter && live) {
		c.Type, c.Reason = t.Store.Mapping().Queue, true
	}
	return c
}

// refusal is what stands against a plan before anybody is asked.
func (d *Desk) refusal(p model.Plan) model.Verdict {
	if p.Intent.Action.OnQueue() {
		return d.BrakeAllowed(p.Intent.Queue)
	}
	if p.Intent.Oldest > 0 {
		if v := d.open(p.Intent.Queue); !v.OK {
			return v
		}
		return onRow(p.Intent.Action, nil, p.Mapping)
	}
	if v := d.Allowed(p.Intent.Queue, p.Intent.Action, p.Row, p.At); !v.OK {
		return v
	}
	if p.Intent.Action == model.Extend {
		return extension(p)
	}
	return model.Yes()
}

// Apply sends a plan once and judges what came of it. typed is what the operator
// typed where the plan asks for it. It always answers; nothing is retried.
func (d *Desk) Apply(ctx context.Context, p model.Plan, typed string) model.Receipt {
	return d.apply(ctx, d.journal, p, typed)
}

// apply is Apply with the journal that notes it.
func (d *Desk) apply(ctx context.Context, j Journal, p model.Plan, typed string) model.Receipt {
	if p.Intent.Action.OnQueue() {
		return d.applyBrake(ctx, j, p, typed)
	}
	t := d.targets[p.Intent.Queue]
	if why := d.why(ctx, t, p, typed); why != "" {
		return model.Receipt{Intent: p.Intent, Before: p.Row, Outcome: model.Refused, Message: why}
	}
	sent := d.now()
	if err := j.Sent(p, sent); err != nil {
		return model.Receipt{
			Intent: p.Intent, Before: p.Row, Outcome: model.Refused,
			Message: fmt.Sprintf("the journal could not be written, so nothing was sent: %v", err),
		}
	}
	changes, at, err := t.Store.Apply(ctx, p.Intent)
	e := evidence{intent: p.Intent, row: p.Row, sent: sent, changes: changes, at: at, fault: asFault(err)}
	d.read(ctx, t, &e)
	r := judge(e)
	if r.Outcome == model.Applied && p.Intent.Reason != "" && dropsReason(p.Intent.Action, p.Mapping) {
		r.Message += "; the table has no place for the reason: it is in " + j.Place()
	}
	if err := j.Done(r); err != nil {
		r.Message += fmt.Sprintf(" (the journal could not note this: %v)", err)
	}
	return r
}

// dropsReason reports whether a table has no place for why an act was done: neither a
// history, nor the diagnostic that a dead letter has.
func dropsReason(a model.Action, m *model.Mapping) bool {
	diagnosed := a == model.DeadLetter && (m.IsDestructive() || m.Has(model.RoleError))
	return m.History.IsZero() && !diagnosed
}

// why is our own refusal, empty when the plan may be sent.
func (d *Desk) why(ctx context.Context, t Target, p model.Plan, typed string) string {
	if t.Store == nil {
		return fmt.Sprintf("no queue %q is open", p.Intent.Queue)
	}
	if t.PrintOnly {
		return sentence(printOnly())
	}
	if v := d.refusal(p); !v.OK {
		return cmp.Or(sentence(v), "nothing says that it may be done here") // no words would send it
	}
	if p.Confirm.Type != "" && typed != p.Confirm.Type {
		return fmt.Sprintf("the confirmation does not match: type %s to go on", p.Confirm.Type)
	}
	if p.Confirm.Reason && p.Intent.Reason == "" {
		return "a reason is required"
	}
	now, err := t.Store.Render(ctx, p.Intent)
	if err != nil || now.Text != p.Statement.Text {
		return "the statement is no longer the one that was shown: plan it again"
	}
	return ""
}

// read looks at the row and then at the history, on a deadline of its own: the
// act's may be used up. The order matters: once the row can no longer match, an
// act that was applied has left its history row.
func (d *Desk) read(ctx context.Context, t Target, e *evidence) {
	if caps, ok := t.Store.Caps(); ok {
		e.after = caps.Triggers.After
	}
	m := t.Store.Mapping()
	e.history, e.rows = !m.History.IsZero(), m.IsDestructive()
	e.token, e.lease = m.Column(model.RoleToken), m.Column(model.RoleLease)
	if !e.needsRead() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readBudget)
	defer cancel()
	if e.intent.Oldest == 0 {
		e.now, e.nowAt, e.nowErr = t.Store.Inspect(ctx, e.intent.Key)
	}
	buried := e.rows && e.intent.Action == model.DeadLetter && e.fault != nil
	if (e.history || buried) && e.nowErr == nil {
		e.audit, e.auditErr = t.Store.Audit(ctx, e.intent.Key, e.intent.ActionID)
	}
	if e.audit == nil && e.auditErr == nil && e.nowErr == nil && e.fault != nil {
		e.forgotten, e.auditErr = d.forgotten(ctx, t, e.sent)
	}
}

// readBudget bounds the looks that follow an act.
const readBudget = 4 * time.Second
