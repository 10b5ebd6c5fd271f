package kit

import (
	"testing"

	"github.com/leasetop/leasetop/model"
)

// TestHeldRisesAtOnceAndFallsLate gives way after snapshots of its own and not after
// news of others.
func TestHeldRisesAtOnceAndFallsLate(t *testing.T) {
	var h Held
	s := &model.Snapshot{}
	h.Take(s, 3)
	if h.N != 3 {
		t.Fatalf("it holds %d", h.N)
	}
	for range 100 {
		h.Take(s, 1)
	}
	if h.N != 3 {
		t.Fatalf("it gave way to news of other queues: %d", h.N)
	}
	for n := range Patience {
		h.Take(&model.Snapshot{}, 1)
		if h.N != 3 {
			t.Fatalf("it gave way after %d snapshots", n+1)
		}
	}
	h.Take(&model.Snapshot{}, 2)
	if h.N != 2 {
		t.Fatalf("it holds %d after all", h.N)
	}
}
