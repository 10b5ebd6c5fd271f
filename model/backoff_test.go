package model

import (
	"math"
	"testing"
	"time"
)

func TestBackoffAfter(t *testing.T) {
	b := DefaultBackoff()
	for _, c := range []struct {
		n    int64
		want time.Duration
	}{
		{0, time.Second},
		{1, time.Second},
		{2, 2 * time.Second},
		{5, 16 * time.Second},
		{9, 256 * time.Second},
		{10, 5 * time.Minute},
		{math.MaxInt64, 5 * time.Minute},
	} {
		if got := b.After(c.n); got != c.want {
			t.Errorf("after attempt %d: %v, want %v", c.n, got, c.want)
		}
	}
	if got := (Backoff{Base: time.Minute, Max: time.Second}).After(1); got != time.Second {
		t.Errorf("a base above the most waits %v, want the most", got)
	}
}
