package actions

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/model"
)

// cutOff is a fault of the line: unsure when the statement may have arrived.
func cutOff(unsure bool) error {
	return &model.Fault{Class: model.FaultNetwork, Text: "connection reset", Unsure: unsure}
}

// TestRunOf412 is the design's own case: 412 are taken, three workers come back, 20
// more leases run out meanwhile.
func TestRunOf412(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newShelf(412), &file{}
		d := bulkDesk(s, f, Target{})
		set := Freeze("orders", model.Reclaim, s.list(), time.Now(), "marked")
		time.Sleep(time.Second)
		for i := range 3 {
			s.renew(100 * i)
		}
		for i := range 20 {
			s.put(expired(412 + i))
		}
		if m := set.Since(model.Page{View: model.ViewWorking, Jobs: s.list()}, time.Now()); m != (Moved{Same: 409, Renewed: 3}) {
			t.Errorf("since then: %+v", m)
		}
		p, err := d.Preview(t.Context(), set)
		if err != nil || p.Total != 412 || p.Fit != 412 || !p.Refusal.OK || p.First.Intent.Key != set.Rows[0].Key {
			t.Fatalf("preview %+v, %v", p, err)
		}
		began := time.Now()
		var most int
		r := d.Run(t.Context(), set, RunOptions{Progress: func(p Progress) { most = max(most, p.Tally.Total()) }})
		if r.Tally != (Tally{Applied: 409, Changed: 3}) || r.Left != 0 || r.Stopped != "" || !r.Finished() || most != 412 {
			t.Errorf("%s, %d left, stopped %q, progress to %d", r.Tally, r.Left, r.Stopped, most)
		}
		if len(r.NotApplied) != 3 || !strings.Contains(r.NotApplied[0].Message, "lease still runs") {
			t.Errorf("not applied: %+v", r.NotApplied)
		}
		if took := time.Since(began); took != 41*time.Second { // 41 whole batches of ten, ten a second
			t.Errorf("it took %s", took)
		}
		untouched := 0
		for _, j := range s.list()[412:] {
			if j.State == model.Working {
				untouched++
			}
		}
		if untouched != 20 || len(f.sent) != 412 || len(f.done) != 412 || len(f.ended) != 1 {
			t.Errorf("%d untouched; the record has %d sent, %d done", untouched, len(f.sent), len(f.done))
		}
	})
}

// TestRunEndsWithItsLastRow takes as many rows as a batch has: there is nothing behind
// them to keep the pace for.
func TestRunEndsWithItsLastRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newShelf(20), &file{}
		began := time.Now()
		r := bulkDesk(s, f, Target{}).Run(t.Context(), Freeze("orders", model.Reclaim, s.list(), began, "marked"), RunOptions{Pace: 0.01})
		if took := time.Since(began); r.Tally.Applied != 20 || took != 1000*time.Second {
			t.Errorf("%s after %s", r.Tally, took)
		}
	})
}

func TestRunStopsAfterTheRowInHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newShelf(50), &file{}
		d := bulkDesk(s, f, Target{})
		ctx, stop := context.WithCancel(t.Context())
		s.after = func(n int) error {
			if n == 17 {
				stop()
			}
			return nil
		}
		set := Freeze("orders", model.Reclaim, s.list(), time.Now(), "marked")
		r := d.Run(ctx, set, RunOptions{})
		if r.Tally != (Tally{Applied: 17}) || r.Left != 33 || r.Stopped != stopped || r.Finished() {
			t.Errorf("%s, %d left, stopped %q", r.Tally, r.Left, r.Stopped)
		}
		d.Wait(t.Context())
		s.after = nil
		r = d.Run(t.Context(), f.again(set), RunOptions{Record: f})
		if r.Tally != (Tally{Applied: 50}) || !r.Finished() || s.sends != 50 {
			t.Errorf("gone on with: %s, %d statements", r.Tally, s.sends)
		}
	})
}

