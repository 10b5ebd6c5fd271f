package worker_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// BenchmarkPool works off a queue on the embedded engine: one op is one job, claimed
// and completed, by a pool of so many claimers on one connection.
func BenchmarkPool(b *testing.B) {
	for _, claimers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("claimers=%d", claimers), func(b *testing.B) {
			q := benchAt(b, filepath.Join(b.TempDir(), "queue.db"), profile.Lease)
			for left := b.N; left > 0; left -= 1000 {
				q.enqueue(min(left, 1000))
			}
			all := newEnds(b.N, func(worker.Event) {})
			ctx, stop := context.WithCancel(b.Context())
			defer stop()
			done := make(chan error, 1)
			b.ResetTimer()
			go func() {
				done <- worker.New(q, worker.Simulate{}.Handle, worker.Options{
					Workers: claimers, Lease: time.Minute, Alone: true, Events: all.note,
				}).Run(ctx)
			}()
			<-all.all
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
			stop()
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkRecover takes back expired rows in batches: one op is one row.
func BenchmarkRecover(b *testing.B) {
	q := benchAt(b, filepath.Join(b.TempDir(), "queue.db"), profile.Lease)
	for left := b.N; left > 0; left -= 1000 {
		q.enqueue(min(left, 1000))
	}
	if _, err := q.Claim(b.Context(), guid(1, 1), "gone", b.N, time.Millisecond); err != nil {
		b.Fatal(err)
	}
	<-time.After(5 * time.Millisecond)
	b.ResetTimer()
	for left := b.N; left > 0; {
		changes, err := q.Recover(b.Context(), guid(left, 2), worker.RecoverLimit, 0, model.DefaultBackoff(), 100)
		if err != nil || len(changes) == 0 {
			b.Fatal(len(changes), err)
		}
		left -= len(changes)
	}
}
