package actions

import (
	"github.com/leasetop/leasetop/model"
)

// Effect is one kind of what will follow from an act on several jobs, and for how
// many of them.
type Effect struct {
	Kind string // stable
	Text string // in words that go behind a number
	N    int
}

// Toll counts what will follow from an act on each job of a list, where it differs
// from job to job. The zero Toll has counted nothing.
type Toll struct{ effects [4]int }

// The kinds of a Toll, in the order in which they are told.
const (
	workerAlive = iota // a worker may still be at it
	leaseRuns          // and says so
	knownAgain         // its effect can happen twice, and an operation id tells a repeat
	blindAgain         // the same, and nothing tells it
)

// Add counts one job that the act would be tried on.
func (t *Toll) Add(ask Ask) {
	j := ask.Row
	again := ask.Action != model.DeadLetter && ask.Action != model.Extend
	if j.State == model.Working && ask.Action != model.Extend {
		t.effects[workerAlive]++
		if left, ok := j.Left(ask.At); ok && left > 0 {
			t.effects[leaseRuns]++
		}
	}
	switch {
	case again && j.Operation != "":
		t.effects[knownAgain]++
	case again:
		t.effects[blindAgain]++
	}
}

// Effects are the kinds that were met, with their numbers.
func (t *Toll) Effects() []Effect {
	var out []Effect
	for i, e := range []Effect{
		{Kind: "worker-refused", Text: "whose worker may still be working: its completion will be refused from then on"},
		{Kind: "lease-taken", Text: "whose lease still runs: taken from a worker that says it is alive"},
		{Kind: "runs-again", Text: "run again, with an operation id to tell the repeat by"},
		{Kind: "runs-again-unknown", Text: "run again, without an operation id: what they did outside can happen twice"},
	} {
		if e.N = t.effects[i]; e.N > 0 {
			out = append(out, e)
		}
	}
	return out
}
