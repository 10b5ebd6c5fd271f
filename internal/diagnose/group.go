package diagnose

import (
	"cmp"
	"slices"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Lapse is the diagnostic of an attempt whose lease ended and whose worker said
// nothing: recovery writes it, and no worker ever does.
const Lapse = "lease expired, no word from the worker"

// Nature is how the jobs of a group failed.
type Nature uint8

// The natures of groups, in the order in which groups stand.
const (
	Lapsed  Nature = iota // the lease ended with no failure recorded: the job may kill its workers
	Failing               // a worker reported the error
	Silent                // no reason is recorded
)

// NatureOf says how a job failed last.
func NatureOf(j *model.Job) Nature {
	switch j.Error {
	case "":
		return Silent
	case Lapse:
		return Lapsed
	}
	return Failing
}

// Group are the jobs of a list that failed alike.
type Group struct {
	Signature string
	Nature    Nature
	Jobs      []*model.Job // in the order of the list
	First     time.Time    // when the first and the last of them failed, or were claimed where that is not recorded
	Last      time.Time
	Workers   int
	Worker    string // the only one; empty: there are more, or none is recorded
}

// Groups puts the jobs of a list that failed alike together: crash loops first,
// then errors, each the largest first. Those of one size stand in the order of their
// jobs in the list: by when they failed last, they would change their places at
// every retry.
func Groups(jobs []*model.Job) []*Group {
	type alike struct {
		nature    Nature
		signature string
	}
	index := map[alike]*Group{}
	workers := map[*Group]map[string]bool{}
	var out []*Group
	for _, j := range jobs {
		k := alike{NatureOf(j), ""}
		if k.nature == Failing {
			k.signature = Signature(j.Error)
		}
		g := index[k]
		if g == nil {
			g = &Group{Signature: k.signature, Nature: k.nature}
			index[k], workers[g] = g, map[string]bool{}
			out = append(out, g)
		}
		g.add(j)
		if j.Worker != "" {
			workers[g][j.Worker] = true
		}
	}
	for _, g := range out {
		g.Workers = len(workers[g])
		for w := range workers[g] {
			g.Worker = w
		}
		if g.Workers != 1 {
			g.Worker = ""
		}
	}
	slices.SortStableFunc(out, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(a.Nature, b.Nature), cmp.Compare(len(b.Jobs), len(a.Jobs)))
	})
	return out
}

func (g *Group) add(j *model.Job) {
	g.Jobs = append(g.Jobs, j)
	at := FailedAt(j)
	if at.IsZero() {
		return
	}
	if g.First.IsZero() || at.Before(g.First) {
		g.First = at
	}
	if at.After(g.Last) {
		g.Last = at
	}
}

// FailedAt is when a job failed, or when it was claimed for the attempt that did.
// A job that waits again is not dated by when it will be due.
func FailedAt(j *model.Job) time.Time {
	if !j.Ended.At.IsZero() {
		return j.Ended.At
	}
	return j.Claimed.At
}

// Words are the group's error for eyes.
func (g *Group) Words() string {
	switch {
	case g.Nature == Lapsed:
		return "crash loop: " + Lapse
	case g.Nature == Silent:
		return "no reason recorded"
	case len(g.Jobs) == 1:
		return g.Jobs[0].Error
	}
	return g.Signature
}
