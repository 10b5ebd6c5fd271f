package diagnose

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// job is a row of a queue with a state and what a case changes.
func job(s model.State, change func(*model.Job)) *model.Job {
	j := &model.Job{
		Key: key(10421), State: s, RawState: model.TextValue("x"), Token: model.TokenOf(model.GUIDValue(tokenA)),
		Attempts: model.NumberOf(2), MaxAttempts: model.NumberOf(5), Worker: "pick-07",
	}
	if change != nil {
		change(j)
	}
	return j
}

func moment(d time.Duration) model.Instant {
	return model.Instant{At: epoch.Add(d), Raw: model.TimeValue("a time")}
}

// billing is a session that holds a row for longer than any statement takes.
func billing(change func(*model.Holder)) model.Holder {
	h := model.Holder{
		Session: 61, Level: model.LockRow, Mode: "X", Program: "Billing", Host: "APP-3", Login: "svc", Status: "sleeping",
		Held: model.Age{D: 252 * time.Second, Trust: model.Exact}, Running: "UPDATE dbo.Q SET State = 'R'",
	}
	if change != nil {
		change(&h)
	}
	return h
}

// asked is a question about a job that was read at the epoch.
func asked(j *model.Job, change func(*WhyFacts)) WhyFacts {
	f := WhyFacts{Queue: "orders", Key: key(10421), Job: j, At: epoch, Snapshot: poll(0, model.Pulse{})}
	if change != nil {
		change(&f)
	}
	return f
}

func readyList(at int, more bool) model.Page {
	p := model.Page{View: model.ViewReady, More: more}
	for i := range at {
		p.Jobs = append(p.Jobs, &model.Job{Key: key(int64(i)), Priority: model.NumberOf(1)})
	}
	if !more {
		p.Jobs = append(p.Jobs, job(model.Ready, nil))
	}
	return p
}

