package cli

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/tape"
	"github.com/leasetop/leasetop/model"
)

// A recording opens with all of its queues where they were looked at within a moment
// of each other, and at its beginning where one came later.
func TestOpeningHasAllQueues(t *testing.T) {
	for name, c := range map[string]struct{ second, end, opens time.Duration }{
		"one after the other": {700 * time.Millisecond, time.Minute, 700 * time.Millisecond},
		"at the very end":     {time.Second, time.Second, time.Second},
		"much later":          {30 * time.Second, time.Minute, 0},
	} {
		t.Run(name, func(t *testing.T) {
			begun := moment(0)
			now := begun
			kept := tape.New(tape.Options{Now: func() time.Time { return now }})
			look := func(queue string, after time.Duration) {
				now = begun.Add(after)
				s := model.Snapshot{Queue: queue}
				s.Watch.Health = model.Live
				s.Pulse.At, s.Pulse.Got = now, now
				kept.Keep(&s)
			}
			look("orders", 0)
			look("shipping", c.second)
			for after := c.second + time.Second; after <= c.end; after += time.Second {
				look("orders", after)
				look("shipping", after)
			}
			file := filepath.Join(t.TempDir(), "night.leasetop")
			if err := kept.Save(file, tape.About{At: begun}); err != nil {
				t.Fatal(err)
			}
			r, err := tape.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			at, board := opening(r)
			if got := at.Sub(begun); got != c.opens {
				t.Errorf("it opens after %v, want %v", got, c.opens)
			}
			if board == nil || len(board.Queues) != 2 {
				t.Errorf("its first screen is chosen by %+v", board)
			}
		})
	}
}
