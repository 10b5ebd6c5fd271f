package model

import (
	"math"
	"testing"
	"time"
)

// TestLeasesAtTheEnds holds what a lease is that means "never" or "for ever": no
// figure of it overflows, and its sign is right.
func TestLeasesAtTheEnds(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		lease            Instant
		left             time.Duration
		ok, out, corrupt bool
	}{
		"NULL":                   {corrupt: true},
		"the first":              {lease: Instant{Raw: TimeValue("0001-01-01T00:00:00.000")}, left: -math.MaxInt64, ok: true, out: true},
		"the first, with a zone": {lease: Instant{Raw: TimeValue("0001-01-01 00:00:00.0000000 +00:00")}, left: -math.MaxInt64, ok: true, out: true},
		"long ago":               {lease: Instant{At: time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC), Raw: TimeValue("1600-01-01")}, left: -math.MaxInt64, ok: true, out: true},
		"the last":               {lease: Instant{At: time.Date(9999, 12, 31, 23, 59, 59, 999999900, time.UTC), Raw: TimeValue("9999-12-31T23:59:59.9999999")}, left: math.MaxInt64, ok: true},
		"no time at all":         {lease: Instant{Raw: TimeValue("Mar  1 2026 12:00PM")}},
	} {
		j := &Job{State: Working, Token: TokenOf(GUIDValue("9F3CA1D0-0000-4000-8000-000000000001")), Lease: tc.lease}
		left, ok := j.Left(now)
		if left != tc.left || ok != tc.ok || j.Expired(now) != tc.out || j.Corrupt() != tc.corrupt {
			t.Errorf("%s: %v left, %v, expired %v, corrupt %v", name, left, ok, j.Expired(now), j.Corrupt())
		}
	}
}
