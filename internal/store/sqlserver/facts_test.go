package sqlserver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

var serverNow = time.Date(2026, 3, 1, 12, 0, 0, 123456700, time.UTC)

// row is one row of an answer by column name.
func row(values map[string]any) tdstest.Set {
	set, _ := one(values)[0].(tdstest.Set)
	return set
}

// unpacked compares keys and tokens, whose fields are their own.
var unpacked = cmp.AllowUnexported(model.Key{}, model.Token{})

func instant(s string) model.Instant {
	at, err := Dialect{}.Instant(model.TimeValue(s))
	if err != nil {
		panic(err)
	}
	return model.Instant{At: at, Raw: model.TimeValue(s)}
}

func changed() map[string]any {
	return map[string]any{
		"key": 10421, "old_state": "W", "new_state": "R", "old_token": tokenA, "new_token": tokenB,
		"old_lease": "2026-03-01T11:58:00", "new_lease": nil, "attempts": 3, "worker": "pick-07",
	}
}

func theChange() model.Change {
	return model.Change{
		Key: key(), OldState: model.Working, NewState: model.Ready, OldToken: token(), NewToken: model.TokenOf(model.GUIDValue(tokenB)),
		OldLease: instant("2026-03-01T11:58:00"), Attempts: model.NumberOf(3), Worker: "pick-07", At: serverNow,
	}
}

// TestAnActReturnsWhatItCaptured holds the facts of which a receipt is made.
func TestAnActReturnsWhatItCaptured(t *testing.T) {
	trigger := tdstest.Rows([]string{"audited"}, []any{1})
	tests := map[string]struct {
		reply tdstest.Reply
		want  []model.Change
	}{
		"one row":                           {tdstest.Reply{row(changed())}, []model.Change{theChange()}},
		"no row":                            {tdstest.Reply{nothing()}, nil},
		"a trigger's rows come first":       {tdstest.Reply{tdstest.Count(2), trigger, row(changed())}, []model.Change{theChange()}},
		"a trigger's rows, and no change":   {tdstest.Reply{trigger, nothing()}, nil},
		"counts of a trigger prove nothing": {tdstest.Reply{tdstest.Count(1), tdstest.Count(2), nothing()}, nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, facts{after: true}, always(tc.reply...))
				got, at, err := w.q.Apply(t.Context(), in(model.Reclaim))
				if err != nil || !at.Equal(serverNow) {
					t.Fatalf("%v, %v", at, err)
				}
				if d := cmp.Diff(tc.want, got, unpacked); d != "" {
					t.Error(d)
				}
			})
		})
	}
}

func TestAnAnswerWithoutATimeIsNotBelieved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{}, always(tdstest.Rows([]string{"audited"}, []any{1})))
		changes, _, err := w.q.Apply(t.Context(), in(model.Reclaim))
		if f := faultOf(t, err); len(changes) != 0 || f.Class != model.FaultReshaped {
			t.Errorf("%v, %+v", changes, f)
		}
	})
}

// TestAClaimReturnsItsRows holds what a worker is given.
func TestAClaimReturnsItsRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		values := map[string]any{
			"key": 10421, "token": tokenA, "lease": "2026-03-01T12:05:00.123", "attempts": 1, "max_attempts": 5,
			"operation": tokenB, "payload": "{\"order\": 7}\x1b[31m",
		}
		w := probed(t, facts{}, always(row(values)))
		got, err := w.q.Claim(t.Context(), tokenA, "pick-07", 1, 5*time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		want := []model.Claim{{
			Key: key(), Token: token(), Payload: "{\"order\": 7}\x1b[31m", Operation: tokenB,
			Attempts: model.NumberOf(1), MaxAttempts: model.NumberOf(5), Lease: instant("2026-03-01T12:05:00.123"), Granted: 5 * time.Minute,
		}}
		if d := cmp.Diff(want, got, unpacked); d != "" {
			t.Error(d)
		}
	})
}

