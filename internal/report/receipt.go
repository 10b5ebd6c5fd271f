package report

import "github.com/leasetop/leasetop/model"

// Receipt is what an act did, as `reclaim --json` and its like print it.
type Receipt struct {
	Action   string  `json:"action" jsonschema:"brake, release-brake, reclaim, force-reclaim, extend, dead-letter, requeue or grant"`
	Queue    string  `json:"queue"`
	Key      string  `json:"key"`
	Outcome  string  `json:"outcome" jsonschema:"applied, changed, gone, refused or unknown"`
	Before   *Row    `json:"before" jsonschema:"the row as it was seen; null: not known"`
	After    *Row    `json:"after" jsonschema:"the row as it is now; null: gone or not known"`
	ActionID *string `json:"action_id" jsonschema:"the id of this act, upper case; null: no act was made"`
	At       *string `json:"at" jsonschema:"the server's time; null: not known"`
	Brake    *Brake  `json:"brake" jsonschema:"the brake as it is now, of an act on it; null: the act was on a job, or it is not known"`
	Message  string  `json:"message"`
	Error    *Fault  `json:"error" jsonschema:"what the server or the network said, if it did"`
}

// Row is a job's identity and claim at one instant.
type Row struct {
	State      string  `json:"state"`
	Token      *string `json:"token"`
	LeaseUntil *string `json:"lease_until"`
}

// FromReceipt is the report of a receipt about a queue of this mapping.
func FromReceipt(r model.Receipt, m *model.Mapping) Receipt {
	out := Receipt{
		Action: r.Intent.Action.String(), Queue: r.Intent.Queue, Key: Identity(m, r.Intent.Key), Outcome: r.Outcome.String(),
		Before: row(r.Before, m), After: row(r.After, m), ActionID: told(r.Intent.ActionID),
		Message: r.Message, Error: firstFault(r.Fault),
	}
	out.Brake = brake(r.Brake)
	if !r.At.IsZero() {
		text := stamp(r.At)
		out.At = &text
	}
	return out
}

// Brake is whether claims are stopped, and who put or last released the brake.
type Brake struct {
	On     bool    `json:"on"`
	At     *string `json:"at" jsonschema:"since when it is as it is; null: it was never touched"`
	Actor  *string `json:"actor"`
	Login  *string `json:"login" jsonschema:"who the server says it was"`
	Reason *string `json:"reason"`
}

func brake(b *model.Brake) *Brake {
	if b == nil {
		return nil
	}
	out := &Brake{On: b.On, Actor: told(b.Actor), Login: told(b.Login), Reason: told(b.Reason)}
	if !b.At.At.IsZero() {
		at := stamp(b.At.At)
		out.At = &at
	}
	return out
}

func row(j *model.Job, m *model.Mapping) *Row {
	if j == nil {
		return nil
	}
	return &Row{j.State.String(), tokenText(j.Token), instant(j.Lease, m.Column(model.RoleLease))}
}

// Plan is what an act would send, as `reclaim --dry-run --json` prints it.
type Plan struct {
	Action    string    `json:"action"`
	Queue     string    `json:"queue"`
	Key       string    `json:"key"`
	Row       *Row      `json:"row" jsonschema:"the row as it is now"`
	Statement Statement `json:"statement"`
	Effects   []string  `json:"effects" jsonschema:"what will follow"`
	Refused   *string   `json:"refused" jsonschema:"why it would not be sent; null: it would"`
	Confirm   *string   `json:"confirm" jsonschema:"what --confirm must name; null: nothing"`
	Reason    bool      `json:"reason_required"`
	ActionID  string    `json:"action_id"`
}

// Statement is a statement with the values that it would carry.
type Statement struct {
	Op   string `json:"op"`
	Form string `json:"form" jsonschema:"the variant chosen for this server; empty: there is only one"`
	Text string `json:"text"`
	Args []Arg  `json:"args"`
}

// Arg is one typed parameter.
type Arg struct {
	Name  string  `json:"name"`
	Type  string  `json:"type"`
	Value *string `json:"value"`
}

// FromPlan is the report of a plan.
func FromPlan(p model.Plan) Plan {
	out := Plan{
		Action: p.Intent.Action.String(), Queue: p.Intent.Queue, Key: Identity(p.Mapping, p.Intent.Key), Row: row(p.Row, p.Mapping),
		Statement: Statement{Op: p.Statement.Op, Form: p.Statement.Form, Text: p.Statement.Text, Args: []Arg{}},
		Effects:   append([]string{}, p.Effects...), Confirm: told(p.Confirm.Type), Reason: p.Confirm.Reason, ActionID: p.Intent.ActionID,
	}
	for _, a := range p.Statement.Args {
		arg := Arg{Name: a.Name, Type: a.Declared}
		if !a.Value.IsNull() {
			arg.Value = &a.Value.Text
		}
		out.Statement.Args = append(out.Statement.Args, arg)
	}
	if !p.Refusal.OK {
		out.Refused = told(Sentence(p.Refusal))
	}
	return out
}

// Sentence is a verdict in words: why not, and what would help.
func Sentence(v model.Verdict) string {
	if v.Fix == "" {
		return v.Why
	}
	return v.Why + ": " + v.Fix
}
