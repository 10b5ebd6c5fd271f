package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func limits(string) model.Limits {
	return model.Limits{
		model.MeasureOldest: {Bad: model.NumberOf(300_000)}, model.MeasureReady: {Warn: model.NumberOf(100), Bad: model.NumberOf(100_000)},
	}
}

func TestChecks(t *testing.T) {
	var j, txt bytes.Buffer
	for _, seen := range [][]*model.Snapshot{{full()}, {bare()}, {bare(), full()}} {
		c := Judge(at(40), seen, limits, true)
		var b bytes.Buffer
		if err := WriteJSON(&b, c); err != nil {
			t.Fatal(err)
		}
		holds[Check](t, "check", b.Bytes())
		j.Write(b.Bytes())
		if err := c.Plain(&txt); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "testdata/check.json", j.Bytes())
	golden(t, "testdata/check.txt", txt.Bytes())
}

// The verdict on one ready count, by what is known of it.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		ready    model.Count
		findings model.Severity
		only     bool // limits only
		want     Status
	}{
		{ready: model.Count{N: 1, Trust: model.Exact}, want: OK},
		{ready: model.Count{N: 101, Trust: model.Exact}, want: Warning},
		{ready: model.Count{N: 100_001, Trust: model.AtLeast}, want: Critical},
		{ready: model.Count{N: 10_000, Trust: model.Capped}, want: Unknown},
		{ready: model.Count{N: 1, Trust: model.Exact}, findings: model.Warn, want: Warning},
		{ready: model.Count{N: 10_000, Trust: model.Capped}, findings: model.Warn, want: Unknown},
		{ready: model.Count{N: 10_000, Trust: model.Capped}, findings: model.Bad, want: Critical},
		{ready: model.Count{N: 1, Trust: model.Exact}, findings: model.Bad, only: true, want: OK},
	} {
		s := &model.Snapshot{Queue: "q", Mapping: mapping(), Findings: []model.Finding{{Kind: "expired", Severity: c.findings, Text: "x"}}}
		s.Pulse = model.Part[model.Pulse]{Data: model.Pulse{Ready: c.ready}, At: at(1)}
		l := func(string) model.Limits { return model.Limits{model.MeasureReady: limits("")[model.MeasureReady]} }
		got := Judge(time.Now(), []*model.Snapshot{s}, l, !c.only)
		if got.Exit() != int(c.want) {
			t.Errorf("%+v: exit %d", c, got.Exit())
		}
	}
}

func TestPrometheusText(t *testing.T) {
	odd := bare()
	odd.Queue = "a\"b\\c\nd"
	var b strings.Builder
	if err := Prometheus(&b, []*model.Snapshot{full(), odd, bare()}); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/prometheus.txt", []byte(b.String()))
	seen := map[string]bool{}
	for line := range strings.Lines(b.String()) {
		name, _, _ := strings.Cut(line, " ")
		if seen[name] && !strings.HasPrefix(line, "#") {
			t.Errorf("twice: %s", line)
		}
		seen[name] = true
	}
}

// TestTheFirstBarBelongsToTheFigures holds a verdict to the form that monitoring
// reads, whatever a finding says.
func TestTheFirstBarBelongsToTheFigures(t *testing.T) {
	c := &Check{status: Critical, Queues: []CheckQueue{{Name: "a|b", Status: "critical", status: Critical, why: []string{"it failed with x|y"}, perf: []string{"'a ready'=1;;;0"}}}}
	var b strings.Builder
	if err := c.Plain(&b); err != nil {
		t.Fatal(err)
	}
	if want := "CRITICAL a/b: it failed with x/y | 'a ready'=1;;;0\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// TestNoPriorityIsNotZero keeps a job without a priority apart from one of priority
// 0: two samples of one name are refused as a whole.
func TestNoPriorityIsNotZero(t *testing.T) {
	now := time.Now()
	s := &model.Snapshot{Queue: "q", Server: "s", Mapping: &model.Mapping{}, Pulse: model.Part[model.Pulse]{At: now, Data: model.Pulse{ByPriority: []model.Oldest{
		{Waiting: model.Age{D: time.Second, Trust: model.Exact}}, {Priority: model.NumberOf(0), Waiting: model.Age{D: time.Minute, Trust: model.Exact}},
	}}}}
	var b strings.Builder
	if err := Prometheus(&b, []*model.Snapshot{s}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`priority="none"} 1`, `priority="0"} 60`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}
