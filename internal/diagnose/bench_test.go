package diagnose

import (
	"fmt"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func BenchmarkObserve(b *testing.B) {
	for _, rows := range []int{0, 500} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			w := New()
			jobs := make([]*model.Job, rows)
			for i := range jobs {
				jobs[i] = row(int64(i), tokenA, "w", time.Minute)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				w.Observe(listed(poll(time.Duration(i)*time.Second, overdue(1, time.Second)), jobs...))
			}
		})
	}
}