// TestWhy holds every reason to what it says first, and to the word of evidence or
// cure that makes it of use.
func TestWhy(t *testing.T) {
	leased := func(left time.Duration) *model.Job {
		return job(model.Working, func(j *model.Job) {
			j.Lease, j.Beat, j.Held = moment(left), moment(-8*time.Second), model.Age{D: 41 * time.Second, Trust: model.Exact}
		})
	}
	listed := func(at int, more bool) func(*WhyFacts) {
		return func(f *WhyFacts) { f.Ready, f.ReadyAt = readyList(at, more), epoch }
	}
	locked := func(l model.Locks) func(*WhyFacts) { return func(f *WhyFacts) { f.Locks = l } }
	for name, c := range map[string]struct {
		facts WhyFacts
		kinds []string
		first string   // the first reason, in full
		words []string // in its evidence and cure
	}{
		"no such row": {asked(nil, nil), []string{WhyGone}, "there is no such row", []string{"purged"}},
		"a row that was taken": {
			asked(nil, func(f *WhyFacts) { f.Snapshot.Mapping.Family = model.Destructive }), []string{WhyGone}, "there is no such row", []string{"dequeued"},
		},
		"done": {asked(job(model.Done, func(j *model.Job) { j.Ended = moment(-time.Minute) }), nil), []string{WhyEnded}, "it is done: nothing is left to do", []string{"1m00s ago"}},
		"a dead letter": {
			asked(job(model.Failed, func(j *model.Job) { j.Error = "no such article" }), nil), []string{WhyEnded},
			"it is a dead letter: nobody claims it again by itself", []string{"no such article", "u requeues"},
		},
		"a state nobody names": {asked(job(model.StateUnknown, nil), nil), []string{WhyUnnamed}, "its state is x, which the mapping does not name", []string{"by hand"}},
		"not due": {
			asked(job(model.Scheduled, func(j *model.Job) { j.Available = moment(3 * time.Minute) }), nil), []string{WhyNotDue},
			"it is not due yet: in 3m00s", []string{"back-off after attempt 2"},
		},
		"due a moment ago": {asked(job(model.Scheduled, func(j *model.Job) { j.Available = moment(-time.Second) }), nil), []string{WhyNotDue}, "it is not due yet: in 0s", nil},
		"due, and nobody comes": {
			asked(job(model.Scheduled, func(j *model.Job) { j.Available = moment(-40 * time.Second) }), nil), []string{WhyOverdue},
			"it is due since 40s and nobody makes it ready", []string{"leasetop recover orders"},
		},
		"scheduled for never": {asked(job(model.Scheduled, nil), nil), []string{WhyNotDue}, "it is scheduled, and its row does not say for when", nil},
		"leased": {
			asked(leased(3*time.Minute), nil), []string{WhyLeased}, "pick-07 works on it for 41s: 3m00s of the lease is left",
			[]string{"heartbeat came 8s ago", "attempt 2 of 5", tokenA},
		},
		"leased without a beat": {
			asked(job(model.Working, func(j *model.Job) { j.Lease = moment(time.Minute); j.Worker = "" }), func(f *WhyFacts) {
				f.Snapshot.Mapping.Columns = map[model.Role]model.Column{model.RoleHeartbeat: {Name: "HeartbeatAt"}}
			}), []string{WhyLeased}, "somebody works on it: 1m00s of the lease is left", []string{"no heartbeat came"},
		},
		"expired a moment ago": {asked(leased(-4*time.Second), nil), []string{WhyExpired}, "its lease ran out 4s ago; pick-07 may still be running", []string{"next recovery"}},
		"expired for long":     {asked(leased(-time.Hour), nil), []string{WhyExpired}, "its lease ran out 1h00m00s ago; pick-07 may still be running", []string{"nobody takes expired rows back", "r reclaims"}},
		"no token": {
			asked(job(model.Working, func(j *model.Job) { j.Token, j.Lease = model.Token{}, moment(time.Minute) }), nil), []string{WhyCorrupt, WhyLeased},
			"it is working without a token: nothing will ever end it", []string{"by hand"},
		},
		"neither token nor lease": {
			asked(job(model.Working, func(j *model.Job) { j.Token = model.Token{} }), nil), []string{WhyCorrupt},
			"it is working without a token and a lease: nothing will ever end it", nil,
		},
		"used up": {
			asked(job(model.Ready, func(j *model.Job) { j.Attempts = model.NumberOf(5) }), listed(0, false)), []string{WhyUsedUp},
			"its attempts are used up, yet it is ready: no claim takes it", []string{"5 of 5"},
		},
		"the next in line": {asked(job(model.Ready, nil), listed(0, false)), []string{WhyNext}, "it is ready and the next in line: the next claim takes it, unless a lock hides it", nil},
		"behind others": {
			asked(job(model.Ready, func(j *model.Job) {
				j.Priority, j.Waiting = model.NumberOf(100), model.Age{D: time.Minute, Trust: model.AtLeast}
			}), listed(12, false)), []string{WhyBehind},
			"12 ready jobs are claimed before it", []string{"the first of them is 0, priority 1 before this one's 100", "≥ 1m00s"},
		},
		"behind one without a priority": {
			asked(job(model.Ready, func(j *model.Job) { j.Priority = model.NumberOf(-1) }), func(f *WhyFacts) {
				listed(2, false)(f)
				f.Ready.Jobs[0].Priority = model.Number{}
			}), []string{WhyBehind}, "2 ready jobs are claimed before it", []string{"the first of them is 0, without a priority and so before this one's -1"},
		},
		"behind more than are listed": {asked(job(model.Ready, nil), listed(3, true)), []string{WhyBehind}, "more than 3 ready jobs are claimed before it", nil},
		"the brake is on": {
			asked(job(model.Ready, nil), func(f *WhyFacts) {
				f.Snapshot.Pulse.Data.Brake = &model.Brake{On: true, At: moment(-5 * time.Minute), Actor: "anna", Login: "PROD\\anna", Reason: "incident 4711"}
				listed(0, false)(f)
			}), []string{WhyBrake, WhyNext}, "the queue's brake is on: nobody claims, since 5m00s", []string{"anna (PROD\\anna)", "incident 4711"},
		},
		"the brake is off": {asked(job(model.Ready, nil), func(f *WhyFacts) { f.Snapshot.Pulse.Data.Brake = &model.Brake{}; listed(0, false)(f) }), []string{WhyNext}, "it is ready and the next in line: the next claim takes it, unless a lock hides it", nil},
		"nobody claims": {
			asked(job(model.Ready, nil), func(f *WhyFacts) {
				f.Snapshot.Findings = []model.Finding{{Kind: KindStalled, Severity: model.Bad, Text: "7 ready and no claim seen for 9m", Cure: "see whether any workers run"}}
			}), []string{WhyStalled}, "no worker claims: 7 ready and no claim seen for 9m", []string{"any workers"},
		},
		"no index": {
			asked(job(model.Ready, nil), func(f *WhyFacts) {
				f.Snapshot.Caps.Can[model.CanCount] = model.No("no index leads on State: counting would read 12000000 rows", "CREATE INDEX x")
			}), []string{WhyNoIndex}, "no index leads claims to it: each claim reads the table from end to end", []string{"12000000", "CREATE INDEX"},
		},
		"a session holds the row": {
			asked(job(model.Ready, nil), locked(model.Locks{Skipped: model.NumberOf(1), Holders: []model.Holder{billing(nil)}})), []string{WhyLocked},
			"its row is locked by session 61: claims pass over it",
			[]string{"session 61 has X on the row: Billing on APP-3 as svc, its transaction is open for 4m12s, sleeping", "which ran last: UPDATE dbo.Q"},
		},
		"it waits itself": {
			asked(job(model.Ready, nil), locked(model.Locks{Holders: []model.Holder{billing(func(h *model.Holder) { h.Blocker, h.Busy = 72, true })}})), []string{WhyLocked},
			"its row is locked by session 61: claims pass over it", []string{"itself waiting for session 72", "which runs: UPDATE"},
		},
		"locked, and nobody may say by whom": {
			asked(job(model.Ready, nil), locked(model.Locks{Skipped: model.NumberOf(1), HoldErr: &model.Fault{Text: "VIEW SERVER STATE permission was denied"}})), []string{WhyLocked},
			"its row is locked by another session: claims pass over it", []string{"when that transaction ends"},
		},
		"optimized locking": {
			asked(job(model.Ready, nil), locked(model.Locks{Skipped: model.NumberOf(1), Optimized: true, Holders: []model.Holder{billing(func(h *model.Holder) { h.Level, h.Mode = model.LockTable, "IX" })}})), []string{WhyLocked},
			"its row is locked by another session: claims pass over it", []string{"locks transactions, not rows", "session 61 has IX on the table"},
		},
		"a page is locked": {
			asked(job(model.Ready, nil), locked(model.Locks{Blocked: true, Holders: []model.Holder{billing(func(h *model.Holder) { h.Level = model.LockPage })}})), []string{WhyBlocked},
			"a lock on its page or its table makes every claim wait: only locked rows are passed over", []string{"session 61 has X on the page", "ALLOW_PAGE_LOCKS"},
		},
		"the table is locked": {
			asked(job(model.Ready, nil), locked(model.Locks{Holders: []model.Holder{
				billing(func(h *model.Holder) { h.Level = model.LockTable }), billing(func(h *model.Holder) { h.Session, h.Level, h.Mode = 7, model.LockTable, "IX" }),
			}})), []string{WhyBlocked}, "a lock on its page or its table makes every claim wait: only locked rows are passed over", []string{"session 61 has X on the table"},
		},
		"dequeued now": {
			asked(job(model.Ready, func(j *model.Job) { j.Copies, j.Locked = model.NumberOf(2), model.NumberOf(2) }), listed(0, false)), []string{WhyLocked},
			"it is being dequeued now (emulated lock): claims pass over it", []string{"comes back"},
		},
		"one of its equals dequeued now": {
			asked(job(model.Ready, func(j *model.Job) { j.Copies, j.Locked = model.NumberOf(2), model.NumberOf(1) }), listed(0, false)), []string{WhyNext},
			"it is ready and the next in line: the next claim takes it, unless a lock hides it", nil,
		},
		"locks in nobody's way": {
			asked(job(model.Ready, nil), locked(model.Locks{Skipped: model.NumberOf(0), Holders: []model.Holder{
				billing(func(h *model.Holder) { h.Level, h.Mode = model.LockTable, "IX" }), billing(func(h *model.Holder) { h.Level, h.Mode = model.LockPage, "IU" }),
				billing(func(h *model.Holder) { h.Ours = true }), billing(func(h *model.Holder) { h.Waiting = true }),
			}})), nil, "", nil,
		},
		"locked before it is judged by its lease": {asked(leased(-time.Hour), locked(model.Locks{Skipped: model.NumberOf(1)})), []string{WhyLocked, WhyExpired}, "its row is locked by another session: claims pass over it", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := Why(c.facts)
			var kinds []string
			for _, r := range w.Reasons {
				kinds = append(kinds, r.Kind)
			}
			if !slices.Equal(kinds, c.kinds) {
				t.Fatalf("reasons %v, want %v", kinds, c.kinds)
			}
			if len(w.Reasons) == 0 {
				return
			}
			r := w.Reasons[0]
			if r.Text != c.first {
				t.Errorf("it says %q, want %q", r.Text, c.first)
			}
			all := strings.Join(append(slices.Clone(r.Evidence), r.Cure), "\n")
			for _, word := range c.words {
				if !strings.Contains(all, word) {
					t.Errorf("no %q in\n%s", word, all)
				}
			}
			if strings.Contains(all, "session 7 ") {
				t.Errorf("a session that is in nobody's way is named:\n%s", all)
			}
		})
	}
}