// TestAPulseIsRead holds the figures and how far they are to be trusted.
func TestAPulseIsRead(t *testing.T) {
	values := map[string]any{
		"scheduled": 40, "ready": 10_001, "working": 32, "expired": 3, "corrupt": 0, "failed": 7, "rows": 60_000,
		"enqueued": 60_100, "completed": 22, "worst_key": 10388, "worst_lease": "2026-03-01T11:58:00.1234567",
		"key": 10400, "priority": 5, "available": "2026-03-01T11:56:00.1234567", "epoch": "42/2026-01-01T00:00:00",
	}
	for name, f := range map[string]facts{"row versions": {}, "none": {noRCSI: true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, f, always(row(values)))
				got, _, err := w.q.Pulse(t.Context(), model.PulseAsk{Since: serverNow.Add(-2 * time.Second)})
				if err != nil {
					t.Fatal(err)
				}
				trust := model.Exact
				if f.noRCSI {
					trust = model.AtLeast
				}
				oldest := model.Oldest{Key: model.KeyOf(model.IntValue(10400)), Priority: model.NumberOf(5), Waiting: model.Age{D: 4 * time.Minute, Trust: model.Exact}}
				want := model.Pulse{
					Scheduled: model.Count{N: 40, Trust: trust}, Ready: model.Count{N: 10_000, Trust: model.Capped},
					Working: model.Count{N: 32, Trust: trust}, Expired: model.Count{N: 3, Trust: trust}, Corrupt: model.Count{N: 0, Trust: trust},
					Failed: model.Count{N: 7, Trust: trust}, Oldest: &oldest, ByPriority: []model.Oldest{oldest},
					WorstOverdue: model.Age{D: 2 * time.Minute, Trust: model.Exact}, WorstKey: model.KeyOf(model.IntValue(10388)),
					Enqueued:  model.Counter{Count: model.Count{N: 60_100, Trust: model.Estimated}, Epoch: "42/2026-01-01T00:00:00"},
					Completed: model.Flow{Count: model.Count{N: 22, Trust: model.Exact}, Over: 2 * time.Second},
				}
				if d := cmp.Diff(want, got, unpacked); d != "" {
					t.Error(d)
				}
			})
		})
	}
}

// TestAPayloadIsCutByTheServer holds that two bytes a character are no reason to
// say that something is missing.
func TestAPayloadIsCutByTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		whole := tdstest.Reply{row(map[string]any{"payload": "abc", "bytes": 6, "cut": 0})}
		part := tdstest.Reply{row(map[string]any{"payload": "漢漢", "bytes": 6, "cut": 1})}
		w := probed(t, facts{}, inTurn(whole, part))
		for _, want := range []model.Payload{
			{Text: "abc", Bytes: model.NumberOf(6)}, {Text: "漢漢", Bytes: model.NumberOf(6), Cut: true},
		} {
			if got, err := w.q.Payload(t.Context(), key(), 100); err != nil || got != want {
				t.Errorf("%+v, %v, want %+v", got, err, want)
			}
		}
	})
}

func TestInstant(t *testing.T) {
	tests := map[string]time.Time{
		"2026-03-01T12:00:00":               time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		"2026-03-01T12:00:00.003":           time.Date(2026, 3, 1, 12, 0, 0, 3e6, time.UTC),
		"2026-03-01 12:00:00.1234567":       time.Date(2026, 3, 1, 12, 0, 0, 123456700, time.UTC),
		"2026-03-01T12:00:00.1234567+02:00": time.Date(2026, 3, 1, 10, 0, 0, 123456700, time.UTC),
		"2026-03-01":                        time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
		"9999-12-31T23:59:59.9999999":       time.Date(9999, 12, 31, 23, 59, 59, 999999900, time.UTC),
		"0001-01-01T00:00:00":               {},
	}
	for s, want := range tests {
		if got, err := (Dialect{}).Instant(model.TimeValue(s)); err != nil || !got.Equal(want) {
			t.Errorf("%s = %v, %v, want %v", s, got, err, want)
		}
	}
	if got, err := (Dialect{}).Instant(model.Value{}); err != nil || !got.IsZero() {
		t.Errorf("NULL = %v, %v", got, err)
	}
	if _, err := (Dialect{}).Instant(model.TimeValue("Mar  1 2026 12:00PM")); err == nil {
		t.Error("a time in the login's language was read")
	}
}
