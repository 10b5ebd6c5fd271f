package model

import (
	"strings"
	"time"
)

// Trust says how far a figure can be believed. The zero Trust is "unknown", so a
// figure that nobody filled in prints as "–" and never as 0.
type Trust uint8

// How far a figure can be trusted.
const (
	Unknown   Trust = iota
	Exact           // counted in one consistent read
	AtLeast         // locked or unseen rows may be missing from it
	Capped          // counting stopped at the cap: that many or more
	Estimated       // derived from metadata or from an identity
)

var trustNames = [...]string{"unknown", "exact", "at_least", "capped", "estimated"}

// String is the trust's word in JSON.
func (t Trust) String() string { return name(trustNames[:], t) }

// MarshalText lets a trust stand in JSON as its word.
func (t Trust) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Weakest is the trust of a figure made from two others: the lesser of both.
// Capped counts as weaker than AtLeast, Estimated as weaker than Capped.
func Weakest(a, b Trust) Trust {
	if a == Unknown || b == Unknown {
		return Unknown
	}
	return max(a, b)
}

// Count is a number of rows and how far to trust it.
type Count struct {
	N     int64
	Trust Trust
}

// Known reports whether there is a figure at all.
func (c Count) Known() bool { return c.Trust != Unknown }

// Age is a span of server time and how far to trust it. AtLeast is the age of a
// row that was already there when the watching began.
type Age struct {
	D     time.Duration
	Trust Trust
}

// Known reports whether there is an age at all.
func (a Age) Known() bool { return a.Trust != Unknown }

// Rate is a number of rows a second and how far to trust it.
type Rate struct {
	PerSec float64
	Trust  Trust
}

// Known reports whether there is a rate at all.
func (r Rate) Known() bool { return r.Trust != Unknown }

// Number is a number that a table may not record. The zero Number is "not recorded".
type Number struct {
	N     int64
	Known bool
}

// NumberOf is a recorded number.
func NumberOf(n int64) Number { return Number{n, true} }

// Instant is a point in server time. Raw is the engine's own exact text, which is
// all that a WHERE may match; At is in UTC and only for showing. The zero Instant
// is NULL or not recorded.
type Instant struct {
	At  time.Time
	Raw Value
}

// First reports whether the instant is the first one that an engine knows: a time
// that was read, although At is Go's zero.
func (i Instant) First() bool {
	const unix = "-62135596800000" // in milliseconds
	return i.At.IsZero() && i.Raw.Text == unix || i.At.IsZero() && strings.HasPrefix(i.Raw.Text, "0001-01-01") && strings.Trim(i.Raw.Text[len("0001-01-01"):], "T :.0Z+") == ""
}

// IsZero reports whether the instant is NULL or not recorded.
func (i Instant) IsZero() bool { return i.Raw.IsNull() }
