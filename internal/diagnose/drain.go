package diagnose

import (
	"math"
	"slices"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Outlook is what can be said of the draining of a queue. All but the last are
// facts that the screen shows beside it: a forecast must not speak against them.
type Outlook uint8

// The outlooks. The zero Outlook is "not known".
const (
	OutlookUnknown   Outlook = iota
	OutlookEmpty             // nothing is ready
	OutlookBraked            // the brake is on: nothing can be claimed
	OutlookUnclaimed         // no claim was seen for unusually long
	OutlookNoneOut           // nothing was completed in the window of the rate
	OutlookForecast          // it is forecast from how jobs come and go
)

// Forecast is when the ready jobs of a queue will be worked off if jobs go on to
// come and go as they do. The zero Forecast is "not known".
type Forecast struct {
	Outlook
	About bool          // it is made of counts over a while and not of rates
	Least bool          // there may be more ready jobs than were counted
	Net   float64       // how many more go than come, a second
	In    time.Duration // until the last one is claimed; 0: never
}

// steady is how far in and out must differ, as a part of the larger of them and in
// jobs a second, to be a difference.
const (
	steadyShare = 0.02
	steadyLeast = 0.05
	plainShare  = 0.2 // from here on everybody sees the difference in the rates
)

// Drain says what becomes of the ready jobs of a snapshot with the figures p. went
// is how many more ready jobs went than came, a second, as counts over a while
// showed it; NaN where it is not known. It is used where the rates are only
// estimated, because it looks back further, and they are until it is known.
func Drain(s *model.Snapshot, p *model.Pulse, went float64) Forecast {
	ready := p.Ready
	switch {
	case !ready.Known():
		return Forecast{}
	case ready.N == 0 && ready.Trust != model.AtLeast:
		return Forecast{Outlook: OutlookEmpty}
	case p.Brake != nil && p.Brake.On:
		return Forecast{Outlook: OutlookBraked}
	case ready.N == 0: // there may be some that were not seen
		return Forecast{}
	case slices.ContainsFunc(s.Findings, func(f model.Finding) bool { return f.Kind == KindStalled }):
		return Forecast{Outlook: OutlookUnclaimed}
	case s.Out.PerSec == 0 && certain(s.Out):
		return Forecast{Outlook: OutlookNoneOut}
	case s.In.Trust == model.Exact && s.Out.Trust == model.Exact:
		return forecast(ready, s.Out.PerSec-s.In.PerSec, steadyShare*max(s.In.PerSec, s.Out.PerSec))
	case ready.Trust == model.Exact && !math.IsNaN(went): // only counts to the end can be compared
		return about(agreed(forecast(ready, went, 0), s))
	case certain(s.In) && certain(s.Out):
		return about(forecast(ready, s.Out.PerSec-s.In.PerSec, steadyShare*max(s.In.PerSec, s.Out.PerSec)))
	}
	return Forecast{}
}

// agreed is a forecast by counts over a while, unless it says that the ready jobs do
// not grow and the rates beside it plainly show that they do by now: then it is not
// known. The other way round both can be true, since a retry is no arrival.
func agreed(f Forecast, s *model.Snapshot) Forecast {
	grows := s.In.PerSec - s.Out.PerSec
	if f.Net >= 0 && certain(s.In) && certain(s.Out) && grows >= max(steadyLeast, plainShare*s.In.PerSec) {
		return Forecast{}
	}
	return f
}

// certain reports whether a rate is neither unknown nor a bound.
func certain(r model.Rate) bool { return r.Trust == model.Exact || r.Trust == model.Estimated }

func about(f Forecast) Forecast {
	f.About = true
	return f
}

func forecast(ready model.Count, net, margin float64) Forecast {
	f := Forecast{Outlook: OutlookForecast, Net: net}
	if max(net, -net) < max(steadyLeast, margin) {
		f.Net = 0
	}
	if f.Net > 0 {
		f.In = time.Duration(min(float64(ready.N)/f.Net, 1e9) * float64(time.Second))
		f.About = ready.Trust == model.Estimated
		f.Least = ready.Trust == model.Capped || ready.Trust == model.AtLeast
	}
	return f
}

// String is the outlook in a few words: "empty", "braked", "no claims", "none out",
// "1m45s", "~1m45s", "≥ 1m45s", "growing 0.8/s", "steady", "–".
func (f Forecast) String() string {
	switch f.Outlook {
	case OutlookUnknown:
		return text.Unknown
	case OutlookEmpty:
		return "empty"
	case OutlookBraked:
		return "braked"
	case OutlookUnclaimed:
		return "no claims"
	case OutlookNoneOut:
		return "none out"
	case OutlookForecast:
	}
	about := ""
	switch {
	case f.Least:
		about = "≥ "
	case f.About:
		about = "~"
	}
	switch {
	case f.Net < 0:
		return "growing " + about + text.Rate(model.Rate{PerSec: -f.Net, Trust: model.Exact}) + "/s"
	case f.Net == 0:
		return "steady"
	}
	return about + text.Short(f.In)
}

// Word is the outlook where there is room for eight cells.
func (f Forecast) Word() string {
	switch {
	case f.Outlook == OutlookUnclaimed:
		return "no claim"
	case f.Outlook == OutlookForecast && f.Net < 0:
		return "growing"
	}
	return f.String()
}
