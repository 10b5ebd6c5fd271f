package store

import (
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// decoder turns rows of one bound queue into values of the model.
type decoder struct {
	d Dialect
	m *model.Mapping
}

func (q *Queue) decoder(b *binding) decoder { return decoder{q.db.run.dialect, b.mapping} }

// now reads the server's time from an answer; every answer has it.
func (c decoder) now(op Op, rows []Row) (time.Time, error) {
	if len(rows) == 0 || !rows[0].Has("now") {
		return time.Time{}, &model.Fault{Class: model.FaultReshaped, Op: string(op), Text: "the answer has no server time"}
	}
	t, err := c.d.Instant(rows[0].Value("now"))
	if err != nil {
		return time.Time{}, &model.Fault{Class: model.FaultReshaped, Op: string(op), Text: text.Clean(err.Error())}
	}
	return t, nil
}

// present reports whether the row is a job and not only the time.
func present(r Row) bool { return !r.Value("key").IsNull() }

func (c decoder) key(r Row) model.Key { return c.keyAt(r, "") }

// keyAt reads a key whose columns carry a prefix.
func (c decoder) keyAt(r Row, prefix string) model.Key {
	vs := make([]model.Value, len(c.m.Keys))
	for i, col := range c.m.Keys {
		vs[i] = retype(r.Value(prefix+keyParam(i)), col.Type)
	}
	if vs[0].IsNull() {
		return model.Key{}
	}
	return model.KeyOf(vs...)
}

func (c decoder) token(r Row, column string) model.Token {
	v := retype(r.Value(column), c.m.Column(model.RoleToken).Type)
	if v.IsNull() {
		return model.Token{}
	}
	if v.Type == model.Text { // char(n) fills with spaces, which no comparison of the server counts
		v.Text = strings.TrimRight(v.Text, " ")
	}
	return model.TokenOf(v)
}

// instant reads a time. A time that the engine printed but nobody can read keeps
// its exact text and shows no age.
func (c decoder) instant(r Row, column string) model.Instant {
	v := r.Value(column)
	if v.IsNull() {
		return model.Instant{}
	}
	t, err := c.d.Instant(v)
	if err != nil {
		t = time.Time{}
	}
	if !c.m.InUTC() && !t.IsZero() { // the first instant of all stands for "never" in any clock
		t = t.Add(-ahead(r.Value("now")))
	}
	return model.Instant{At: t, Raw: retype(v, model.Time)}
}

// ahead is how far the clock of the table is ahead of UTC, as the statement's own
// time says it in its last letters.
func ahead(now model.Value) time.Duration {
	const form = "-07:00"
	if len(now.Text) < len(form) {
		return 0
	}
	at, err := time.Parse(form, now.Text[len(now.Text)-len(form):])
	if err != nil {
		return 0
	}
	_, seconds := at.Zone()
	return time.Duration(seconds) * time.Second
}

func retype(v model.Value, t model.Type) model.Value {
	switch {
	case v.IsNull():
		return v
	case t == model.GUID:
		return model.GUIDValue(v.Text)
	}
	return model.Value{Type: t, Text: v.Text}
}

func (c decoder) job(r Row, now time.Time) *model.Job {
	raw := retype(r.Value("state"), model.Text)
	j := &model.Job{
		Key: c.key(r), Token: c.token(r, "token"), State: c.m.StateOf(raw), RawState: raw,
		Lease: c.instant(r, "lease"), Available: c.instant(r, "available"), Enqueued: c.instant(r, "enqueued"),
		Claimed: c.instant(r, "claimed"), Beat: c.instant(r, "heartbeat"), Ended: c.instant(r, "ended"),
		Priority: r.Int("priority"), Attempts: r.Int("attempts"), MaxAttempts: r.Int("max_attempts"), TotalClaims: r.Int("total_claims"),
		Worker: text.Clean(r.Text("worker")), Error: text.Clean(r.Text("error")), Operation: text.Clean(r.Text("operation")),
	}
	j.Tokenless = !c.m.Has(model.RoleToken)
	if j.State == model.Ready {
		j.Waiting = since(j.Available, now)
	}
	if j.State == model.Working {
		j.Held = since(j.Claimed, now)
	}
	return j
}

func since(i model.Instant, now time.Time) model.Age {
	if i.IsZero() || i.At.IsZero() {
		return model.Age{}
	}
	return model.Age{D: now.Sub(i.At), Trust: model.Exact}
}

func (c decoder) change(r Row, now time.Time) model.Change {
	return model.Change{
		Key:      c.key(r),
		OldState: c.m.StateOf(retype(r.Value("old_state"), model.Text)), NewState: c.m.StateOf(retype(r.Value("new_state"), model.Text)),
		OldToken: c.token(r, "old_token"), NewToken: c.token(r, "new_token"),
		OldLease: c.instant(r, "old_lease"), NewLease: c.instant(r, "new_lease"),
		Attempts: r.Int("attempts"), Worker: text.Clean(r.Text("worker")), At: now,
	}
}

func (c decoder) changes(op Op, rows []Row) ([]model.Change, time.Time, error) {
	now, err := c.now(op, rows)
	if err != nil {
		return nil, now, err
	}
	var out []model.Change
	for _, r := range rows {
		if present(r) {
			out = append(out, c.change(r, now))
		}
	}
	return out, now, nil
}

func (c decoder) event(r Row) model.Event {
	at := c.instant(r, "at")
	change := c.change(r, at.At)
	if model.EventKind(r.Text("kind")).OnQueue() {
		change.Key = model.Key{}
	}
	return model.Event{
		Change: change, Kind: model.EventKind(text.Clean(r.Text("kind"))),
		Action: text.Clean(r.Text("action")), Actor: text.Clean(r.Text("actor")),
		Login: text.Clean(r.Text("login")), Reason: text.Clean(r.Text("reason")), Seq: r.Int("seq"),
	}
}

func (c decoder) events(op Op, rows []Row) ([]model.Event, time.Time, error) {
	now, err := c.now(op, rows)
	if err != nil {
		return nil, now, err
	}
	var out []model.Event
	for _, r := range rows {
		if present(r) {
			out = append(out, c.event(r))
		}
	}
	return out, now, nil
}

// jobs are the rows of an answer that are jobs.
func (c decoder) jobs(rows []Row, now time.Time) []*model.Job {
	var out []*model.Job
	for _, r := range rows {
		if present(r) {
			out = append(out, c.job(r, now))
		}
	}
	return out
}

// keyArgs are the parameters that name a job.
func keyArgs(k model.Key) (Args, error) {
	vs := k.Values()
	if len(vs) == 0 {
		return nil, fmt.Errorf("no key")
	}
	a := make(Args, len(vs)+6)
	for i, v := range vs {
		a[keyParam(i)] = v
	}
	return a, nil
}

func tokenValue(t model.Token) model.Value {
	if vs := t.Values(); len(vs) > 0 {
		return vs[0]
	}
	return model.Value{}
}
