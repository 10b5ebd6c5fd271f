package drill

import (
	"slices"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// story is a small true run: job 1 completed at once; job 2 expired under a killed
// worker and completed at the second attempt; job 3 failed twice and lies in the
// dead letters; job 4 was released and then completed, its reply lost.
type story struct {
	l *Ledger
	f Facts
}

func key(n int64) model.Key { return model.KeyOf(model.IntValue(n)) }

func guid(n byte) string { return strings.Repeat(string(n), 8) + "-0000-0000-0000-000000000000" }

func token(n byte) model.Token { return model.TokenOf(model.GUIDValue(guid(n))) }

func happened(kind model.EventKind, from, to byte, state model.State) model.Event {
	return model.Event{Kind: kind, Change: model.Change{
		OldState: model.Working, NewState: state, OldToken: token(from), NewToken: token(to),
	}}
}

func row(n int64, s model.State, t byte, attempts, claims int64) *model.Job {
	return &model.Job{
		Key: key(n), State: s, Token: token(t), Attempts: model.NumberOf(attempts),
		MaxAttempts: model.NumberOf(2), TotalClaims: model.NumberOf(claims),
	}
}

func newStory() *story {
	s := &story{l: &Ledger{}}
	s.claim(1, 'A')
	s.end(worker.EventCompleted, worker.StepComplete, 1, 'A', 0)
	s.claim(2, 'B')
	s.end(worker.EventLost, "", 2, 'B', 0)
	s.claim(2, 'C')
	s.end(worker.EventCompleted, worker.StepComplete, 2, 'C', 0)
	s.claim(3, 'D')
	s.end(worker.EventFailed, worker.StepFail, 3, 'D', 'E')
	s.claim(3, 'F')
	s.end(worker.EventConfirmed, worker.StepFail, 3, 'F', '0')
	s.claim(4, '1')
	s.end(worker.EventReleased, worker.StepRelease, 4, '1', '2')
	s.claim(4, '3')
	s.end(worker.EventConfirmed, worker.StepComplete, 4, '3', 0)
	s.f = Facts{
		Enqueued: 4,
		Rows: []*model.Job{
			row(1, model.Done, 'A', 1, 1), row(2, model.Done, 'C', 2, 2),
			row(3, model.Failed, '0', 2, 2), row(4, model.Done, '3', 1, 2),
		},
		History: map[model.Key][]model.Event{
			key(1): {happened(model.EventCompleted, 'A', 'A', model.Done)},
			key(2): {happened(model.EventExpired, 'B', '9', model.Scheduled), happened(model.EventCompleted, 'C', 'C', model.Done)},
			key(3): {happened(model.EventFailed, 'D', 'E', model.Scheduled), happened(model.EventFailed, 'F', '0', model.Failed)},
			key(4): {happened(model.EventReleased, '1', '2', model.Ready), happened(model.EventCompleted, '3', '3', model.Done)},
		},
	}
	return s
}

func (s *story) claim(n int64, t byte) {
	s.l.Note(worker.Event{Kind: worker.EventClaimed, Worker: "w", Key: key(n), Token: token(t)})
}

func (s *story) end(k worker.Kind, step worker.Step, n int64, t, next byte) {
	e := worker.Event{Kind: k, Step: step, Worker: "w", Key: key(n), Token: token(t)}
	if next != 0 {
		e.Next = guid(next)
	}
	s.l.Note(e)
}

func failing(r Report) (names []string) {
	for _, c := range r.Checks {
		if !c.OK {
			names = append(names, c.Name)
		}
	}
	return names
}

func TestTrueStory(t *testing.T) {
	s := newStory()
	r := Check(s.l, s.f)
	if !r.OK() {
		t.Fatalf("a true run fails:\n%s", r)
	}
	for _, want := range []string{"4 in = 3 done + 1 failed", "7 claims", "at most 2 attempts"} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, r)
		}
	}
	if (Report{}).OK() {
		t.Error("a report without checks must not be a success")
	}
}

