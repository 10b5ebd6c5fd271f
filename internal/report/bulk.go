package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Bulk is the last line that an act on a list of jobs prints with --json; the lines
// before it are receipts.
type Bulk struct {
	Action  string  `json:"action"`
	Queue   string  `json:"queue"`
	Total   int     `json:"total" jsonschema:"how many jobs the list names"`
	Applied int     `json:"applied"`
	Changed int     `json:"changed"`
	Gone    int     `json:"gone"`
	Refused int     `json:"refused"`
	Unknown int     `json:"unknown"`
	Left    int     `json:"left" jsonschema:"jobs that nothing was done about"`
	Stopped *string `json:"stopped" jsonschema:"why it ended before the last job; null: it did not"`
	File    *string `json:"receipts" jsonschema:"the file that leasetop resume goes on with; null: nothing was begun"`
}

// WriteLine writes v as JSON on one line.
func WriteLine(w io.Writer, v any) error { return writeJSON(w, v, "") }

// PlainBulk writes how an act on a list ended, for people. Jobs that were applied
// are only counted.
func PlainBulk(w io.Writer, b Bulk) error {
	var s strings.Builder
	fmt.Fprintf(&s, "%s of %s in %s: %d applied", b.Action, text.Plural(int64(b.Total), "job", "jobs"), b.Queue, b.Applied)
	for _, p := range []struct {
		n    int
		word string
	}{{b.Changed, "changed"}, {b.Gone, "gone"}, {b.Refused, "refused"}, {b.Unknown, "unknown"}, {b.Left, "left"}} {
		if p.n > 0 {
			fmt.Fprintf(&s, ", %d %s", p.n, p.word)
		}
	}
	s.WriteByte('\n')
	if b.Stopped != nil {
		fmt.Fprintf(&s, "  it stopped: %s\n", text.Clean(*b.Stopped))
	}
	if b.File != nil {
		fmt.Fprintf(&s, "  receipts: %s\n", *b.File)
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// PlainRow writes the receipt of one job of a list on one line.
func PlainRow(w io.Writer, r model.Receipt) error {
	message := strings.TrimPrefix(r.Message, r.Outcome.String()+": ")
	_, err := fmt.Fprintf(w, "job %s: %s: %s\n", text.Brief(r.Intent.Key.String()), r.Outcome, text.Clean(message))
	return err
}

// EffectCount is what follows for some of the jobs of a list.
type EffectCount struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	N    int    `json:"n"`
}

// Preview is what an act on a list would do, as --dry-run --json prints it.
type Preview struct {
	Action    string        `json:"action"`
	Queue     string        `json:"queue"`
	Total     int           `json:"total" jsonschema:"how many jobs the list names"`
	Fit       int           `json:"fit" jsonschema:"jobs that the act would be tried on"`
	Changed   int           `json:"changed" jsonschema:"jobs that are something else than the list says by now"`
	Gone      int           `json:"gone"`
	Refused   int           `json:"refused" jsonschema:"jobs that our own guard would refuse"`
	Effects   []string      `json:"effects" jsonschema:"what will follow for each job that fits"`
	Counts    []EffectCount `json:"counts" jsonschema:"what follows for some of them, and for how many"`
	Statement *Plan         `json:"first" jsonschema:"the one statement, with the values of the first job that fits; null: none fits"`
	Stopped   *string       `json:"refusal" jsonschema:"why nothing of the list would be sent; null: it would be"`
	Confirm   *string       `json:"confirm" jsonschema:"what --confirm must name; null: nothing"`
	Reason    bool          `json:"reason_required"`
	Wait      *string       `json:"wait" jsonschema:"why it would wait before it begins; null: it would not"`
	WaitMs    *int64        `json:"wait_ms"`
	Not       []string      `json:"not" jsonschema:"the jobs that it would not be tried on, a sentence each"`
}

// PlainPreview writes what an act on a list would do, for people.
func PlainPreview(w io.Writer, p Preview, first model.Plan) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s in %s, not sent\n", p.Action, text.Plural(int64(p.Total), "job", "jobs"), p.Queue)
	fmt.Fprintf(&b, "  it would be tried on %d", p.Fit)
	for _, c := range []struct {
		n    int
		word string
	}{{p.Changed, "have changed"}, {p.Gone, "are gone"}, {p.Refused, "would be refused"}} {
		if c.n > 0 {
			fmt.Fprintf(&b, "; %d %s", c.n, c.word)
		}
	}
	b.WriteByte('\n')
	for _, s := range p.Not {
		fmt.Fprintf(&b, "  - %s\n", text.Clean(s))
	}
	for _, s := range []struct {
		word string
		text *string
	}{{"nothing would be sent", p.Stopped}, {"it would wait first", p.Wait}, {"it wants --confirm", p.Confirm}} {
		if s.text != nil {
			fmt.Fprintf(&b, "  %s: %s\n", s.word, text.Clean(*s.text))
		}
	}
	if p.Reason && first.Intent.Reason == "" {
		b.WriteString("  it wants --reason\n")
	}
	if p.Statement != nil {
		for _, e := range p.Effects {
			fmt.Fprintf(&b, "  - %s\n", e)
		}
		for _, c := range p.Counts {
			fmt.Fprintf(&b, "  - %s of %s: %s\n", text.Grouped(int64(c.N)), text.Grouped(int64(p.Fit)), c.Text)
		}
		fmt.Fprintf(&b, "\n  job %s, the first of them:\n", text.Brief(first.Intent.Key.String()))
		for _, e := range p.Statement.Effects {
			fmt.Fprintf(&b, "  - %s\n", text.Clean(e))
		}
		b.WriteString("\n-- the statement, once for each job, with the values of the first\n")
		statement(&b, first.Statement)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
