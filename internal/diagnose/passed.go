package diagnose

import (
	"fmt"
	"strconv"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// A job is passed over when it is the next to be claimed of its priority, and jobs
// of the same or a lower priority that stand behind it are claimed all the same.
// It is said from passedLeast such claims and passedWait on: two claimers at work
// pass each other all the time.
const (
	passedLeast = 10
	passedWait  = 30 * time.Second
)

// passes counts the claims that were seen to pass the heads of the priorities.
// Only a whole list of working rows shows who was claimed, so that the number is
// what was seen and not what there was.
type passes struct {
	holds map[hold]bool // of the last whole list; nil: none was read then
	heads map[model.Key]int64
}

func (p *passes) observe(f facts, joined bool) (model.Finding, bool) {
	now := heads(&f.s.Pulse.Data)
	counts := make(map[model.Key]int64, len(now))
	holds := holdsOf(f)
	for _, h := range now {
		counts[h.Key] = p.heads[h.Key]
		if joined && p.holds != nil && holds != nil {
			counts[h.Key] += p.passed(f, h)
		}
	}
	p.heads = counts
	if holds != nil || !joined {
		p.holds = holds
	}
	var worst model.Oldest
	for _, h := range now {
		if counts[h.Key] > counts[worst.Key] {
			worst = h
		}
	}
	n := counts[worst.Key]
	if n < passedLeast || worst.Waiting.D < passedWait {
		return model.Finding{}, false
	}
	return model.Finding{
		Kind: KindPassedOver, Severity: model.Warn, Key: worst.Key,
		Text: fmt.Sprintf("%s is ready for %s and was passed over ≥ %s times", text.Brief(worst.Key.String()), text.Age(worst.Waiting), text.Grouped(rounded(n))),
		Cure: "w on it says what stands in its way",
	}, true
}

// passed counts the new claims of jobs that stand behind a head.
func (p *passes) passed(f facts, head model.Oldest) (n int64) {
	for _, j := range f.jobs {
		if !p.holds[hold{j.Key, j.Token}] && j.Key != head.Key && behind(j, head, f.now) {
			n++
		}
	}
	return n
}

// behind reports whether a job stands behind the head of a priority, as far as its
// key or its times tell.
func behind(j *model.Job, head model.Oldest, now time.Time) bool {
	if j.Priority != head.Priority { // where one is not known, it tells nothing
		return j.Priority.Known && head.Priority.Known && j.Priority.N > head.Priority.N
	}
	a, ok := number(j.Key)
	b, also := number(head.Key)
	if ok && also {
		return a > b
	}
	return head.Waiting.Known() && j.Available.At.After(now.Add(-head.Waiting.D))
}

// number is a key of one whole number.
func number(k model.Key) (int64, bool) {
	vs := k.Values()
	if len(vs) != 1 || vs[0].Type != model.Int {
		return 0, false
	}
	n, err := strconv.ParseInt(vs[0].Text, 10, 64)
	return n, err == nil
}

// rounded rounds down to 1, 2 or 5 and zeros, so that a text does not change with
// every poll.
func rounded(n int64) int64 {
	step := int64(1)
	for step <= n/10 {
		step *= 10
	}
	for _, m := range []int64{5, 2, 1} {
		if n >= m*step {
			return m * step
		}
	}
	return n
}
