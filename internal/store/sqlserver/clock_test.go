package sqlserver

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// clocks are the shipped mapping in each clock but UTC.
func clocks(t *testing.T) map[string]*model.Mapping {
	t.Helper()
	local, fixed := mapping(t, profile.Lease), mapping(t, profile.Lease)
	local.Clock = model.ClockLocal
	fixed.Clock, fixed.Ahead = model.ClockFixed, -(3*time.Hour + 30*time.Minute)
	return map[string]*model.Mapping{"local": local, "fixed": fixed}
}

// clockGoldens are some statements of a table in another clock, for reading.
func clockGoldens(t *testing.T) []golden {
	t.Helper()
	var out []golden
	for name, m := range clocks(t) {
		for op, form := range map[store.Op]string{
			store.OpPulse: "rcsi", store.OpInspect: "committed", store.OpClaim: "", store.OpExtend: "", store.OpReclaim: "",
			store.OpEnqueue: "", store.OpLatency: "rcsi", store.OpRecover: "", store.OpBrake: "", store.OpPurgeDone: "",
		} {
			s, err := Dialect{}.Statement(op, m, &model.Caps{Engine: Engine, Form: map[string]string{string(op): form}})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, golden{filepath.Join(profile.Lease+"-"+name, string(op)+".sql"), op, form, s})
		}
	}
	return out
}

// TestEveryStatementIsInTheClockOfItsTable holds that no statement of a table in
// another clock compares with UTC, that each says how far from UTC its times are, and
// that nothing else in it has changed.
func TestEveryStatementIsInTheClockOfItsTable(t *testing.T) {
	for name, m := range clocks(t) {
		utc := mapping(t, profile.Lease)
		now := map[string]string{"local": "SYSDATETIME()", "fixed": "DATEADD(minute, -210, SYSUTCDATETIME())"}[name]
		ahead := map[string]string{"local": "DATEPART(tzoffset, SYSDATETIMEOFFSET())", "fixed": "-210"}[name]
		for _, spec := range store.Specs() {
			c := &model.Caps{Engine: Engine, Form: map[string]string{string(spec.Op): formsOf(spec.Op)[0]}}
			s, err := Dialect{}.Statement(spec.Op, m, c)
			if err != nil {
				if spec.Op != store.OpPurgeKeys { // which the shipped table cannot have
					t.Errorf("%s: %v", spec.Op, err)
				}
				continue
			}
			for _, p := range s.Params {
				if p.Declared == asTime && !strings.Contains(s.Texts[0], "DATEADD(minute, "+ahead+", CONVERT(datetime2(3), @"+p.Name+", 126))") {
					t.Errorf("%s compares @%s in UTC with the table's times", spec.Op, p.Name)
				}
			}
			was, err := Dialect{}.Statement(spec.Op, utc, c)
			if err != nil {
				t.Fatal(err)
			}
			want := was.Texts[0]
			if !timeless(spec.Op) {
				want = strings.NewReplacer(utcNow, now, answered, "CONVERT(varchar(33), TODATETIMEOFFSET(n.[now], "+ahead+"), 126) AS [now]",
					"CONVERT(datetime2(3), @since, 126)", "DATEADD(minute, "+ahead+", CONVERT(datetime2(3), @since, 126))",
					"CONVERT(datetime2(3), @until, 126)", "DATEADD(minute, "+ahead+", CONVERT(datetime2(3), @until, 126))").Replace(want)
				if want == was.Texts[0] || !strings.Contains(want, "TODATETIMEOFFSET") {
					t.Errorf("%s says nothing of its clock:\n%s", spec.Op, want)
				}
			}
			if d := cmp.Diff(want, s.Texts[0]); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", name, spec.Op, d)
			}
		}
	}
}

// answerAt is an answer whose time is the server's in the table's clock.
func answerAt(now string, values map[string]any) tdstest.Reply {
	columns, cells := []string{"now"}, []any{now}
	for _, name := range sortedKeys(values) {
		columns, cells = append(columns, name), append(cells, values[name])
	}
	return tdstest.Reply{tdstest.Rows(columns, cells)}
}

// TestTimesOfAnotherClockAreShownInUTC holds what is made of times that the server
// gives in another clock.
func TestTimesOfAnotherClockAreShownInUTC(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		claimed := answerAt("2026-03-01T14:00:00.1234567+02:00", map[string]any{
			"key": 10421, "token": tokenA, "lease": "2026-03-01T14:05:00.123", "attempts": 1, "payload": "{}",
		})
		w := dial(t, facts{}, always(claimed...))
		m := *mapping(t, profile.Lease)
		m.Clock = model.ClockLocal
		q := w.db.Queue(m)
		got, err := q.Claim(t.Context(), tokenA, "pick-07", 1, 5*time.Minute)
		if err != nil || len(got) != 1 {
			t.Fatalf("%v, %v", got, err)
		}
		want := model.Instant{At: time.Date(2026, 3, 1, 12, 5, 0, 123e6, time.UTC), Raw: model.TimeValue("2026-03-01T14:05:00.123")}
		if d := cmp.Diff(want, got[0].Lease); d != "" {
			t.Error(d)
		}
		caps, _ := q.Caps()
		if notes := strings.Join(caps.Notes, "\n"); !strings.Contains(notes, "ambiguous") {
			t.Errorf("the notes say nothing of summer time: %q", notes)
		}
	})
}

// TestTimesAtTheEndsOfAnotherClock holds that "never" and "always" stay what they are.
func TestTimesAtTheEndsOfAnotherClock(t *testing.T) {
	for lease, want := range map[string]time.Time{
		"0001-01-01T00:00:00":         {},
		"9999-12-31T23:59:59.9999999": time.Date(9999, 12, 31, 21, 59, 59, 999999900, time.UTC),
	} {
		synctest.Test(t, func(t *testing.T) {
			w := dial(t, facts{}, always(answerAt("2026-03-01T14:00:00+02:00", map[string]any{
				"key": 10421, "state": "W", "token": tokenA, "lease": lease,
			})...))
			m := *mapping(t, profile.Lease)
			m.Clock = model.ClockLocal
			j, at, err := w.db.Queue(m).Inspect(t.Context(), key())
			if err != nil || !at.Equal(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)) {
				t.Fatalf("at %v, %v", at, err)
			}
			if !j.Lease.At.Equal(want) || j.Lease.Raw.Text != lease {
				t.Errorf("%s is shown as %v", lease, j.Lease)
			}
		})
	}
}

// TestACarriedOffsetNeedsNoClock holds that a column which says its own offset is not
// moved twice.
func TestACarriedOffsetNeedsNoClock(t *testing.T) {
	m := mapping(t, profile.Lease)
	m.Clock = model.ClockLocal
	m.Columns[model.RoleLease] = model.Column{Name: "LeaseUntil", Type: model.Time, Declared: "datetimeoffset(3)"}
	err := (&prober{m: m}).clocked()
	if err == nil || !strings.Contains(err.Error(), "carries its own offset") {
		t.Errorf("%v", err)
	}
}
