package model

import (
	"testing"
	"time"
)

func TestAScanIsRareByItsSize(t *testing.T) {
	for rows, want := range map[int64]time.Duration{
		0: 30 * time.Second, 10_001: 30 * time.Second, 1_000_000: 30 * time.Second, 1_000_001: time.Minute,
		4_000_000: 2 * time.Minute, 9_999_999: 5 * time.Minute, 10_000_000: 5 * time.Minute, 1 << 62: 5 * time.Minute,
	} {
		if got := (Scan{On: true, Rows: NumberOf(rows)}).Every(); got != want {
			t.Errorf("%d rows: every %v, want %v", rows, got, want)
		}
	}
	if got := (Scan{On: true}).Every(); got != 5*time.Minute {
		t.Errorf("nobody knows how many: every %v", got)
	}
	if got := (Scan{Rows: NumberOf(1e9)}).Every(); got != 0 {
		t.Errorf("nobody insists: every %v", got)
	}
}
