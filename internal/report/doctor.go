package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Doctor is a checkup of the queues, as `doctor --json` prints it.
type Doctor struct {
	At     string    `json:"at" jsonschema:"when the checkup was made, by this machine's clock"`
	OK     bool      `json:"ok" jsonschema:"every queue could be looked at and nothing worse than normal was found"`
	Queues []Checkup `json:"queues"`
}

// Checkup is what was found about one queue.
type Checkup struct {
	Name      string      `json:"name"`
	Table     string      `json:"table"`
	Family    string      `json:"family" jsonschema:"fenced, unfenced or destructive"`
	Engine    *string     `json:"engine" jsonschema:"sqlserver, babelfish or sqlite; null: it did not answer"`
	Version   *string     `json:"version"`
	At        *string     `json:"at" jsonschema:"the server's time"`
	OK        bool        `json:"ok"`
	Findings  []Diagnosis `json:"findings" jsonschema:"worst first"`
	Unchecked []Unchecked `json:"unchecked" jsonschema:"the rules that could not be applied"`
	Sound     []string    `json:"sound" jsonschema:"the rules that found nothing"`
	Error     *Fault      `json:"error" jsonschema:"why the queue could not be looked at"`
}

// Diagnosis is one finding of a Checkup.
type Diagnosis struct {
	Rule     string   `json:"rule"`
	Severity string   `json:"severity" jsonschema:"normal, warn or bad"`
	Key      *string  `json:"key" jsonschema:"the job it is about; null: the queue"`
	Text     string   `json:"text"`
	Evidence []string `json:"evidence"`
	Cure     *string  `json:"cure" jsonschema:"what to do about it, in words"`
	Mend     *string  `json:"mend" jsonschema:"the statement that mends it; it is never run by leasetop"`
	Cost     *string  `json:"cost" jsonschema:"what that statement costs"`
}

// Unchecked is a rule that could not be applied.
type Unchecked struct {
	Rule string `json:"rule"`
	Why  string `json:"why"`
}

// Sick reports whether something worse than a remark was found, or nothing could be
// looked at.
func Sick(c *model.Checkup) bool {
	if c.Err != nil {
		return true
	}
	for _, d := range c.Findings {
		if d.Severity != model.Normal {
			return true
		}
	}
	return false
}

// FromCheckups is the report of several queues.
func FromCheckups(at time.Time, all []model.Checkup) Doctor {
	out := Doctor{At: stamp(at), OK: true, Queues: []Checkup{}}
	for i := range all {
		q := fromCheckup(&all[i])
		out.OK = out.OK && q.OK
		out.Queues = append(out.Queues, q)
	}
	return out
}

func fromCheckup(c *model.Checkup) Checkup {
	q := Checkup{
		Name: c.Queue, Table: c.Mapping.Table.String(), Family: c.Mapping.Family.String(), OK: !Sick(c),
		Engine: told(c.Caps.Engine), Version: told(c.Caps.Version),
		Findings: []Diagnosis{}, Unchecked: []Unchecked{}, Sound: append([]string{}, c.Sound...), Error: firstFault(c.Err),
	}
	if !c.At.IsZero() {
		q.At = told(stamp(c.At))
	}
	for _, d := range c.Findings {
		q.Findings = append(q.Findings, Diagnosis{
			Rule: d.Kind, Severity: d.Severity.String(), Key: keyText(d.Key), Text: d.Text, Evidence: append([]string{}, d.Evidence...),
			Cure: told(d.Cure), Mend: told(d.Mend), Cost: told(d.Cost),
		})
	}
	for _, u := range c.Unchecked {
		q.Unchecked = append(q.Unchecked, Unchecked(u))
	}
	return q
}

// PlainDoctor writes checkups for people.
func PlainDoctor(w io.Writer, all []model.Checkup) error {
	var b strings.Builder
	for i := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		plainCheckup(&b, &all[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func plainCheckup(b *strings.Builder, c *model.Checkup) {
	fmt.Fprintf(b, "%s  %s  %s", c.Queue, c.Mapping.Table, c.Mapping.Family)
	if c.Caps.Engine != "" {
		fmt.Fprintf(b, "  %s %s", c.Caps.Engine, c.Caps.Version)
	}
	b.WriteByte('\n')
	if c.Err != nil {
		fmt.Fprintf(b, "  could not be looked at: %s\n", text.Clean(c.Err.Error()))
		return
	}
	line := func(label, s string) {
		if s != "" {
			fmt.Fprintf(b, "    %-9s %s\n", label, s)
		}
	}
	for _, d := range c.Findings {
		fmt.Fprintf(b, "  %s  %s: %s\n", mark(d.Severity), d.Kind, d.Text)
		for _, s := range d.Evidence {
			line("seen", s)
		}
		line("do", d.Cure)
		line("mend", d.Mend)
		if d.Mend != "" {
			line("costs", d.Cost)
		}
	}
	for _, u := range c.Unchecked {
		fmt.Fprintf(b, "  ?  %s: not checked: %s\n", u.Rule, u.Why)
	}
	plainSound(b, c.Sound)
}

// plainWidth is about how wide a list of words gets.
const plainWidth = 96

// plainSound lists the rules that found nothing, a few a line.
func plainSound(b *strings.Builder, rules []string) {
	line := "  sound:"
	if len(rules) == 0 {
		line += " nothing"
	}
	for i, r := range rules {
		if i < len(rules)-1 {
			r += ","
		}
		if len(line)+1+len(r) > plainWidth {
			b.WriteString(line + "\n")
			line = "        "
		}
		line += " " + r
	}
	b.WriteString(line + "\n")
}

// mark is a severity in one sign.
func mark(s model.Severity) string {
	switch s {
	case model.Warn:
		return "!"
	case model.Bad:
		return "‼"
	case model.Normal:
	}
	return "·"
}
