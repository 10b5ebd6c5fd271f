package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/diagnose"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Status is a verdict for monitoring. Its number is the exit code of `check`.
type Status uint8

// The verdicts.
const (
	OK       Status = iota
	Warning         // a figure is over its warning, or a finding warns
	Critical        // a figure is over its limit, or a finding is bad
	Unknown         // no verdict: not read, or it cannot be known
)

var statusNames = [...]string{"ok", "warning", "critical", "unknown"}

// String is the verdict's word in JSON.
func (s Status) String() string { return statusNames[min(int(s), len(statusNames)-1)] }

// rank is what a verdict weighs beside others: what is certainly critical is not
// hidden by what is not known.
func (s Status) rank() int { return [...]int{0, 1, 3, 2}[s] }

// Worse is the graver of two verdicts.
func (s Status) Worse(o Status) Status {
	if o.rank() > s.rank() {
		return o
	}
	return s
}

// Check is a verdict on queues, as `check --json` prints it.
type Check struct {
	At     string       `json:"at" jsonschema:"when the look was taken, by this machine's clock"`
	Status string       `json:"status" jsonschema:"ok, warning, critical or unknown: the worst of the queues"`
	Queues []CheckQueue `json:"queues"`

	status Status
}

// Exit is the exit code of the verdict.
func (c *Check) Exit() int { return int(c.status) }

// CheckQueue is the verdict on one queue.
type CheckQueue struct {
	Name     string    `json:"name"`
	Status   string    `json:"status" jsonschema:"ok, warning, critical or unknown"`
	Limits   []Reading `json:"limits" jsonschema:"each figure that has a limit"`
	Findings []Finding `json:"findings" jsonschema:"worst first; normal ones do not count in the verdict"`
	Error    *Fault    `json:"error" jsonschema:"why the queue could not be read, or not all of it"`

	status Status
	why    []string
	figure string
	perf   []string
}

// Reading is a figure held against its limit.
type Reading struct {
	Measure string `json:"measure" jsonschema:"oldest, overdue, ready, expired or failed"`
	Status  string `json:"status" jsonschema:"ok, warning, critical or unknown"`
	Value   *int64 `json:"value" jsonschema:"a time in milliseconds; null: not known"`
	Kind    string `json:"kind" jsonschema:"exact, at_least, capped, estimated or unknown"`
	Warn    *int64 `json:"warn"`
	Bad     *int64 `json:"bad"`
	Text    string `json:"text"`
}

// Judge holds queues against their limits and findings. findings says whether
// these count in the verdict.
func Judge(at time.Time, seen []*model.Snapshot, limits func(queue string) model.Limits, findings bool) *Check {
	c := &Check{At: stamp(at), Queues: []CheckQueue{}}
	for _, s := range seen {
		q := judge(s, limits(s.Queue), findings)
		c.status = c.status.Worse(q.status)
		c.Queues = append(c.Queues, q)
	}
	c.Status = c.status.String()
	return c
}

func judge(s *model.Snapshot, l model.Limits, findings bool) CheckQueue {
	q := CheckQueue{
		Name: s.Queue, Limits: []Reading{}, Findings: []Finding{},
		Error: firstFault(s.Watch.Err, s.Pulse.Err, s.Page.Err),
	}
	switch {
	case q.Error != nil:
		q.add(Unknown, q.Error.Text)
	case !s.Pulse.Known():
		q.add(Unknown, "it could not be read")
	}
	for _, r := range diagnose.Readings(s, l) {
		q.reading(r)
	}
	for _, f := range s.Findings {
		if f.Kind == diagnose.KindOverLimit { // said by its reading
			continue
		}
		q.Findings = append(q.Findings, finding(f))
		if findings {
			q.add([...]Status{OK, Warning, Critical}[f.Severity], f.Text)
		}
	}
	if s.Pulse.Known() {
		f := s.Figures()
		q.figure = fmt.Sprintf("ready %s, working %s, expired %s, failed %s", text.Count(f.Ready), text.Count(f.Working), text.Count(f.Expired), text.Count(f.Failed))
	}
	q.Status = q.status.String()
	return q
}

// add takes one more verdict with its reason; what is fine needs none.
func (q *CheckQueue) add(s Status, why string) {
	if s != OK {
		q.why = append(q.why, why)
	}
	q.status = q.status.Worse(s)
}

func (q *CheckQueue) reading(r diagnose.Reading) {
	s := [...]Status{OK, Warning, Critical}[r.Severity]
	if !r.Decided {
		s = Unknown
	}
	if r.Value.Known || q.Error == nil { // else it was said already
		q.add(s, r.Text)
	}
	out := Reading{Measure: string(r.Measure), Status: s.String(), Kind: r.Trust.String(), Warn: number(r.Limit.Warn), Bad: number(r.Limit.Bad), Text: r.Text}
	if r.Value.Known {
		out.Value = number(r.Value)
		q.perf = append(q.perf, perf(q.Name, r))
	}
	q.Limits = append(q.Limits, out)
}

// perf is a figure as monitoring plugins print it: label=value[unit];warn;bad;min.
func perf(queue string, r diagnose.Reading) string {
	unit := ""
	amount := func(n model.Number) string {
		switch {
		case !n.Known:
			return ""
		case r.Measure.IsTime():
			return fmt.Sprintf("%.3f", float64(n.N)/1000)
		}
		return fmt.Sprint(n.N)
	}
	if r.Measure.IsTime() {
		unit = "s"
	}
	label := strings.NewReplacer("'", "", "=", "", "|", "").Replace(text.Clean(queue)) + " " + string(r.Measure)
	return fmt.Sprintf("'%s'=%s%s;%s;%s;0", label, amount(r.Value), unit, amount(r.Limit.Warn), amount(r.Limit.Bad))
}

// Plain writes a verdict as monitoring plugins do: one line that says all, its
// figures behind a bar, and one line for each queue.
func (c *Check) Plain(w io.Writer) error {
	queues := slices.Clone(c.Queues)
	slices.SortStableFunc(queues, func(a, b CheckQueue) int { return cmp.Compare(b.status.rank(), a.status.rank()) })
	var lines, perfs []string
	for _, q := range queues {
		said := q.figure
		if len(q.why) > 0 {
			said = strings.Join(q.why, "; ")
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", strings.ToUpper(q.Status), text.Clean(q.Name), said))
		perfs = append(perfs, q.perf...)
	}
	head := strings.ToUpper(c.Status)
	if len(queues) == 1 {
		head, lines = lines[0], nil
	} else {
		head += fmt.Sprintf(": %d of %s", c.count(c.status), text.Plural(int64(len(queues)), "queue", "queues"))
	}
	// The first bar is where monitoring looks for the figures.
	head = strings.ReplaceAll(head, "|", "/")
	if len(perfs) > 0 {
		head += " | " + strings.Join(perfs, " ")
	}
	_, err := io.WriteString(w, strings.Join(append([]string{head}, lines...), "\n")+"\n")
	return err
}

func (c *Check) count(s Status) int {
	n := 0
	for _, q := range c.Queues {
		if q.status == s {
			n++
		}
	}
	return n
}
