package sqlserver

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// brakeCalls are the brake and its release.
func brakeCalls() []call {
	act := func(a model.Action) func(context.Context, *store.Queue) error {
		return func(ctx context.Context, q *store.Queue) error {
			_, _, _, err := q.ApplyBrake(ctx, in(a))
			return err
		}
	}
	return []call{
		{store.OpBrakeState, "brake-state.committed", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Brake(ctx)
			return err
		}, nil},
		{store.OpBrake, "", act(model.PutBrake), []tdstest.Param{theAction, theActor, theReason}},
		{store.OpReleaseBrake, "", act(model.FreeBrake), []tdstest.Param{theAction, theActor, theReason}},
	}
}

// TestABrakeThatCannotBeReadIsNoneThatIsOff holds what a probe makes of a missing
// brake and of one that this login may not read: claims of the second keep asking
// for it, since they would go on under a brake otherwise.
func TestABrakeThatCannotBeReadIsNoneThatIsOff(t *testing.T) {
	for name, tc := range map[string]struct {
		number     int
		why        string
		read, work bool // the claim reads the brake; it may be sent
	}{
		"there":   {0, "", true, true},
		"missing": {208, "there is no table dbo.QueueDemo_Control", false, true},
		"denied":  {229, "SELECT on dbo.QueueDemo_Control is missing", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, facts{noBrake: tc.number}, always(nothing()))
				caps, _ := w.q.Caps()
				v := caps.Allows(model.CanBrake)
				if v.OK != (tc.why == "") || !strings.Contains(v.Why, tc.why) {
					t.Errorf("brake: %+v, want %q", v, tc.why)
				}
				if caps.Allows(model.CanWork).OK != tc.work {
					t.Errorf("work: %+v", caps.Allows(model.CanWork))
				}
				if _, _, err := w.q.Pulse(t.Context(), model.PulseAsk{}); err != nil {
					t.Fatal(err)
				}
				if _, err := w.q.Claim(t.Context(), tokenA, "pick-07", 1, time.Minute); err != nil {
					t.Fatal(err)
				}
				sent := w.sent(t)
				if n := len(sent); n < 2 {
					t.Fatalf("%d statements were sent", n)
				}
				pulse, claim := sent[len(sent)-2].Text, sent[len(sent)-1].Text
				if got := strings.Contains(claim, "_Control] AS b WITH (REPEATABLEREAD, ROWLOCK)"); got != tc.read {
					t.Errorf("the claim reads the brake: %v, want %v", got, tc.read)
				}
				if got := strings.Contains(pulse, "_Control]"); got != (tc.why == "") {
					t.Errorf("the pulse reads the brake: %v", got)
				}
			})
		})
	}
}

// babelMissing is the number that Babelfish gives a relation which is not there,
// where it has no number of SQL Server's for it.
const babelMissing = foreignNumber

// TestAnUnknownErrorIsNoMissingBrake holds that only Babelfish's own number means
// that there is no brake: on SQL Server an error that nobody knows must not lead to
// claims which read none.
func TestAnUnknownErrorIsNoMissingBrake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{babelfish: "4.3.0", noBrake: babelMissing}, always(nothing()))
		caps, _ := w.q.Caps()
		if v := caps.Allows(model.CanBrake); v.OK || !strings.Contains(v.Why, "there is no table dbo.QueueDemo_Control") {
			t.Errorf("brake on Babelfish: %+v", v)
		}
		if _, _, err := w.q.Pulse(t.Context(), model.PulseAsk{}); err != nil {
			t.Errorf("no pulse without a brake: %v", err)
		}
		if _, err := w.q.Enqueue(t.Context(), []model.NewJob{{Payload: "{}"}}); err != nil {
			t.Errorf("no job without a brake: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := dial(t, facts{noBrake: babelMissing}, always(nothing()))
		if _, err := w.q.Probe(t.Context()); faultOf(t, err).Code != babelMissing {
			t.Errorf("the probe on SQL Server: %v", err)
		}
	})
}

// TestAWorkerLooksForANewBrake holds that a worker whose table had no brake finds
// out within a minute that it was given one.
func TestAWorkerLooksForANewBrake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		there := false
		f := facts{noBrake: 208}
		w := serve(t, f, func(r tdstest.Request) tdstest.Reply {
			now := f
			if there {
				now.noBrake = 0
			}
			if a, ok := now.answer(t, r); ok {
				return a
			}
			return tdstest.Reply{nothing()}
		})
		reads := func() bool {
			if _, err := w.q.Claim(t.Context(), tokenA, "pick-07", 1, time.Minute); err != nil {
				t.Fatal(err)
			}
			all := w.Requests()
			return strings.Contains(all[len(all)-1].Text, "_Control]")
		}
		if reads() {
			t.Error("a claim reads a brake that is not there")
		}
		there = true
		time.Sleep(store.LookAnew + time.Second)
		if !reads() {
			t.Error("a minute later the claim does not read the new brake")
		}
	})
}
