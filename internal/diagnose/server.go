package diagnose

import (
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// The server's clock is skewed from skewBegins on, until it is nearer than
// skewEnds: a measurement is off by up to half of its round trip.
const (
	skewBegins = time.Second
	skewEnds   = time.Second / 2
)

// server are the rules about what the last probe found out.
func (st *state) server(s *model.Snapshot) []model.Finding {
	c := &s.Caps
	if c.ProbedAt.IsZero() {
		return nil
	}
	var found []model.Finding
	limit := skewBegins
	if st.skewed {
		limit = skewEnds
	}
	if st.skewed = c.Skew.Abs() > limit; st.skewed {
		found = append(found, skew(c.Skew))
	}
	if v, probed := c.Can[model.CanCount]; probed && !v.OK {
		found = append(found, model.Finding{Kind: KindNoIndex, Severity: model.Warn, Text: v.Why, Cure: v.Fix})
	}
	if c.Scan.On {
		found = append(found, scan(c.Scan))
	}
	if v, probed := c.Can[model.CanControl]; probed && !v.OK && v != c.Can[model.CanBury] {
		found = append(found, model.Finding{Kind: KindControlOff, Severity: model.Normal, Text: "control is off: " + v.Why, Cure: v.Fix})
	}
	if c.LowCounts {
		found = append(found, model.Finding{
			Kind: KindLowCounts, Severity: model.Normal,
			Text: "counts are at least: rows that are locked at the moment are not read",
			Cure: "the database's read committed snapshot, or snapshot isolation, makes them exact",
		})
	}
	return found
}

// scan stands as long as somebody insists: it is what the watching costs.
func scan(s model.Scan) model.Finding {
	rows := "a table whose size is not known"
	if s.Rows.Known {
		rows = text.Count(model.Count{N: s.Rows.N, Trust: model.Estimated}) + " rows"
	}
	return model.Finding{
		Kind: KindScan, Severity: model.Normal, // somebody wanted it so
		Text: "no index leads on the state, and --allow-scan insists: each look reads " + rows + " several times, at most every " + text.Span(s.Every()),
		Cure: s.Index,
	}
}

func skew(d time.Duration) model.Finding {
	side := " ahead of ours"
	if d < 0 {
		side = " behind ours"
	}
	return model.Finding{
		Kind: KindClockSkew, Severity: model.Warn,
		Text: "the server's clock is " + text.Short(d.Abs()) + side,
		Cure: "ages and leases go by the server's; set the clock that is wrong",
	}
}

// step watches for the server's clock being set: between two polls it went
// otherwise than both of ours did, the one that can be set and the one that
// cannot. A machine that slept stops the second, a clock of ours that was set
// moves the first.
type step struct {
	now bool // this poll is the first after it
	by  time.Duration
	at  time.Time // server's time, after the step; zero: there was none
}

func (x *step) observe(s *model.Snapshot, st *state) {
	x.now = false
	if st.at.IsZero() || st.got.IsZero() || s.Pulse.Got.IsZero() {
		return
	}
	server := s.Pulse.At.Sub(st.at)
	by := server - s.Pulse.Got.Sub(st.got)
	if wall := server - s.Pulse.Got.Round(0).Sub(st.got.Round(0)); wall.Abs() < by.Abs() {
		by = wall
	}
	if by.Abs() > skewBegins+s.Pulse.Took {
		x.now, x.by, x.at = true, by, s.Pulse.At
	}
}

// finding stands for one lease: that is how long rows may carry leases by the
// clock as it was.
func (x *step) finding(f facts) (model.Finding, bool) {
	if x.at.IsZero() || f.now.Sub(x.at) > f.lease {
		return model.Finding{}, false
	}
	way := "forward"
	if x.by < 0 {
		way = "back"
	}
	cure := "wait one lease before rows are taken back: those of now go by the old clock"
	if f.s.Mapping.IsDestructive() { // which has none
		cure = "rows that came before it carry times of the old clock: their ages are off by as much"
	}
	return model.Finding{
		Kind: KindClockStep, Severity: model.Warn,
		Text: "the server's clock was set " + way + " by " + text.Short(x.by.Abs().Round(time.Second)) + ", " + text.Short(f.now.Sub(x.at)) + " ago",
		Cure: cure,
	}, true
}
