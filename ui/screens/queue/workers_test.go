package queue

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// TestCrewNotes holds that a worker is called silent only if nothing was heard of it.
func TestCrewNotes(t *testing.T) {
	n := func(n int64) model.Count { return model.Count{N: n, Trust: model.Exact} }
	for _, c := range []struct {
		leases, expired int64
		seen            time.Duration
		want            string
	}{
		{0, 0, 3 * time.Minute, "idle 3m00s"},
		{2, 0, time.Second, ""},
		{2, 1, time.Second, "alive, 1 lease ran out"},
		{2, 2, time.Minute, "alive, 2 leases ran out"},
		{2, 1, 9 * time.Minute, "silent 9m00s, may be alive"},
		{2, 0, 4 * time.Minute, "silent 4m00s, still leased"},
	} {
		w := &model.WorkerLine{Worker: "pick-01", Leases: n(c.leases), Expired: n(c.expired), Beat: fixture.At(-c.seen)}
		if got := crewNote(row{worker: w, now: fixture.Now(), mapping: fixture.Mapping()}).Text; got != c.want {
			t.Errorf("%d leases, %d expired, seen %v ago: %q, not %q", c.leases, c.expired, c.seen, got, c.want)
		}
	}
}

// TestWorkersKeepTheirPlaces holds that a worker has its place by its name and by
// whether one of its leases ran out, not by how many it holds at the moment.
func TestWorkersKeepTheirPlaces(t *testing.T) {
	n := func(n int64) model.Count { return model.Count{N: n, Trust: model.Exact} }
	order := func(lines ...model.WorkerLine) string {
		var out []string
		for _, r := range crew(&model.Page{Workers: lines}) {
			out = append(out, r.worker.Worker)
		}
		return strings.Join(out, " ")
	}
	line := func(name string, leases, expired int64) model.WorkerLine {
		return model.WorkerLine{Worker: name, Leases: n(leases), Expired: n(expired)}
	}
	const want = "d a b c "
	if got := order(line("d", 4, 1), line("c", 3, 0), line("b", 2, 0), line("a", 1, 0), line("", 1, 0)); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if got := order(line("d", 9, 5), line("", 4, 0), line("a", 3, 0), line("c", 2, 0), line("b", 1, 0)); got != want {
		t.Errorf("with other numbers: %s, not %s", got, want)
	}
}

// TestDoneAMinute holds that a rate is taken over the time that the history tells of,
// and that its first seconds promise none.
func TestDoneAMinute(t *testing.T) {
	for _, c := range []struct {
		n    int64
		over time.Duration
		want string
	}{
		{30, 10 * time.Minute, "3.0"},
		{30, 3 * time.Minute, "10.0"},
		{2, 3 * time.Second, "2.0"},
		{2, 0, "–"},
	} {
		if got := perMinute(model.Count{N: c.n, Trust: model.Exact}, c.over, themes.Plain).Text; got != c.want {
			t.Errorf("%d in %v: %q a minute, not %q", c.n, c.over, got, c.want)
		}
	}
}
