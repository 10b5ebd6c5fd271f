package actions_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// mute carries an act out, or loses it before it arrives, and never answers.
type mute struct {
	*store.Queue
	deaf bool
}

func (m mute) Apply(ctx context.Context, i model.Intent) ([]model.Change, time.Time, error) {
	if !m.deaf {
		if _, _, err := m.Queue.Apply(ctx, i); err != nil {
			return nil, time.Time{}, err
		}
	}
	return nil, time.Time{}, &model.Fault{Class: model.FaultNetwork, Text: "cut", Unsure: true}
}

// TestAPurgedHistoryProvesNothing cuts the reply of an act, lets the job move on and
// looks the act up days later. While the history reaches back to before it, it tells
// what became of it; once it was purged, nobody knows and nobody claims to.
func TestAPurgedHistoryProvesNothing(t *testing.T) {
	const unknown = model.OutcomeUnknown
	for name, tc := range map[string]struct {
		deaf  bool          // the statement never arrived
		purge time.Duration // events older than this went; 0: none
		gone  bool          // the row was removed too
		want  model.Outcome
	}{
		"applied, the history is whole":         {want: model.Applied},
		"applied, gone, the history is whole":   {gone: true, want: model.Applied},
		"lost, the history is whole":            {deaf: true, want: model.Changed},
		"lost, gone, the history is whole":      {deaf: true, gone: true, want: model.Gone},
		"lost, purged to before the act":        {deaf: true, purge: 3*24*time.Hour + 2*time.Hour, want: model.Changed},
		"applied, purged":                       {purge: time.Hour, want: unknown},
		"lost, purged":                          {deaf: true, purge: time.Hour, want: unknown},
		"applied, gone, purged a moment behind": {purge: 3*24*time.Hour - time.Hour, gone: true, want: unknown},
		"lost, gone, purged to a moment behind": {deaf: true, purge: 3*24*time.Hour - time.Hour, gone: true, want: unknown},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := leaseQueue(t)
				ctx := t.Context()
				work := func(complete bool) (model.Key, model.Token) {
					t.Helper()
					claims, err := q.Claim(ctx, "6F9619FF-8B86-D011-B42D-00C04FC964FF", "pick-07", 1, time.Minute)
					if err != nil || len(claims) != 1 {
						t.Fatal(claims, err)
					}
					if complete {
						if _, err := q.Complete(ctx, claims[0].Key, claims[0].Token); err != nil {
							t.Fatal(err)
						}
					}
					return claims[0].Key, claims[0].Token
				}
				enqueue := func() {
					t.Helper()
					if _, err := q.Enqueue(ctx, []model.NewJob{{Payload: "{}"}}); err != nil {
						t.Fatal(err)
					}
				}
				enqueue()
				work(true) // where the history begins
				time.Sleep(24 * time.Hour)
				enqueue()
				key, token := work(false)
				enqueue()
				work(true)
				time.Sleep(time.Hour)
				desk := actions.New(map[string]actions.Target{"orders": {Store: mute{q, tc.deaf}, Control: true}}, memory{}, "ops")
				seen, at, err := q.Inspect(ctx, key)
				if err != nil {
					t.Fatal(err)
				}
				p, err := desk.Plan(ctx, "orders", actions.Ask{Action: model.Reclaim, Row: seen, At: at})
				if err != nil {
					t.Fatal(err)
				}
				lost := desk.Apply(ctx, p, "")
				if tc.deaf && lost.Over() {
					t.Fatalf("at once: %s: %s", lost.Outcome, lost.Message)
				}
				lost.Outcome, lost.Final = unknown, false // a session that was killed had not read it

				time.Sleep(time.Hour)
				if tc.deaf { // the worker was alive
					if _, err := q.Complete(ctx, key, token); err != nil {
						t.Fatal(err)
					}
				} else {
					work(true)
				}
				time.Sleep(3*24*time.Hour - time.Hour)
				remove := func(op store.Op, age time.Duration) {
					t.Helper()
					if _, err := q.Purge(ctx, store.PurgeAsk{Op: op, Until: time.Now().Add(-age), N: 100}); err != nil {
						t.Fatal(err)
					}
				}
				if tc.purge > 0 {
					remove(store.OpPurgeHistory, tc.purge)
				}
				if tc.gone {
					remove(store.OpPurgeDone, time.Hour)
				}
				got := desk.Resolve(ctx, lost)
				if got.Outcome != tc.want || got.Final != (tc.want == unknown) {
					t.Errorf("%s, final %v: %s; want %s", got.Outcome, got.Final, got.Message, tc.want)
				}
			})
		})
	}
}