// TestRunStopsByItself goes through what hits every row, and what hits one.
func TestRunStopsByItself(t *testing.T) {
	code := func(c model.FaultClass, n int) error { return &model.Fault{Class: c, Code: n, Text: "no"} }
	for name, tc := range map[string]struct {
		fault error
		once  bool // at the third row only
		want  Tally
		left  int
		says  string
	}{
		"the line is down":         {cutOff(false), false, Tally{Applied: 2}, 18, "cannot be reached"},
		"a right is missing":       {code(model.FaultDenied, 229), false, Tally{Applied: 2}, 18, "a right is missing"},
		"read-only":                {code(model.FaultReadOnly, 3906), false, Tally{Applied: 2}, 18, "takes no writes"},
		"the statement is refused": {code(model.FaultRefused, 102), false, Tally{Applied: 2}, 18, "refuses the statement"},
		"a trigger throws for all": {code(model.FaultOther, 50000), false, Tally{Applied: 2, Refused: 5}, 13, "5 rows one after the other"},
		"a trigger throws for one": {code(model.FaultOther, 50000), true, Tally{Applied: 19, Refused: 1}, 0, ""},
		"a row is locked":          {code(model.FaultRaced, 1222), true, Tally{Applied: 19, Refused: 1}, 0, ""},
		"all rows are locked":      {code(model.FaultRaced, 1222), false, Tally{Applied: 2, Refused: 18}, 0, ""},
		"a request is lost":        {cutOff(true), true, Tally{Applied: 2}, 18, "cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := newShelf(20), &file{}
				s.before = func(n int) error {
					if n == 3 || n > 3 && !tc.once {
						return tc.fault
					}
					return nil
				}
				set := Freeze("orders", model.Reclaim, s.list(), time.Now(), "marked")
				r := bulkDesk(s, f, Target{}).Run(t.Context(), set, RunOptions{Pace: -1})
				if r.Tally != tc.want || r.Left != tc.left || (r.Stopped == "") != (tc.says == "") || !strings.Contains(r.Stopped, tc.says) {
					t.Errorf("%s, %d left, stopped %q", r.Tally, r.Left, r.Stopped)
				}
			})
		})
	}
}

// TestRunStopsWhereItCannotBeRecorded has one line of the record fail, before a statement
// or behind it: the run stops there, whatever could be written later, and says of the row
// in hand what became of it.
func TestRunStopsWhereItCannotBeRecorded(t *testing.T) {
	for name, tc := range map[string]struct {
		torn int // the line that cannot be written; an act has two
		want Tally
	}{
		"before the third statement": {5, Tally{Applied: 2}},
		"behind it":                  {6, Tally{Applied: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := newShelf(20), &file{torn: tc.torn}
				set := Freeze("orders", model.Reclaim, s.list(), time.Now(), "marked")
				r := bulkDesk(s, f, Target{}).Run(t.Context(), set, RunOptions{Pace: -1})
				if r.Tally != tc.want || r.Left != 20-tc.want.Total() || !strings.Contains(r.Stopped, "can no longer be written: disk full") {
					t.Errorf("%s, %d left, stopped %q", r.Tally, r.Left, r.Stopped)
				}
				if f.lines != tc.torn {
					t.Errorf("%d lines were written, the last behind one that may be torn", f.lines)
				}
			})
		})
	}
}

// TestRunLosesTheServer loses a reply and then the server, before or after the
// statement took effect. The run stops with one row unknown, and a later one does
// the rest: none twice, none forgotten.
func TestRunLosesTheServer(t *testing.T) {
	for name, late := range map[string]bool{"before the statement": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := newShelf(30), &file{}
				cut := func(n int) error {
					if n == 12 {
						s.read = func(model.Key) error { return cutOff(false) }
						return cutOff(true)
					}
					return nil
				}
				if s.before = cut; late {
					s.before, s.after = nil, cut
				}
				d := bulkDesk(s, f, Target{})
				set := Freeze("orders", model.Reclaim, s.list(), time.Now(), "marked")
				r := d.Run(t.Context(), set, RunOptions{})
				if r.Tally != (Tally{Applied: 11, Unknown: 1}) || r.Left != 18 || !strings.Contains(r.Stopped, "job 11") {
					t.Fatalf("%s, %d left, stopped %q", r.Tally, r.Left, r.Stopped)
				}
				s.read, s.before, s.after = nil, nil, nil
				r = d.Run(t.Context(), f.again(set), RunOptions{Record: f})
				if r.Tally != (Tally{Applied: 30}) || !r.Finished() {
					t.Errorf("gone on with: %s, %d left, stopped %q", r.Tally, r.Left, r.Stopped)
				}
				for k, n := range s.effects {
					if n != 1 {
						t.Errorf("job %s was changed %d times", k, n)
					}
				}
				if len(s.effects) != 30 {
					t.Errorf("%d of 30 jobs were changed", len(s.effects))
				}
			})
		})
	}
}

// TestRunStopsAtAStrangeRow lets a statement say that it took another row than was
// meant: no later look can tell what that was, so the run stops, and the receipt
// stays unknown when it is gone on with.
func TestRunStopsAtAStrangeRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newShelf(5), &file{}
		s.before = func(n int) error { s.stray = n == 2; return nil }
		d := bulkDesk(s, f, Target{})
		set := Freeze("orders", model.Reclaim, s.list(), time.Now(), "marked")
		r := d.Run(t.Context(), set, RunOptions{})
		if r.Tally != (Tally{Applied: 1, Unknown: 1}) || r.Left != 3 || !strings.Contains(r.Stopped, "job 1") || !strings.Contains(r.NotApplied[0].Message, "another row") {
			t.Fatalf("%s, %d left, stopped %q, %+v", r.Tally, r.Left, r.Stopped, r.NotApplied)
		}
		for i := range f.done {
			f.done[i].Fault = &model.Fault{Class: model.FaultNetwork} // whatever a record keeps of it
		}
		r = d.Run(t.Context(), f.again(set), RunOptions{Record: f})
		if r.Tally != (Tally{Applied: 4, Unknown: 1}) || r.Left != 0 || r.Stopped != "" || s.sends != 5 {
			t.Errorf("gone on with: %s, %d left, stopped %q after %d statements", r.Tally, r.Left, r.Stopped, s.sends)
		}
	})
}

