package actions

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Brakes is what the desk needs of a queue whose claims can be stopped.
type Brakes interface {
	Brake(ctx context.Context) (*model.Brake, time.Time, error)
	ApplyBrake(ctx context.Context, i model.Intent) (done bool, now *model.Brake, at time.Time, err error)
	BrakeEvent(ctx context.Context, actionID string) (*model.Event, error)
}

// BrakeAllowed says whether the brake of a queue may be put or released, and if
// not why and what would help.
func (d *Desk) BrakeAllowed(queue string) model.Verdict {
	if v := d.open(queue); !v.OK {
		return v
	}
	t := d.targets[queue]
	caps, _ := t.Store.Caps()
	switch v := caps.Allows(model.CanBrake); {
	case t.Store.Mapping().IsDestructive():
		return model.No("a destructive queue has no brake: a dequeue reads nothing that could stop it", "stop its workers")
	case !v.OK:
		return v
	case t.Brakes == nil:
		return model.No("this queue has no brake", "")
	}
	return model.Yes()
}

// planBrake says what an act on the brake would send and do.
func (d *Desk) planBrake(ctx context.Context, queue string, ask Ask) (model.Plan, error) {
	t, ok := d.targets[queue]
	if !ok {
		return model.Plan{}, &model.Fault{Class: model.FaultTarget, Op: ask.Action.String(), Text: fmt.Sprintf("no queue %q is open", queue)}
	}
	id, err := uuid.NewV7()
	if err != nil {
		return model.Plan{}, fmt.Errorf("making an action id: %w", err)
	}
	p := model.Plan{
		Intent: model.Intent{
			Action: ask.Action, Queue: queue, Actor: d.actor, Reason: strings.TrimSpace(ask.Reason), ActionID: strings.ToUpper(id.String()),
		},
		Mapping: t.Store.Mapping(), Refusal: d.BrakeAllowed(queue), PrintOnly: t.PrintOnly,
		Confirm: model.Confirm{Reason: ask.Action == model.PutBrake},
	}
	if t.Production {
		p.Confirm.Type = p.Mapping.Queue
	}
	if !p.Refusal.OK {
		return p, nil
	}
	if p.Brake, p.At, err = t.Brakes.Brake(ctx); err != nil {
		return model.Plan{}, err
	}
	if p.Statement, err = t.Store.Render(ctx, p.Intent); err != nil {
		return model.Plan{}, err
	}
	p.Effects = brakeEffects(p)
	return p, nil
}

// brakeEffects are what will follow, in sentences for the dialog.
func brakeEffects(p model.Plan) []string {
	if p.Intent.Action == model.FreeBrake {
		out := []string{"Claims go on at once, in their usual order."}
		if b := p.Brake; b != nil && b.On {
			out = append(out, "It was put "+text.Exact(p.At.Sub(b.At.At))+" ago "+b.Words()+".")
		}
		return out
	}
	out := []string{
		"No claim begins any more, of any worker that claims by leasetop's statement of this release.",
		"Jobs in work go on: they beat, complete and fail as before. Recovery goes on: what comes back waits.",
		"Workers of an older release, and programs with a claim of their own, do not read the brake.",
		"It stays until somebody releases it, and every screen of this queue says so.",
	}
	if neverOn(p) {
		out = append(out, firstTime)
	}
	return out
}

// neverOn reports whether the plan puts a brake that nobody has used yet. Its table
// may be younger than workers that run: they look for one once a minute, and until
// then it does not stop them.
func neverOn(p model.Plan) bool {
	return p.Intent.Action == model.PutBrake && p.Brake != nil && p.Brake.At.IsZero()
}

const firstTime = "It was never on: a worker that has been running since before this queue had a brake notices it within a minute."

// applyBrake sends an act on the brake once and judges what came of it.
func (d *Desk) applyBrake(ctx context.Context, j Journal, p model.Plan, typed string) model.Receipt {
	t := d.targets[p.Intent.Queue]
	r := model.Receipt{Intent: p.Intent, Outcome: model.Refused, Brake: p.Brake}
	if r.Message = d.why(ctx, t, p, typed); r.Message != "" {
		return r
	}
	sent := d.now()
	if err := j.Sent(p, sent); err != nil {
		r.Message = fmt.Sprintf("the journal could not be written, so nothing was sent: %v", err)
		return r
	}
	e := braking{intent: p.Intent, sent: sent}
	var err error
	e.done, e.now, e.at, err = t.Brakes.ApplyBrake(ctx, p.Intent)
	e.fault = asFault(err)
	done := d.judgedBrake(ctx, t, e)
	if done.Outcome == model.Applied && neverOn(p) {
		done.Message += ". " + firstTime
	}
	return d.noteBrake(j, done)
}

