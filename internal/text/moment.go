package text

import (
	"strings"
	"time"
)

// Moment reads a time as people write it who look back from the newest look, to: a
// time of day, which is the last one before it in that zone unless a Z says UTC, a
// span back such as -10m, or a time with its day by RFC 3339.
func Moment(s string, to time.Time, zone *time.Location) (time.Time, bool) {
	if d, err := time.ParseDuration(strings.TrimPrefix(s, "-")); err == nil {
		return to.Add(-d), true
	}
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return at, true
	}
	s, utc := strings.CutSuffix(s, "Z")
	if utc {
		zone = time.UTC
	}
	for _, layout := range []string{time.TimeOnly, "15:04"} {
		t, err := time.ParseInLocation(layout, s, zone)
		if err != nil {
			continue
		}
		day := to.In(zone)
		at := time.Date(day.Year(), day.Month(), day.Day(), t.Hour(), t.Minute(), t.Second(), 0, zone)
		if at.After(to) {
			at = at.AddDate(0, 0, -1)
		}
		return at, true
	}
	return time.Time{}, false
}
