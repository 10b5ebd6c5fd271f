package poller

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestEveryChangesTheInterval holds that another interval holds from now on, and
// not from the end of the old one.
func TestEveryChangesTheInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		p, stop := start(t, one(s), Options{Every: time.Hour})
		defer stop()
		time.Sleep(10 * time.Second)
		p.Every(5 * time.Second)
		time.Sleep(58 * time.Second)
		if n := s.count("pulse"); n != 1+12 {
			t.Errorf("%d pulses in a minute of 5 s polls after the first one", n)
		}
		if got := p.Board().Queue("q").Watch.Every; got != 5*time.Second {
			t.Errorf("the board says that it is polled every %v", got)
		}
		p.Every(time.Minute)
		time.Sleep(10 * time.Minute)
		if n := s.count("pulse"); n < 13+10 || n > 13+12 {
			t.Errorf("%d pulses in ten minutes of polls a minute", n-13)
		}
	})
}
