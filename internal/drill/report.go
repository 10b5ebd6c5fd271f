package drill

import (
	"fmt"
	"strings"
)

// Result is one guarantee and whether it held.
type Result struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Figure string `json:"figure"` // what it was judged by
	Text   string `json:"text"`   // the faults, the first of them in words; empty when it held
	Faults int    `json:"faults"`
}

// Report is the verdict on one run.
type Report struct {
	Checks  []Result
	Figures string // what the workers were told, in one line
}

// OK reports whether every guarantee held.
func (r Report) OK() bool {
	for _, c := range r.Checks {
		if !c.OK {
			return false
		}
	}
	return len(r.Checks) > 0
}

// String is the report for people, a line a guarantee.
func (r Report) String() string {
	var b strings.Builder
	for _, c := range r.Checks {
		mark := "ok  "
		if !c.OK {
			mark = "FAIL"
		}
		fmt.Fprintf(&b, "%s  %-30s %s\n", mark, c.Name, c.Figure)
		if c.Text != "" {
			fmt.Fprintf(&b, "      %s\n", c.Text)
		}
	}
	b.WriteString("      " + r.Figures)
	return b.String()
}

// maxFaults is how many faults of one guarantee are put in words.
const maxFaults = 5

// finding gathers the faults of one guarantee.
type finding struct {
	name, figure string
	faults       []string
	more         int
}

func (v *finding) fault(format string, args ...any) {
	if len(v.faults) == maxFaults {
		v.more++
		return
	}
	v.faults = append(v.faults, fmt.Sprintf(format, args...))
}

func (v *finding) say(name, format string, args ...any) {
	v.name, v.figure = name, fmt.Sprintf(format, args...)
}

func (v *finding) result() Result {
	text := strings.Join(v.faults, "; ")
	if v.more > 0 {
		text += fmt.Sprintf("; and %d more", v.more)
	}
	return Result{Name: v.name, OK: len(v.faults) == 0, Figure: v.figure, Text: text, Faults: len(v.faults) + v.more}
}
