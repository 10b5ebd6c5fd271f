package drill

import (
	"testing"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// BenchmarkCheck judges a run: one op is one job with one claim and one event.
func BenchmarkCheck(b *testing.B) {
	l := &Ledger{}
	f := Facts{Enqueued: b.N, History: map[model.Key][]model.Event{}}
	for n := range int64(b.N) {
		k, t := key(n), model.TokenOf(model.IntValue(n))
		l.Note(worker.Event{Kind: worker.EventClaimed, Key: k, Token: t})
		l.Note(worker.Event{Kind: worker.EventCompleted, Step: worker.StepComplete, Key: k, Token: t})
		f.Rows = append(f.Rows, &model.Job{Key: k, Token: t, State: model.Done})
		f.History[k] = []model.Event{{Kind: model.EventCompleted, Change: model.Change{
			OldState: model.Working, NewState: model.Done, OldToken: t, NewToken: t,
		}}}
	}
	b.ResetTimer()
	if r := Check(l, f); !r.OK() {
		b.Fatal(r)
	}
}