// TestRunSendsNothingUnasked holds what must be given before a set is carried out.
func TestRunSendsNothingUnasked(t *testing.T) {
	prod := Target{Production: true}
	for name, tc := range map[string]struct {
		target Target
		action model.Action
		reason string
		typed  string
		full   int
		says   string
	}{
		"in production without the name":    {prod, model.Reclaim, "hung", "", 0, "type orders"},
		"in production with another":        {prod, model.Reclaim, "hung", "order", 0, "type orders"},
		"in production without a reason":    {prod, model.Reclaim, "", "orders", 0, "reason"},
		"a dead letter without a reason":    {Target{}, model.DeadLetter, "", "", 0, "reason"},
		"where statements are only printed": {Target{PrintOnly: true}, model.Reclaim, "", "", 0, "only printed"},
		"a full disk":                       {Target{}, model.Reclaim, "", "", 1, "disk full"},
	} {
		s, f := newShelf(3), &file{full: tc.full}
		if tc.full > 0 {
			f.sent = make([]model.Plan, tc.full)
		}
		set := Freeze("orders", tc.action, s.list(), time.Now(), "marked")
		set.Reason = tc.reason
		r := bulkDesk(s, f, tc.target).Run(t.Context(), set, RunOptions{Typed: tc.typed})
		if s.sends != 0 || r.Left != 3 || !strings.Contains(r.Stopped, tc.says) {
			t.Errorf("%s: %d sent, %d left, stopped %q", name, s.sends, r.Left, r.Stopped)
		}
	}
	s := newShelf(3)
	d := New(map[string]Target{"orders": {Store: s, Control: true}}, &file{}, "ops")
	if r := d.Run(t.Context(), Freeze("orders", model.Reclaim, s.list(), time.Now(), ""), RunOptions{}); s.sends != 0 || r.Left != 3 {
		t.Errorf("without a place for receipts: %+v", r)
	}
}

// TestRunOfAList looks each job up at its turn and judges those that are not what
// the list says.
func TestRunOfAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newShelf(4), &file{}
		s.renew(1)
		set := Set{Queue: "orders", Action: model.Reclaim}
		for _, j := range s.list() {
			set.Rows = append(set.Rows, Row{Key: j.Key, Token: j.Token})
		}
		set.Rows[2].Token = set.Rows[3].Token
		set.Rows = append(set.Rows, Row{Key: model.KeyOf(model.IntValue(99)), Token: set.Rows[0].Token})
		r := bulkDesk(s, f, Target{}).Run(t.Context(), set, RunOptions{})
		if r.Tally != (Tally{Applied: 2, Changed: 1, Gone: 1, Refused: 1}) || r.Stopped != "" {
			t.Errorf("%s, stopped %q: %+v", r.Tally, r.Stopped, r.NotApplied)
		}
	})
}

// TestRunWaitsOutAMassExpiry holds that a bulk reclaim gives the workers one full
// lease to come back, says why, and that force does not wait.
func TestRunWaitsOutAMassExpiry(t *testing.T) {
	for a, want := range map[model.Action]time.Duration{model.Reclaim: 50 * time.Second, model.Force: 0} {
		synctest.Test(t, func(t *testing.T) {
			s, f := newShelf(0), &file{}
			for i := range 12 {
				j := expired(i)
				j.Lease = instant(time.Now().Add(-10 * time.Second))
				s.put(j)
			}
			d := bulkDesk(s, f, Target{})
			d.KeepRuns(f, func(context.Context, string) (string, time.Duration, error) {
				why, wait := Mass(s.list(), 0, time.Now(), time.Minute)
				return why, wait, nil
			})
			set := Freeze("orders", a, s.list(), time.Now(), "marked")
			began, said := time.Now(), ""
			r := d.Run(t.Context(), set, RunOptions{Pace: -1, Progress: func(p Progress) {
				if p.Waiting != "" {
					said = p.Waiting
				}
			}})
			if took := time.Since(began); took < want || took > want+2*time.Second || (said == "") != (want == 0) {
				t.Errorf("%s: it took %s and said %q", a, took, said)
			}
			if r.Tally.Applied != 12 {
				t.Errorf("%s: %s", a, r.Tally)
			}
		})
	}
}