// TestLies breaks the true run in one way at a time: the guarantee that it breaks
// must be the one that fails.
func TestLies(t *testing.T) {
	for _, c := range []struct {
		name, breaks string
		lie          func(*story)
	}{
		{"a job is gone", "conservation", func(s *story) { s.f.Rows = s.f.Rows[1:] }},
		{"a job is there twice", "conservation", func(s *story) { s.f.Rows = append(s.f.Rows, s.f.Rows[0]) }},
		{"a job is still working", "conservation", func(s *story) { s.f.Rows[0].State = model.Working }},
		{"a job ended twice", "each job ends once", func(s *story) {
			s.f.History[key(1)] = append(s.f.History[key(1)], happened(model.EventCompleted, 'A', 'A', model.Done))
		}},
		{"a job never ended", "each job ends once", func(s *story) { s.f.History[key(1)] = nil }},
		{"handed out twice", "each claim ends once", func(s *story) { s.claim(1, 'A') }},
		{"a claim without an end", "each claim ends once", func(s *story) { s.claim(1, '7') }},
		{"an end without a claim", "each claim ends once", func(s *story) {
			s.f.History[key(1)] = append([]model.Event{happened(model.EventExpired, '7', '8', model.Scheduled)}, s.f.History[key(1)]...)
		}},
		{"told two ends", "each claim ends once", func(s *story) { s.end(worker.EventLost, "", 2, 'C', 0) }},
		{"told about a stranger's claim", "each claim ends once", func(s *story) { s.end(worker.EventLost, "", 2, '7', 0) }},
		{"the killed token completes", "no replaced token is honoured", func(s *story) {
			s.f.History[key(2)][1] = happened(model.EventCompleted, 'B', 'B', model.Done)
			s.f.Rows[1].Token = token('B')
		}},
		{"the row carries a token that no event left", "no replaced token is honoured", func(s *story) { s.f.Rows[0].Token = token('7') }},
		{"told completed, but it expired", "workers were told the truth", func(s *story) {
			s.end(worker.EventCompleted, worker.StepComplete, 2, 'B', 0)
		}},
		{"told lost, but it had completed", "workers were told the truth", func(s *story) {
			s.l.claims[claimID{key(1), token('A')}].ends[0].Kind = worker.EventLost
		}},
		{"told confirmed, but another replacement is there", "workers were told the truth", func(s *story) {
			s.l.claims[claimID{key(3), token('F')}].ends[0].Next = guid('7')
		}},
		{"told failed, but it was released", "workers were told the truth", func(s *story) {
			s.l.claims[claimID{key(4), token('1')}].ends[0].Kind = worker.EventFailed
		}},
		{"beyond the bound", "claims stay within the bound", func(s *story) { s.f.Rows[2].MaxAttempts = model.NumberOf(1) }},
		{"a release was counted", "claims stay within the bound", func(s *story) { s.f.Rows[3].Attempts = model.NumberOf(2) }},
		{"total claims shrank", "claims stay within the bound", func(s *story) { s.f.Rows[3].TotalClaims = model.NumberOf(1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory()
			c.lie(s)
			r := Check(s.l, s.f)
			if slices.Contains(failing(r), c.breaks) {
				return
			}
			t.Errorf("%q is not reported:\n%s", c.breaks, r)
		})
	}
}

// TestPartialLedger holds that a ledger that died with its process is no fault, and
// that the table is judged all the same.
func TestPartialLedger(t *testing.T) {
	s := newStory()
	delete(s.l.claims, claimID{key(2), token('B')})
	if Check(s.l, s.f).OK() {
		t.Error("an end without a claim passes although every ledger is there")
	}
	s.f.Partial = true
	if r := Check(s.l, s.f); !r.OK() {
		t.Errorf("the claim of a killed process counts as a fault:\n%s", r)
	}
	s.f.History[key(2)][1] = happened(model.EventCompleted, 'B', 'B', model.Done)
	if Check(s.l, s.f).OK() {
		t.Error("a killed process's token was honoured and nobody says so")
	}
}

// TestUnsureClaim holds that a claim without a reply may end in the history.
func TestUnsureClaim(t *testing.T) {
	s := newStory()
	delete(s.l.claims, claimID{key(2), token('B')})
	s.l.Note(worker.Event{Kind: worker.EventTrouble, Step: worker.StepClaim, Token: token('B')})
	if r := Check(s.l, s.f); !r.OK() {
		t.Errorf("a claim whose reply was lost counts as a fault:\n%s", r)
	}
}

// TestWithoutHistory judges by the workers' word alone, as on the bare table.
func TestWithoutHistory(t *testing.T) {
	s := newStory()
	s.f.History = nil
	s.f.Rows = append(s.f.Rows[:2], s.f.Rows[3])
	s.f.Enqueued = 3
	if r := Check(s.l, s.f); !r.OK() {
		t.Fatalf("a true run without a history fails:\n%s", r)
	}
	s.end(worker.EventCompleted, worker.StepComplete, 2, 'B', 0)
	if Check(s.l, s.f).OK() {
		t.Error("two completions of one job pass")
	}
}
