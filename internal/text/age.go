package text

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/leasetop/leasetop/model"
)

// ShortWidth is the widest that Short gets, in cells, sign included.
const ShortWidth = 6

const (
	day  = 24 * time.Hour
	year = 365 * day
)

// What lies further off than this is no age: somebody meant "never" or "for ever",
// and a duration ends at 292 years.
const (
	beyond  = 100 * year
	endless = "99y+"
)

// Short is a span in a form that changes rarely, because a screen on which every
// age ticks is noise and bytes: under ten seconds by the second, under a minute
// by five, under ten minutes by fifteen, then whole minutes, hours, days, and years
// up to a hundred. It rounds towards zero. A negative span has a "−".
func Short(d time.Duration) string {
	sign := ""
	d, negative := magnitude(d)
	if d = coarse(d); negative && d > 0 {
		sign = "−"
	}
	return sign + short(d)
}

func short(d time.Duration) string {
	switch {
	case d >= beyond:
		return endless
	case d < time.Minute:
		return unit(d, time.Second, "s")
	case d < 10*time.Minute:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < time.Hour:
		return unit(d, time.Minute, "m")
	case d < day:
		return unit(d, time.Hour, "h")
	case d < 2*year:
		return unit(d, day, "d")
	}
	return unit(d, year, "y")
}

func unit(d, per time.Duration, name string) string {
	return strconv.FormatInt(int64(d/per), 10) + name
}

// coarse rounds a span that is not negative down to the step of its size.
func coarse(d time.Duration) time.Duration {
	step := year
	switch {
	case d < 10*time.Second:
		step = time.Second
	case d < time.Minute:
		step = 5 * time.Second
	case d < 10*time.Minute:
		step = 15 * time.Second
	case d < time.Hour:
		step = time.Minute
	case d < day:
		step = time.Hour
	case d < 2*year:
		step = day
	}
	return d.Truncate(step)
}

// magnitude splits off the sign; the least duration has no positive one and is
// taken for the next.
func magnitude(d time.Duration) (abs time.Duration, negative bool) {
	if d >= 0 {
		return d, false
	}
	return -max(d, -1<<63+1), true
}

// Exact is a span to the second, for the one row that is looked at: "41s",
// "2m14s", "1h02m07s", "3d04h02m". It rounds towards zero.
func Exact(d time.Duration) string {
	d, negative := magnitude(d)
	d = d.Truncate(time.Second)
	s := exact(d)
	if negative && d > 0 {
		return "−" + s
	}
	return s
}

func exact(d time.Duration) string {
	if d >= beyond {
		return endless
	}
	h, m, s := d/time.Hour, d%time.Hour/time.Minute, d%time.Minute/time.Second
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", s)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", m, s)
	case d < day:
		return fmt.Sprintf("%dh%02dm%02ds", h, m, s)
	}
	return fmt.Sprintf("%dd%02dh%02dm", d/day, d%day/time.Hour, m)
}

// Age is an age in its Short form with how far to trust it: "4m15s", "≥ 4m15s",
// "~4m15s", "–".
func Age(a model.Age) string { return trusted(a.Trust, Short(a.D)) }

// ExactAge is an age in its Exact form with how far to trust it.
func ExactAge(a model.Age) string { return trusted(a.Trust, Exact(a.D)) }

// Took is how long something took, rounded up to steps of 1, 2 and 5, and from a
// minute on to those of a clock: a figure that says "a few milliseconds" without
// changing at every look.
func Took(d time.Duration) string {
	for step := time.Millisecond; step <= 10*time.Second; step *= 10 {
		for _, n := range []time.Duration{1, 2, 5} {
			if top := n * step; d <= top && top < time.Second {
				return unit(top, time.Millisecond, "ms")
			} else if d <= top {
				return unit(top, time.Second, "s")
			}
		}
	}
	for _, n := range []time.Duration{1, 2, 3, 5, 10, 15, 20, 30, 45} {
		if d <= n*time.Minute {
			return unit(n*time.Minute, time.Minute, "m")
		}
	}
	for _, n := range []time.Duration{1, 2, 3, 6, 12, 24} {
		if d <= n*time.Hour {
			return unit(n*time.Hour, time.Hour, "h")
		}
	}
	return ">24h"
}

// Span is a duration as a person writes one, such as 90s or 1h30m: Go's own form
// without the parts that are zero.
func Span(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
