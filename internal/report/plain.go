package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Plain writes snapshots for people, without colour and without a fixed width.
func Plain(w io.Writer, queues []*model.Snapshot) error {
	var b strings.Builder
	for i, s := range queues {
		if i > 0 {
			b.WriteByte('\n')
		}
		plainQueue(&b, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func plainQueue(b *strings.Builder, s *model.Snapshot) {
	fmt.Fprintf(b, "%s  %s  %s  %s\n", s.Queue, s.Mapping.Table, s.Mapping.Family, serverTime(s))
	if f := firstFault(s.Watch.Err, s.Pulse.Err, s.Page.Err); f != nil {
		fmt.Fprintf(b, "  error: %s\n", f.Text)
		if f.Cure != nil {
			fmt.Fprintf(b, "    %s\n", *f.Cure)
		}
	}
	switch {
	case !s.Pulse.Known():
	case s.Mapping.IsDestructive():
		plainRows(b, s)
	default:
		plainFigures(b, s)
	}
	if line := latencyLine(&s.Latency); line != "" {
		fmt.Fprintf(b, "  %s\n", line)
	}
	if k := s.Pulse.Data.Brake; k != nil && k.On {
		fmt.Fprintf(b, "  brake: claims are stopped since %s, %s\n", stamp(k.At.At), k.Words())
	}
	if len(s.Page.Data.Jobs) > 0 && s.Page.Data.View == model.ViewWorking {
		plainLeases(b, s)
	}
	for _, f := range s.Findings {
		fmt.Fprintf(b, "  %s: %s\n", f.Severity, f.Text)
		if f.Cure != "" {
			fmt.Fprintf(b, "    %s\n", f.Cure)
		}
	}
}

func serverTime(s *model.Snapshot) string {
	if s.Now().IsZero() {
		return "not read"
	}
	return stamp(s.Now())
}

func plainFigures(b *strings.Builder, s *model.Snapshot) {
	f := s.Figures()
	fmt.Fprintf(b, "  ready %s  scheduled %s  working %s  expired %s  failed %s  done %s\n",
		text.Count(f.Ready), text.Count(f.Scheduled), text.Count(f.Working), text.Count(f.Expired), text.Count(f.Failed), text.Count(f.Done))
	if f.Oldest != nil {
		fmt.Fprintf(b, "  oldest ready: %s (job %s)\n", text.ExactAge(f.Oldest.Waiting), text.Brief(f.Oldest.Key.String()))
	}
}

func plainLeases(b *strings.Builder, s *model.Snapshot) {
	cells := [][]string{{"JOB", "TRY", "WORKER", "TOKEN", "LEASE"}}
	for _, j := range s.Page.Data.Jobs {
		left := "none"
		if d, ok := j.Left(s.Page.At); ok {
			left = text.Exact(d)
		}
		cells = append(cells, []string{shown(j.Key), attempt(j), or(j.Worker, "–"), shown(j.Token), left})
	}
	table(b, "  ", cells)
	if s.Page.Data.More {
		fmt.Fprintf(b, "  and more than the %d leases listed\n", len(s.Page.Data.Jobs))
	}
}

// shown is a key or a token for eyes. They keep their exact text, which is what a
// statement matches, and so are cleaned only here.
func shown(v fmt.Stringer) string { return text.Clean(v.String()) }

func attempt(j *model.Job) string {
	switch {
	case !j.Attempts.Known:
		return "–"
	case !j.MaxAttempts.Known:
		return fmt.Sprint(j.Attempts.N)
	}
	return fmt.Sprintf("%d/%d", j.Attempts.N, j.MaxAttempts.N)
}

// table writes rows in columns as wide as their widest cell.
func table(b *strings.Builder, indent string, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			widths[i] = max(widths[i], text.Width(c))
		}
	}
	for _, r := range rows {
		var line strings.Builder
		line.WriteString(indent)
		for i, c := range r {
			line.WriteString(text.PadRight(c, widths[i]) + "  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// subject is an act and the job that it is about, if it is about one.
func subject(i model.Intent, m *model.Mapping) string {
	switch {
	case i.Action.OnQueue():
		return i.Action.String()
	case i.Oldest > 0:
		return fmt.Sprintf("%s of the %d oldest rows", i.Action, i.Oldest)
	case m.IsDestructive():
		return i.Action.String() + " of row " + text.Brief(Identity(m, i.Key))
	}
	return i.Action.String() + " of job " + text.Brief(i.Key.String())
}

// PlainReceipt writes a receipt for people.
func PlainReceipt(w io.Writer, r model.Receipt, m *model.Mapping) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s: %s\n", subject(r.Intent, m), r.Intent.Queue, r.Outcome)
	if message := strings.TrimPrefix(r.Message, r.Outcome.String()+": "); message != "" {
		fmt.Fprintf(&b, "  %s\n", message)
	}
	for _, side := range []struct {
		name string
		job  *model.Job
	}{{"before", r.Before}, {"after", r.After}} {
		switch {
		case side.job == nil:
		case m.IsDestructive():
			fmt.Fprintf(&b, "  %-6s  %s, %s\n", side.name, side.job.State, text.Clean(Identity(m, side.job.Key)))
		default:
			fmt.Fprintf(&b, "  %-6s  %s, token %s, lease %s\n", side.name, side.job.State, shown(side.job.Token), until(side.job, m))
		}
	}
	if r.Intent.ActionID != "" {
		fmt.Fprintf(&b, "  action  %s\n", r.Intent.ActionID)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func until(j *model.Job, m *model.Mapping) string {
	if s := instant(j.Lease, m.Column(model.RoleLease)); s != nil {
		return text.Clean(*s)
	}
	return "none"
}

// PlainPlan writes what an act would send, for people.
func PlainPlan(w io.Writer, p model.Plan) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s, not sent\n", subject(p.Intent, p.Mapping), p.Intent.Queue)
	if p.Row != nil && !p.Mapping.IsDestructive() {
		fmt.Fprintf(&b, "  now  %s, token %s, lease %s\n", p.Row.State, shown(p.Row.Token), until(p.Row, p.Mapping))
	}
	for _, e := range p.Effects {
		fmt.Fprintf(&b, "  - %s\n", e)
	}
	if !p.Refusal.OK {
		fmt.Fprintf(&b, "  It would be refused: %s\n", Sentence(p.Refusal))
	}
	var wants []string
	if p.Confirm.Type != "" {
		wants = append(wants, "--confirm "+p.Confirm.Type)
	}
	if p.Confirm.Reason && p.Intent.Reason == "" {
		wants = append(wants, "--reason")
	}
	if len(wants) > 0 {
		fmt.Fprintf(&b, "  It wants %s\n", strings.Join(wants, " and "))
	}
	b.WriteByte('\n')
	statement(&b, p.Statement)
	_, err := io.WriteString(w, b.String())
	return err
}

// PlainStatements writes statements as a script that a DBA can read: what each is
// called, the right it needs, its parameters, and where it was proved.
func PlainStatements(w io.Writer, list []model.Statement) error {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		statement(&b, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// PlainBatches is PlainStatements for statements that must each stand in a batch of
// their own, as the server's tools read them.
func PlainBatches(w io.Writer, list []model.Statement) error {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		statement(&b, s)
		b.WriteString("GO\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func statement(b *strings.Builder, s model.Statement) {
	name := s.Op
	if s.Form != "" {
		name += " (form: " + s.Form + ")"
	}
	fmt.Fprintf(b, "-- %s\n", name)
	if s.When != "" {
		fmt.Fprintf(b, "-- sent: %s\n", s.When)
	}
	if s.Right != "" {
		fmt.Fprintf(b, "-- right: %s\n", s.Right)
	}
	if s.Locks != "" {
		fmt.Fprintf(b, "-- locks: %s\n", s.Locks)
	}
	if s.Danger != "" {
		fmt.Fprintf(b, "-- DANGER, never sent, for somebody who knows that the worker is gone: %s\n", s.Danger)
	}
	fmt.Fprintf(b, "-- proved: %s\n", or(s.Proved, "not run anywhere yet, it stands on documentation"))
	for _, a := range s.Args {
		fmt.Fprintf(b, "-- @%s %s", a.Name, a.Declared)
		if !a.Value.IsNull() {
			fmt.Fprintf(b, " = %s", text.Clean(a.Value.Text))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s\n", strings.TrimRight(s.Text, "\n"))
}
