package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/text"
)

// Drill is what a drill found, as `drill --json` prints it.
type Drill struct {
	Engine   string       `json:"engine" jsonschema:"sqlite or sqlserver"`
	Version  *string      `json:"version" jsonschema:"as the server says; null: not known"`
	Locking  string       `json:"locking" jsonschema:"real: the engine locks rows and skips locked ones; emulated: one writer at a time stands for that"`
	Break    *string      `json:"break" jsonschema:"the known mistake that it ran with; null: none"`
	Seed     uint64       `json:"seed"`
	Claimers int          `json:"claimers"`
	Jobs     int          `json:"jobs"`
	TookMs   int64        `json:"took_ms"`
	Checks   []DrillCheck `json:"checks"`
	OK       bool         `json:"ok"`
}

// DrillCheck is one guarantee.
type DrillCheck struct {
	Name   string  `json:"name"`
	Says   string  `json:"says" jsonschema:"the guarantee"`
	OK     bool    `json:"ok"`
	Figure float64 `json:"figure" jsonschema:"how often it was broken, or what was measured"`
	Limit  float64 `json:"limit" jsonschema:"the most that figure may be"`
	Text   string  `json:"text" jsonschema:"what was done and seen; where the guarantee does not hold, the first faults"`
}

// FromDrill is the report of a drill.
func FromDrill(o drill.Outcome) Drill {
	out := Drill{
		Engine: o.Engine.Name, Version: told(o.Engine.Version), Locking: o.Engine.Locking, Break: told(o.Break), Seed: o.Seed,
		Claimers: o.Claimers, Jobs: o.Jobs, TookMs: o.Took.Milliseconds(), Checks: []DrillCheck{}, OK: o.OK(),
	}
	for _, v := range o.Verdicts {
		out.Checks = append(out.Checks, DrillCheck{
			Name: v.Name, Says: v.Says, OK: v.OK, Figure: math.Round(v.Figure*100) / 100, Limit: v.Limit, Text: text.Clean(v.Text),
		})
	}
	return out
}

// drillWidth is how wide the report for people is: as the terminals of jump boxes are.
const drillWidth = 80

// PlainDrill writes what a drill found for people.
func PlainDrill(w io.Writer, o drill.Outcome) error {
	var b strings.Builder
	fmt.Fprintf(&b, "drill on %s   locking: %s\nclaimers %d   jobs %s   seed %d   took %v\n",
		strings.TrimSpace(o.Engine.Name+" "+o.Engine.Version), o.Engine.Locking, o.Claimers, text.Grouped(int64(o.Jobs)), o.Seed, o.Took.Round(time.Millisecond))
	if o.Break != "" {
		fmt.Fprintf(&b, "with a mistake on purpose: %s\n", o.Break)
	}
	b.WriteByte('\n')
	broken := 0
	fmt.Fprintf(&b, "      %-26s %8s\n", "CHECK", "FIGURE")
	for _, v := range o.Verdicts {
		mark := "ok  "
		if !v.OK {
			mark = "FAIL"
			broken++
		}
		fmt.Fprintf(&b, "%s  %-26s %8s%s\n", mark, v.Name, figure(v.Figure), limit(v.Limit))
		for _, line := range wrapped(text.Clean(v.Text), drillWidth-6) {
			fmt.Fprintf(&b, "      %s\n", line)
		}
	}
	b.WriteByte('\n')
	switch n := len(o.Verdicts); {
	case n == 0:
		b.WriteString("nothing was checked\n")
	case broken == 0 && o.Cut:
		fmt.Fprintf(&b, "cut short: %s so far, none broken\n", text.Plural(int64(n), "guarantee", "guarantees"))
	case broken == 0:
		fmt.Fprintf(&b, "%s, all hold\n", text.Plural(int64(n), "guarantee", "guarantees"))
	default:
		fmt.Fprintf(&b, "%d of %d guarantees do not hold\n", broken, n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// figure is a count as it is, and a measure with two digits.
func figure(f float64) string {
	if f == math.Trunc(f) {
		return text.Grouped(int64(f))
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}

func limit(f float64) string {
	if f == 0 {
		return ""
	}
	return " of " + figure(f)
}

// wrapped breaks a line between words.
func wrapped(s string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && text.Width(line)+1+text.Width(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// PlainDrillList writes what a drill checks and the mistakes that it knows.
func PlainDrillList(w io.Writer) error {
	var b strings.Builder
	beside := func(name, says string) {
		for _, line := range wrapped(says, drillWidth-29) {
			fmt.Fprintf(&b, "  %-26s %s\n", name, line)
			name = ""
		}
	}
	b.WriteString("Checks:\n")
	for _, g := range drill.Guarantees() {
		beside(g.Name, g.Says)
	}
	b.WriteString("\nMistakes for --break, with the checks that have to find them:\n")
	for _, m := range drill.Breaks() {
		beside(m.Name, m.Says)
		beside("", "finds it: "+strings.Join(m.Fails, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
