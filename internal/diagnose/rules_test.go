package diagnose

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// with changes a snapshot.
func with(s *model.Snapshot, change func(*model.Snapshot)) *model.Snapshot {
	change(s)
	return s
}

func TestRulesOfOnePoll(t *testing.T) {
	caps := func(change func(*model.Caps)) *model.Snapshot {
		return with(poll(0, model.Pulse{}), func(s *model.Snapshot) { change(&s.Caps) })
	}
	cases := []struct {
		name     string
		kind     string
		s        *model.Snapshot
		severity model.Severity
		key      model.Key
		text     string // empty: no such finding
		cure     string
	}{
		{"one lease ran out", KindExpired, overdueBy(1, 4*time.Second), model.Warn, key(10421),
			"1 lease ran out; the worst is 10421, 4s overdue; its worker may still be running", "the next recovery takes it back"},
		{"several did, and the list says who holds the worst", KindExpired,
			listed(overdueBy(3, 0), row(10388, tokenA, "pick-02", -4*time.Second), row(10421, tokenB, "pick-07", -12*time.Second), row(1, tokenB, "", time.Minute)),
			model.Warn, key(10421), "2 leases ran out; the worst is 10421, 10s overdue; pick-07 may still be running", "the next recovery takes it back"},
		{"at least so many did", KindExpired, with(overdueBy(3, time.Second), func(s *model.Snapshot) { s.Pulse.Data.Expired.Trust = model.AtLeast }),
			model.Warn, key(10421), "≥ 3 leases ran out; the worst is 10421, 1s overdue; its worker may still be running", "the next recovery takes it back"},
		{"none did", KindExpired, overdueBy(0, 0), 0, model.Key{}, "", ""},
		{"nobody knows", KindExpired, poll(0, model.Pulse{}), 0, model.Key{}, "", ""},
		{"the list, which is newer, shows that none did", KindExpired, listed(overdueBy(1, time.Second), row(10421, tokenA, "", time.Second)), 0, model.Key{}, "", ""},

		{"the worst lies longer than recovery leaves it", KindNobodyRecovers, overdueBy(2, 14*time.Minute), model.Bad, key(10421),
			"nobody returns expired rows: the worst is 14m overdue", "`leasetop recover orders` takes them back"},
		{"an unfenced queue has no recovery of ours", KindNobodyRecovers, with(overdueBy(2, time.Hour), func(s *model.Snapshot) { s.Mapping.Family = model.Unfenced }),
			model.Bad, key(10421), "nobody returns expired rows: the worst is 1h overdue", ""},
		{"recovery may still come", KindNobodyRecovers, overdueBy(2, 45*time.Second), 0, model.Key{}, "", ""},
		{"the list shows that they are back", KindNobodyRecovers, listed(overdueBy(2, time.Hour), row(1, tokenA, "", time.Second)), 0, model.Key{}, "", ""},
		{"a long lease is given its time", KindNobodyRecovers, with(overdueBy(2, 5*time.Minute), func(s *model.Snapshot) { s.Mapping.Lease = time.Hour }), 0, model.Key{}, "", ""},

		{"a short lease by the rows' own claims", KindNobodyRecovers, listed(overdueBy(1, 0), granted(row(10421, tokenA, "", -8*time.Second), 10*time.Second)), model.Bad, key(10421),
			"nobody returns expired rows: the worst is 8s overdue", "`leasetop recover orders` takes them back"},
		{"a long lease by the rows' own claims", KindNobodyRecovers, listed(overdueBy(1, 0), granted(row(10421, tokenA, "", -time.Minute), 10*time.Second), granted(row(1, tokenA, "", time.Minute), time.Hour)),
			0, model.Key{}, "", ""},
		{"a lease too short to judge by", KindNobodyRecovers, listed(overdueBy(1, 0), granted(row(10421, tokenA, "", -3*time.Second), 100*time.Millisecond)), 0, model.Key{}, "", ""},

		{"a row without a token", KindCorrupt, listed(poll(0, model.Pulse{Corrupt: exact(1)}), row(7, tokenA, "", time.Minute), row(8, "", "", time.Minute)), model.Bad, key(8),
			"1 row is working without a token or a lease: nothing will ever end it", "make sure that nobody works on it, then set its state by hand"},
		{"rows of which only the number is known", KindCorrupt, poll(0, model.Pulse{Corrupt: model.Count{N: 10_000, Trust: model.Capped}}), model.Bad, model.Key{},
			"10k+ rows are working without a token or a lease: nothing will ever end them", "make sure that nobody works on them, then set their state by hand"},
		{"all rows are sound", KindCorrupt, listed(poll(0, model.Pulse{Corrupt: exact(0)}), row(7, tokenA, "", time.Minute)), 0, model.Key{}, "", ""},

		{"a clock ahead", KindClockSkew, caps(func(c *model.Caps) { c.Skew = 125 * time.Second }), model.Warn, model.Key{},
			"the server's clock is 2m00s ahead of ours", "ages and leases go by the server's; set the clock that is wrong"},
		{"a clock behind", KindClockSkew, caps(func(c *model.Caps) { c.Skew = -time.Hour }), model.Warn, model.Key{},
			"the server's clock is 1h behind ours", "ages and leases go by the server's; set the clock that is wrong"},
		{"clocks that differ by less than a second", KindClockSkew, caps(func(c *model.Caps) { c.Skew = -time.Second }), 0, model.Key{}, "", ""},

		{"no index", KindNoIndex, caps(func(c *model.Caps) {
			c.Can[model.CanCount] = model.No("no index leads on State: counting would read 12M rows", "make one")
		}), model.Warn, model.Key{}, "no index leads on State: counting would read 12M rows", "make one"},
		{"an index", KindNoIndex, caps(func(*model.Caps) {}), 0, model.Key{}, "", ""},
		{"not probed for an index", KindNoIndex, caps(func(c *model.Caps) { delete(c.Can, model.CanCount) }), 0, model.Key{}, "", ""},

		{"somebody insists", KindScan, caps(func(c *model.Caps) {
			c.Scan = model.Scan{On: true, Rows: model.NumberOf(2_500_000), Index: "CREATE INDEX it"}
		}), model.Normal, model.Key{}, "no index leads on the state, and --allow-scan insists: each look reads ~2.5M rows several times, at most every 1m30s", "CREATE INDEX it"},
		{"somebody insists where no metadata tells", KindScan, caps(func(c *model.Caps) { c.Scan = model.Scan{On: true} }), model.Normal, model.Key{},
			"no index leads on the state, and --allow-scan insists: each look reads a table whose size is not known several times, at most every 5m", ""},
		{"nobody insists", KindScan, caps(func(*model.Caps) {}), 0, model.Key{}, "", ""},

		{"control is off", KindControlOff, caps(func(c *model.Caps) {
			c.Can[model.CanControl] = model.No("UPDATE on dbo.Orders is missing", "ask for it")
		}), model.Normal, model.Key{}, "control is off: UPDATE on dbo.Orders is missing", "ask for it"},
		{"control is on", KindControlOff, caps(func(*model.Caps) {}), 0, model.Key{}, "", ""},
		{"not probed for control", KindControlOff, caps(func(c *model.Caps) { c.Can = nil }), 0, model.Key{}, "", ""},

		{"counts that miss locked rows", KindLowCounts, caps(func(c *model.Caps) { c.LowCounts = true }), model.Normal, model.Key{},
			"counts are at least: rows that are locked at the moment are not read", "the database's read committed snapshot, or snapshot isolation, makes them exact"},
		{"counts that miss nothing", KindLowCounts, caps(func(*model.Caps) {}), 0, model.Key{}, "", ""},

		{"never probed", KindLowCounts, caps(func(c *model.Caps) { *c = model.Caps{LowCounts: true} }), 0, model.Key{}, "", ""},
	}
	for _, c := range cases {
		t.Run(c.kind+"/"+c.name, func(t *testing.T) {
			New().Observe(c.s)
			got, found := find(t, c.s, c.kind)
			if found != (c.text != "") {
				t.Fatalf("found is %v: %+v", found, c.s.Findings)
			}
			want := model.Finding{Kind: c.kind, Severity: c.severity, Key: c.key, Text: c.text, Cure: c.cure}
			if found && got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// granted dates a row's last heartbeat by the lease that it gave.
func granted(j *model.Job, lease time.Duration) *model.Job {
	j.Claimed = model.Instant{At: j.Lease.At.Add(-24 * time.Hour), Raw: model.TimeValue("a time")}
	j.Beat = model.Instant{At: j.Lease.At.Add(-lease), Raw: model.TimeValue("a time")}
	return j
}

func TestWhatRowsWereGrantedIsRemembered(t *testing.T) {
	seen := listed(overdueBy(0, 0), granted(row(1, tokenA, "", time.Minute), 8*time.Second))
	if got := history(t, KindNobodyRecovers, poll(0, overdue(1, 7*time.Second)), with(seen, func(s *model.Snapshot) { s.Pulse.At = epoch.Add(time.Second); s.Page.At = s.Pulse.At }),
		poll(2*time.Second, overdue(1, 7*time.Second))); got != "..!" {
		t.Errorf("%s", got)
	}
}

func overdueBy(n int64, worst time.Duration) *model.Snapshot { return poll(0, overdue(n, worst)) }

func TestExpiredNamesNoRecoveryThatDoesNotCome(t *testing.T) {
	s := overdueBy(2, time.Hour)
	New().Observe(s)
	if f, _ := find(t, s, KindExpired); f.Cure != "" {
		t.Errorf("nobody recovers, and the cure is %q", f.Cure)
	}
}

func TestWorstFirst(t *testing.T) {
	s := overdueBy(2, time.Hour)
	s.Caps.LowCounts, s.Caps.Skew = true, time.Hour
	s.Pulse.Data.Corrupt = exact(1)
	s.Caps.Can = map[model.Feature]model.Verdict{model.CanControl: model.No("no", ""), model.CanCount: model.No("no", "")}
	New().Observe(s)
	var kinds []string
	for _, f := range s.Findings {
		kinds = append(kinds, f.Kind)
	}
	want := []string{KindNobodyRecovers, KindCorrupt, KindExpired, KindClockSkew, KindNoIndex, KindControlOff, KindLowCounts}
	if !slices.Equal(kinds, want) {
		t.Errorf("got  %v\nwant %v", kinds, want)
	}
}

// history shows a watcher polls in turn and gives, for each, whether there is a
// finding of the kind.
func history(t *testing.T, kind string, polls ...*model.Snapshot) string {
	w, out := New(), strings.Builder{}
	for _, s := range polls {
		w.Observe(s)
		if _, found := find(t, s, kind); found {
			out.WriteByte('!')
		} else {
			out.WriteByte('.')
		}
	}
	return out.String()
}

func TestFindingsAtTheirLimitDoNotFlap(t *testing.T) {
	var late, skewed []*model.Snapshot
	for i, d := range []time.Duration{40, 46, 44, 46, 44, 31, 46, 29, 44, 46} {
		late = append(late, poll(time.Duration(2*i)*time.Second, overdue(1, d*time.Second)))
	}
	if got, want := history(t, KindNobodyRecovers, late...), ".!!!!!!..!"; got != want {
		t.Errorf("nobody-recovers %s, want %s", got, want)
	}
	for i, d := range []time.Duration{900, 1100, 900, 1100, 600, -900, 400, 900, -1100} {
		s := poll(time.Duration(2*i)*time.Second, model.Pulse{})
		s.Caps.Skew = d * time.Millisecond
		skewed = append(skewed, s)
	}
	if got, want := history(t, KindClockSkew, skewed...), ".!!!!!..!"; got != want {
		t.Errorf("clock-skew %s, want %s", got, want)
	}
}

func TestFindingsStandWhilePollsFail(t *testing.T) {
	s := overdueBy(2, time.Hour)
	if got := history(t, KindNobodyRecovers, s, failed(s), failed(s), poll(6*time.Second, overdue(0, 0)), failed(s)); got != "!!!.." {
		t.Errorf("%s", got)
	}
	never := failed(&model.Snapshot{Queue: "orders"})
	New().Observe(never)
	if len(never.Findings) != 0 {
		t.Errorf("of a queue that never answered: %+v", never.Findings)
	}
	shut := poll(0, model.Pulse{})
	shut.Pulse = model.Part[model.Pulse]{Err: &model.Fault{Class: model.FaultReshaped}}
	shut.Caps.Can[model.CanCount] = model.No("no index leads on State", "make one")
	New().Observe(shut)
	if _, found := find(t, shut, KindNoIndex); !found {
		t.Error("where nothing can be counted for want of an index, the want is not told")
	}
}

func TestAgesInTextsDoNotChangeWithEveryPoll(t *testing.T) {
	w, texts := New(), map[string]bool{}
	for i := range 300 {
		s := poll(time.Duration(2*i)*time.Second, overdue(1, time.Hour+time.Duration(2*i)*time.Second))
		w.Observe(s)
		f, _ := find(t, s, KindNobodyRecovers)
		texts[f.Text] = true
	}
	if len(texts) > 2 {
		t.Errorf("over ten minutes the text changed %d times", len(texts)-1)
	}
}

func TestAnOldListIsNoEvidence(t *testing.T) {
	s := listed(overdueBy(1, time.Minute), row(10421, "", "pick-07", -time.Minute))
	s.Pulse.Data.Corrupt = exact(1)
	s.Page.At = s.Page.At.Add(-time.Second)
	New().Observe(s)
	if f, _ := find(t, s, KindExpired); !strings.Contains(f.Text, "its worker") {
		t.Errorf("who held the row before the figures were read is not who holds it: %q", f.Text)
	}
	if f, _ := find(t, s, KindCorrupt); !f.Key.IsZero() {
		t.Errorf("an old list names %v as the corrupt row", f.Key)
	}
	s = listed(overdueBy(1, time.Minute), row(10421, tokenA, "pick-07", -time.Minute))
	s.Page.Data.More = true // a part of the list is new all the same
	New().Observe(s)
	if f, _ := find(t, s, KindExpired); !strings.Contains(f.Text, "pick-07") {
		t.Errorf("%q does not name the worker", f.Text)
	}
}

// Whatever a snapshot holds, its findings are known kinds in their order, each at
// most once, with a text of one clean line.
func TestAnySnapshot(t *testing.T) {
	counts := rapid.Custom(func(t *rapid.T) model.Count {
		return model.Count{N: rapid.Int64Range(0, 10_000).Draw(t, "n"), Trust: model.Trust(rapid.IntRange(0, 4).Draw(t, "trust"))}
	})
	rapid.Check(t, func(rt *rapid.T) {
		w := New()
		at := time.Duration(0)
		for range rapid.IntRange(1, 20).Draw(rt, "polls") {
			at += time.Duration(rapid.IntRange(-1000, 200_000).Draw(rt, "ms")) * time.Millisecond
			s := poll(at, model.Pulse{
				Scheduled: counts.Draw(rt, "scheduled"), Ready: counts.Draw(rt, "ready"), Working: counts.Draw(rt, "working"),
				Expired: counts.Draw(rt, "expired"), Corrupt: counts.Draw(rt, "corrupt"),
				WorstOverdue: model.Age{D: time.Duration(rapid.Int64().Draw(rt, "worst")), Trust: model.Trust(rapid.IntRange(0, 4).Draw(rt, "trust"))},
				Enqueued:     model.Counter{Count: counts.Draw(rt, "enqueued")},
				Completed:    model.Flow{Count: counts.Draw(rt, "completed"), Over: time.Second},
			})
			s.Caps.Skew = time.Duration(rapid.Int64().Draw(rt, "skew"))
			if rapid.Bool().Draw(rt, "listed") {
				hostile := row(1, tokenA, rapid.String().Draw(rt, "worker"), at-time.Hour)
				hostile.Key = model.KeyOf(model.TextValue(rapid.String().Draw(rt, "key")))
				listed(s, row(rapid.Int64Range(1, 3).Draw(rt, "id"), tokenA, "w", at), row(4, "", "", at), hostile)
			}
			if rapid.IntRange(0, 3).Draw(rt, "luck") == 0 {
				s = failed(s)
			}
			w.Observe(s)
			rank, worst := -1, model.Bad
			for _, f := range s.Findings {
				i := slices.Index(Kinds(), f.Kind)
				if i < 0 || f.Severity > worst || f.Severity == worst && i <= rank {
					rt.Fatalf("out of order: %+v", s.Findings)
				}
				rank, worst = i, f.Severity
				if f.Text == "" || text.Clean(f.Text) != f.Text {
					rt.Fatalf("the text of %s is %q", f.Kind, f.Text)
				}
			}
		}
	})
}
