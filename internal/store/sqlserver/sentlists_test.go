package sqlserver

import (
	"context"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// listCalls are the lists beside the states, the look-ups and the latency.
func listCalls() []call {
	page := func(v model.View) func(context.Context, *store.Queue) error {
		return func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Page(ctx, v)
			return err
		}
	}
	number := func(name string, n int64) tdstest.Param { return arg(name, "bigint", n) }
	limit, window := number("limit", 501), number("window", 10_000)
	return []call{
		{store.OpRepeaters, "repeaters.rcsi", page(model.ViewRepeaters), []tdstest.Param{limit, window, scheduledP, readyP, workingP}},
		{store.OpWorkers, "workers.rcsi", page(model.ViewWorkers), []tdstest.Param{
			limit, number("cap", 10_000), number("window", 5000), number("over_ms", 600_000), workingP,
		}},
		{store.OpEvents, "events.rcsi", page(model.ViewHistory), []tdstest.Param{limit, arg("before", "bigint", nil)}},
		{store.OpEvents, "events.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Events(ctx, model.NumberOf(77), 20)
			return err
		}, []tdstest.Param{number("limit", 20), number("before", 77)}},
		{store.OpWorkerEvents, "worker-events.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.WorkerEvents(ctx, "pick-07", 20)
			return err
		}, []tdstest.Param{number("limit", 20), number("window", 5000), arg("worker", "nvarchar(max)", "pick-07")}},
		{store.OpLatency, "latency.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Latency(ctx)
			return err
		}, []tdstest.Param{number("window", 5000), number("over_ms", 600_000)}},
		{store.OpFindOperation, "find-operation.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.FindOperation(ctx, tokenB)
			return err
		}, []tdstest.Param{number("limit", 500), window, arg("operation", "varchar(36)", tokenB)}},
		{store.OpFindWorker, "find-worker.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.FindWorker(ctx, "pick-07")
			return err
		}, []tdstest.Param{number("limit", 500), window, arg("worker", "nvarchar(max)", "pick-07"), workingP}},
	}
}
