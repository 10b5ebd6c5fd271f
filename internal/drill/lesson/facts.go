package lesson

import (
	"fmt"

	"github.com/leasetop/leasetop/model"
)

// Facts are what happened in a half, for its invariant.
type Facts struct {
	Claims []ClaimFact
	Ends   []EndFact
	Ledger []Effect
	Rows   []*model.Job // at the end, in the jobs' order
	In     int          // rows that came into a destructive queue
	Left   [][]int      // the rows that are there, by line
	Lost   []int        // rows that a killed consumer had deleted and not worked on
	InHand []int        // rows of the first line that a consumer has taken and not ended
	Lines  []LineUp
	Taken  []int // jobs that an operator took back although a live worker held them
}

// ClaimFact is a job that came to a worker.
type ClaimFact struct {
	Who   Actor
	Job   int
	Token model.Token
}

// EndFact is a completion that a worker sent.
type EndFact struct {
	Who     Actor
	Job     int
	Token   model.Token
	Applied bool
	Current bool // the row carried the worker's token when it was sent
}

// effects is how often a job took effect.
func (f *Facts) effects(job int) int {
	n := 0
	for _, e := range f.Ledger {
		if e.Job == job && !e.Ignored {
			n++
		}
	}
	return n
}

// once: no job took effect twice.
func once(f *Facts) []string {
	var out []string
	for i := range f.Rows {
		if n := f.effects(i + 1); n > 1 {
			out = append(out, fmt.Sprintf("job %d took effect %d times", i+1, n))
		}
	}
	return out
}

// ended: every job is done or a dead letter.
func ended(f *Facts) []string {
	var out []string
	for i, j := range f.Rows {
		if j.State != model.Done && j.State != model.Failed {
			out = append(out, fmt.Sprintf("job %d is still %s", i+1, j.State))
		}
	}
	return out
}

// unshared: no job came to two workers by claims that nobody took back.
func unshared(f *Facts) []string {
	var out []string
	owners := map[int][]Actor{}
	for _, c := range f.Claims {
		owners[c.Job] = append(owners[c.Job], c.Who)
	}
	for i := range f.Rows {
		if who := owners[i+1]; len(who) > 1 {
			out = append(out, fmt.Sprintf("job %d has %d owners: %s and %s", i+1, len(who), who[0], who[1]))
		}
	}
	return out
}

// byHolder: only the holder of the row's token ends a job.
func byHolder(f *Facts) []string {
	var out []string
	for _, e := range f.Ends {
		if e.Applied && !e.Current {
			out = append(out, fmt.Sprintf("%s ended job %d, which had been given to somebody else", e.Who, e.Job))
		}
	}
	return out
}

// all gathers the faults of several rules.
func all(rules ...func(*Facts) []string) func(*Facts) []string {
	return func(f *Facts) []string {
		var out []string
		for _, r := range rules {
			out = append(out, r(f)...)
		}
		return out
	}
}
