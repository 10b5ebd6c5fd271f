package drill

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

// twice is a queue that gives every job to two claimers, for ever.
type twice struct {
	Queue
	claims *atomic.Int64
}

func (twice) Enqueue(_ context.Context, jobs []model.NewJob) ([]model.Key, error) {
	return make([]model.Key, len(jobs)), nil
}

func (q twice) Claim(context.Context, string, string, int, time.Duration) ([]model.Claim, error) {
	n := q.claims.Add(1)
	return []model.Claim{{Key: key((n + 1) / 2)}}, nil
}

type twiceLab struct {
	noLab
	q twice
}

func (l twiceLab) Make(context.Context, Order) (Bench, error) { return twiceBench{l}, nil }

type twiceBench struct{ twiceLab twiceLab }

func (b twiceBench) Queue(int) Queue                         { return b.twiceLab.q }
func (twiceBench) Pass(context.Context, time.Duration) error { return nil }
func (twiceBench) Drop(context.Context) error                { return nil }

// A fault that comes with every claim is not looked for a thousand times.
func TestASceneEndsWhenItsFaultIsShown(t *testing.T) {
	q := twice{claims: &atomic.Int64{}}
	const claimers = 4
	out, err := Run(t.Context(), twiceLab{q: q}, Options{Claimers: claimers, Jobs: 100_000, Only: []string{notShared}})
	if err != nil {
		t.Fatal(err)
	}
	v := out.Verdicts[0]
	if n := q.claims.Load(); v.OK || n > 2*shownEnough+2*claimers {
		t.Errorf("%d claims to show it; ok %v", n, v.OK)
	}
	if strings.Contains(v.Text, "nobody") {
		t.Errorf("jobs that nobody was given the time to claim are called lost: %s", v.Text)
	}
}
