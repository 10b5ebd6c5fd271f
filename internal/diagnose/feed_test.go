package diagnose

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// epoch is the server's time when a test begins; ours is an hour off.
var (
	epoch = time.Date(2026, 3, 1, 2, 59, 58, 123e6, time.UTC)
	ours  = time.Date(2026, 3, 1, 3, 59, 58, 123e6, time.UTC)
)

const (
	tokenA = "AAAAAAAA-0000-0000-0000-000000000001"
	tokenB = "BBBBBBBB-0000-0000-0000-000000000002"
)

func exact(n int64) model.Count { return model.Count{N: n, Trust: model.Exact} }

func key(id int64) model.Key { return model.KeyOf(model.IntValue(id)) }

// poll is a good snapshot of a fenced queue with leases of a minute.
func poll(at time.Duration, p model.Pulse) *model.Snapshot {
	s := &model.Snapshot{Queue: "orders", Mapping: &model.Mapping{Queue: "orders", Family: model.Fenced, Lease: time.Minute}}
	s.Caps = model.Caps{ProbedAt: epoch, Can: map[model.Feature]model.Verdict{model.CanControl: model.Yes(), model.CanCount: model.Yes()}}
	s.Pulse = model.Part[model.Pulse]{Data: p, At: epoch.Add(at), Got: ours.Add(at)}
	return s
}

func overdue(n int64, worst time.Duration) model.Pulse {
	return model.Pulse{Working: exact(9), Expired: exact(n), WorstOverdue: model.Age{D: worst, Trust: model.Exact}, WorstKey: key(10421)}
}

// row is a working row whose lease ends at a time.
func row(id int64, token, worker string, end time.Duration) *model.Job {
	j := &model.Job{Key: key(id), State: model.Working, Worker: worker}
	if token != "" {
		j.Token = model.TokenOf(model.GUIDValue(token))
	}
	j.Lease = model.Instant{At: epoch.Add(end), Raw: model.TimeValue("a time")}
	return j
}

func listed(s *model.Snapshot, jobs ...*model.Job) *model.Snapshot {
	s.Page = model.Part[model.Page]{Data: model.Page{View: model.ViewWorking, Jobs: jobs}, At: s.Pulse.At}
	return s
}

func failed(s *model.Snapshot) *model.Snapshot {
	f := *s
	f.Pulse.Err = &model.Fault{Class: model.FaultNetwork}
	return &f
}

// find gives the finding of a kind; there is at most one.
func find(t *testing.T, s *model.Snapshot, kind string) (model.Finding, bool) {
	t.Helper()
	var got model.Finding
	n := 0
	for _, f := range s.Findings {
		if f.Kind == kind {
			got = f
			n++
		}
	}
	if n > 1 {
		t.Errorf("%d findings of the kind %s", n, kind)
	}
	return got, n > 0
}
