package tape

import (
	"time"

	"github.com/leasetop/leasetop/model"
)

// epoch is where the server's clock stands when a test begins: no round number.
var epoch = time.Date(2026, 3, 1, 2, 59, 58, 123e6, time.UTC)

func exact(n int64) model.Count { return model.Count{N: n, Trust: model.Exact} }

func ageOf(d time.Duration) model.Age { return model.Age{D: d, Trust: model.Exact} }

// good is a snapshot whose poll succeeded at a time.
func good(at time.Time, p model.Pulse) *model.Snapshot {
	s := &model.Snapshot{Queue: "q"}
	s.Pulse = model.Part[model.Pulse]{Data: p, At: at}
	return s
}

// failed is the snapshot after a poll that failed: the figures of the last good
// one, and why they are old.
func failed(last *model.Snapshot) *model.Snapshot {
	s := *last
	s.Pulse.Err = &model.Fault{Class: model.FaultNetwork}
	return &s
}

// listed adds a complete list to a snapshot.
func listed(s *model.Snapshot, v model.View, jobs ...*model.Job) *model.Snapshot {
	s.Page = model.Part[model.Page]{Data: model.Page{View: v, Jobs: jobs}, At: s.Pulse.At.Add(time.Millisecond)}
	return s
}

func job(id int64, token string, state model.State) *model.Job {
	j := &model.Job{Key: model.KeyOf(model.IntValue(id)), State: state}
	if token != "" {
		j.Token = model.TokenOf(model.GUIDValue(token))
	}
	return j
}

func after(seconds float64) time.Time {
	return epoch.Add(time.Duration(seconds * float64(time.Second)))
}
