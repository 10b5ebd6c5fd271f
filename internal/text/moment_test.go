package text

import (
	"testing"
	"time"
)

func TestMoment(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	to := time.Date(2026, 3, 14, 12, 4, 31, 500e6, time.UTC)
	for s, want := range map[string]string{
		"12:04:31Z":                 "2026-03-14T12:04:31Z",
		"12:05Z":                    "2026-03-13T12:05:00Z", // the day before
		"14:04":                     "2026-03-14T12:04:00Z", // by the zone
		"01:30":                     "2026-03-13T23:30:00Z",
		"-10m":                      "2026-03-14T11:54:31Z",
		"90s":                       "2026-03-14T12:03:01Z",
		"2026-03-12T08:00:00Z":      "2026-03-12T08:00:00Z",
		"2026-03-12T08:00:00+01:00": "2026-03-12T07:00:00Z",
	} {
		if at, ok := Moment(s, to, zone); !ok || at.UTC().Format(time.RFC3339) != want {
			t.Errorf("%q is %s, %v; want %s", s, at, ok, want)
		}
	}
	for _, s := range []string{"", "noon", "25:00", "12", "2026-03-14", "12:04:31ZZ"} {
		if at, ok := Moment(s, to, zone); ok {
			t.Errorf("%q is %s", s, at)
		}
	}
}
