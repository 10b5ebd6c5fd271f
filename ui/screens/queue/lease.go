package queue

import (
	"math"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/table"
)

// granted is how long the lease was when it was last given: from the last beat or
// the claim to its end, or the queue's usual one where neither is recorded.
func (r row) granted() time.Duration {
	from := r.Claimed.At
	if r.Beat.At.After(from) {
		from = r.Beat.At
	}
	if d := r.Lease.At.Sub(from); !from.IsZero() && d > 0 {
		return d
	}
	return r.mapping.UsualLease()
}

// severity is how bad an overdue lease is: a recoverer needs a moment, so at
// first it only wants a look.
func (r row) severity(left time.Duration) themes.Token {
	switch {
	case left >= 0:
		return themes.Plain
	case -left > max(r.granted()/2, 10*time.Second):
		return themes.Bad
	}
	return themes.Warn
}

// silent reports whether a beat is overdue: workers beat every third of a lease,
// and two missed ones are no accident.
func (r row) silent() bool {
	return r.State == model.Working && !r.Beat.At.IsZero() && r.now.Sub(r.Beat.At) > r.granted()/4*3
}

// leaseCell is the lease as a bar and as a time.
func leaseCell(r row) table.Cell {
	left, ok := r.Left(r.now)
	if !ok {
		return table.Cell{Text: "no lease", Tone: themes.Bad, Weight: math.Inf(-1)}
	}
	full := 0
	if g := r.granted(); left >= g {
		full = barCells
	} else if left > 0 {
		full = int(math.Ceil(float64(left) / float64(g) * barCells)) // any rest is one cell
	}
	tone := r.severity(left)
	ink := themes.Dim
	if tone != themes.Plain {
		ink = tone
	}
	return table.Cell{Full: text.Short(left), Weight: left.Seconds(), Runs: []table.Run{
		{Text: "▕", Tone: themes.Border},
		{Text: strings.Repeat("▄", full), Tone: ink},
		{Text: strings.Repeat("░", barCells-full), Tone: themes.Border},
		{Text: "▏", Tone: themes.Border},
		{Text: " " + text.PadLeft(text.Short(left), ageWidth-1), Tone: tone},
	}}
}