// resolveBrake looks again at an act whose outcome is unknown.
func (d *Desk) resolveBrake(ctx context.Context, j Journal, t Target, r model.Receipt) model.Receipt {
	if t.Brakes == nil {
		return r
	}
	e := braking{intent: r.Intent, sent: r.Sent, fault: r.Fault, settled: d.now().Sub(r.Sent) > d.settle}
	if e.fault == nil {
		e.fault = &model.Fault{Class: model.FaultNetwork, Text: "the reply was lost", Unsure: true}
	}
	return d.noteBrake(j, d.judgedBrake(ctx, t, e))
}

func (d *Desk) noteBrake(j Journal, r model.Receipt) model.Receipt {
	if r.Over() {
		if err := j.Done(r); err != nil {
			r.Message += fmt.Sprintf(" (the journal could not note this: %v)", err)
		}
	}
	return r
}

// braking is all that is known about an act on the brake when it is judged.
type braking struct {
	intent  model.Intent
	sent    time.Time
	done    bool // the statement's own row is in the history
	now     *model.Brake
	at      time.Time
	fault   *model.Fault
	event   *model.Event // the act's row in the history, looked for after a fault
	readErr error
	settled bool
	// forgotten: that row may have been removed since, and the brake was changed since.
	forgotten bool
}

// judgedBrake looks at the brake and then at the history where the act's own
// answer does not settle it. The order matters: a brake that the act can no longer
// change leaves its row, if it was applied.
func (d *Desk) judgedBrake(ctx context.Context, t Target, e braking) model.Receipt {
	if e.fault != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readBudget)
		defer cancel()
		if e.now, e.at, e.readErr = t.Brakes.Brake(ctx); e.readErr == nil {
			e.event, e.readErr = t.Brakes.BrakeEvent(ctx, e.intent.ActionID)
		}
		if e.readErr == nil && e.event == nil && !d.brakeRested(e) {
			e.forgotten, e.readErr = d.forgotten(ctx, t, e.sent)
		}
	}
	return judgeBrake(e)
}

// brakeRested reports whether nothing has changed the brake since the act was sent, by
// the time that its row has.
func (d *Desk) brakeRested(e braking) bool {
	return e.now != nil && (e.now.At.IsZero() || e.at.Sub(e.now.At.At) > d.now().Sub(e.sent).Abs()+Remembered)
}

// judgeBrake is the only verdict on an act on the brake.
func judgeBrake(e braking) model.Receipt {
	r := model.Receipt{Intent: e.intent, Sent: e.sent, At: e.at, Fault: e.fault, Brake: e.now}
	want := e.intent.Action == model.PutBrake
	switch {
	case e.fault == nil && e.done:
		r.Outcome, r.Message = model.Applied, "applied: "+brakeWords(want)
	case e.event != nil:
		r.Outcome, r.Message = model.Applied, "applied: the reply was lost, but the history proves it"
		if e.now != nil && e.now.On != want {
			r.Message += "; since then it was changed " + e.now.Words()
		}
	case e.fault == nil:
		unmovedBrake(e, want, &r)
	case !e.fault.Unsure:
		r.Outcome, r.Message = model.Refused, "nothing was changed: the server refused: "+e.fault.Error()
	case e.readErr != nil:
		r.Message = "unknown: the reply was lost and the brake cannot be read now; look again when the server answers"
	case !e.settled: // what stands against it now may be over when the statement arrives
		r.Message = "unknown: the reply was lost and the history does not name the act, but the statement may still take effect; look again in a moment"
	case e.forgotten:
		r.Final = true
		r.Message = "unknown for good: the reply was lost, the brake was changed since, and the history no longer reaches back so far to tell by whom"
	case e.now != nil && e.now.On == want:
		r.Outcome, r.Message = model.Changed, "nothing was changed by this act: "+onAlready(e.now)
	default:
		r.Outcome, r.Message = model.Refused, "nothing was changed: the request was lost, and long after it could have taken effect the brake is as it was"
	}
	return r
}

// unmovedBrake judges a statement that ended well and matched nothing.
func unmovedBrake(e braking, want bool, r *model.Receipt) {
	switch {
	case e.now == nil:
		r.Outcome, r.Message = model.Gone, "nothing was changed: the brake has lost its row; leasetop schema --apply puts it back"
	case e.now.On == want:
		r.Outcome, r.Message = model.Changed, "nothing was changed: "+onAlready(e.now)
	default:
		r.Outcome, r.Message = model.Changed, "nothing was changed: at that moment the brake was the other way round; since then it was changed "+e.now.Words()
	}
}

func brakeWords(on bool) string {
	if on {
		return "the brake is on, and no claim begins until it is released"
	}
	return "the brake is released, and claims go on"
}

func onAlready(b *model.Brake) string {
	switch {
	case b.On:
		return "the brake is on already, put " + b.Words()
	case b.At.IsZero():
		return "the brake was never on"
	}
	return "the brake is off already, released " + b.Words()
}
