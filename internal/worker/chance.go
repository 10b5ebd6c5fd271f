package worker

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/leasetop/leasetop/model"
)

// Fault is what goes wrong with one claim.
type Fault uint8

// The faults. The zero Fault is none.
const (
	NoFault   Fault = iota
	Kill            // the worker vanishes after its claim: no heartbeat, no end
	Killer          // the job kills its worker, every time
	Stall           // the worker stands still past its lease and then ends late
	Poison          // the job fails with a diagnostic, every time
	Flaky           // the first attempt fails, the next does not
	LoseReply       // the end is applied, its reply lost
	LoseBeat        // a heartbeat is applied, its reply lost
)

// Faults decides what goes wrong with a claim. It must give the same answer each
// time it is asked about the same claim.
type Faults func(c model.Claim) Fault

// Chances are shares of jobs and of claims that go wrong, each from 0 to 1. The
// same seed goes wrong in the same places.
type Chances struct {
	Seed           uint64
	Poison, Killer float64 // of the jobs

	Kill, Stall, Flaky, LoseReply, LoseBeat float64 // of the claims
}

// Of decides about a claim: by its key alone for what is wrong with the job, by
// key and attempt for the rest.
func (c Chances) Of(claim model.Claim) Fault {
	job := dice(c.Seed, claim.Key.String(), "job").Float64()
	if f := pick(job, chance{Poison, c.Poison}, chance{Killer, c.Killer}); f != NoFault {
		return f
	}
	attempt := dice(c.Seed, claim.Key.String(), attemptOf(claim)).Float64()
	return pick(attempt, chance{Kill, c.Kill}, chance{Stall, c.Stall}, chance{Flaky, c.Flaky},
		chance{LoseReply, c.LoseReply}, chance{LoseBeat, c.LoseBeat})
}

type chance struct {
	fault Fault
	share float64
}

// pick lays the shares side by side from 0 and says in which of them x lies.
func pick(x float64, cs ...chance) Fault {
	for _, c := range cs {
		if x < c.share {
			return c.fault
		}
		x -= c.share
	}
	return NoFault
}

// attemptOf names the attempt of a claim: by its number, or where the table counts
// none by its token.
func attemptOf(c model.Claim) string {
	if c.Attempts.Known {
		return model.IntValue(c.Attempts.N).Text
	}
	return c.Token.String()
}

// dice is a source of numbers that depends on the seed and the names only.
func dice(seed uint64, names ...string) *rand.Rand {
	h := fnv.New64a()
	for _, n := range names {
		_, _ = h.Write(append([]byte(n), 0)) // a hash never fails
	}
	return rand.New(rand.NewPCG(seed, h.Sum64())) //nolint:gosec // makes a rehearsal repeatable, guards nothing
}
