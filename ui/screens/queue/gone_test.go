package queue

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/internal/fixture"
)

// TestGoneIsSaidOnce holds that of rows that left the list each is told of once: a
// marked one with the marks, and the one under the cursor beside them by its key.
func TestGoneIsSaidOnce(t *testing.T) {
	for _, c := range []struct {
		width           int
		keys, want, not string
	}{
		{160, "space up", "1 marked, 1 gone ", " left "},
		{120, "space up", "1 marked, 1 gone ", "gone  gone"},
		{80, "space up", "1 of 1 gone ", "gone  gone"},
		{160, "space", "1 marked, 1 gone  job 10433 left this list", "gone  gone"},
		{120, "space", "1 marked, 1 gone ", "gone  gone"},
		{160, "down", "job 10433 left this list", "marked"},
	} {
		u := sit(t, c.width, 24, fixture.Snapshot())
		u.keys(strings.Fields(c.keys)...)
		next := fixture.Snapshot()
		next.Page.Data.Jobs = append([]*model.Job(nil), next.Page.Data.Jobs[2:]...)
		u.polled(next)
		u.expect(c.want)
		u.expectNot(c.not)
	}
}