// TestWhyNotKnown holds that what could not be found out is said, once.
func TestWhyNotKnown(t *testing.T) {
	none := &model.Fault{Class: model.FaultReshaped, Op: "locked", Text: "the engine has no row locks"}
	for name, c := range map[string]struct {
		facts WhyFacts
		want  []string
	}{
		"the row could not be read": {WhyFacts{Key: key(10421), Err: errors.New("no connection")}, []string{"the job could not be read: no connection"}},
		"an engine without locks":   {asked(job(model.Ready, nil), func(f *WhyFacts) { f.Locks.RowErr, f.Locks.HoldErr = none, none }), []string{"locks: the engine has no row locks"}},
		"a row that tells of its lock": {
			asked(job(model.Ready, func(j *model.Job) { j.Copies, j.Locked = model.NumberOf(1), model.NumberOf(0) }), func(f *WhyFacts) { f.Locks.RowErr, f.Locks.HoldErr = none, none }), nil,
		},
		"no right to see sessions": {
			asked(job(model.Ready, nil), func(f *WhyFacts) {
				f.Locks.HoldErr = &model.Fault{Text: "denied", Code: 300, Cure: "ask for the right"}
			}),
			[]string{"who holds locks: denied (error 300): ask for the right"},
		},
		"the list of ready jobs did not come": {asked(job(model.Ready, nil), func(f *WhyFacts) { f.ReadyErr = errors.New("raced") }), []string{"how many jobs come first: raced"}},
		"a done job needs nothing":            {asked(job(model.Done, nil), func(f *WhyFacts) { f.Locks.RowErr = none }), nil},
		"no poll came yet":                    {WhyFacts{Key: key(10421), Job: job(model.Ready, nil), At: epoch}, nil},
	} {
		if w := Why(c.facts); !slices.Equal(w.Unknown, c.want) {
			t.Errorf("%s: %q, want %q", name, w.Unknown, c.want)
		}
	}
}
