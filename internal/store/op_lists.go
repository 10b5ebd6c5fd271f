package store

// The operations of the lists beside the states, of the look-ups and of the
// latency.
const (
	OpRepeaters     Op = "repeaters"
	OpWorkers       Op = "workers"
	OpEvents        Op = "events"
	OpWorkerEvents  Op = "worker-events"
	OpLatency       Op = "latency"
	OpFindOperation Op = "find-operation"
	OpFindWorker    Op = "find-worker"
)

// eventColumns are the columns of every statement that reads the history.
func eventColumns() []string {
	return append([]string{"at", "kind", "action", "actor", "login", "reason"}, changeColumns()...)
}

func listSpecs() []Spec {
	return []Spec{
		// Jobs that are not over and were claimed more than once, or whose attempts ended without success: those of
		// each state that was looked at, at most window of them. cut is 1 when a state has more. The most claimed first.
		{Op: OpRepeaters, Kind: Watch, Params: []string{"limit", "window"}, Columns: append(jobColumns(), "cut")},
		// One row a worker that holds jobs or ended attempts within over_ms, as the newest window rows of the history
		// tell; since is from when they tell it. seen is its last sign, claimed when its oldest job was claimed. there
		// is 1 in a row that is a worker. Those with expired leases first, then by leases:
		// that is which of too many are read, and not how they are shown.
		{Op: OpWorkers, Kind: Watch, Keyless: true, Params: []string{"limit", "cap", "window", "over_ms"}, Columns: []string{
			"there", "worker", "leases", "expired", "seen", "claimed", "done", "failed", "since",
		}},
		// The newest events of the whole table before the event of that number, NULL: the newest of all.
		{Op: OpEvents, Kind: Watch, Params: []string{"limit", "before"}, Columns: append(eventColumns(), "seq")},
		// The same of one worker, of the newest window rows of the history.
		{Op: OpWorkerEvents, Kind: Watch, Params: []string{"limit", "window", "worker"}, Columns: append(eventColumns(), "seq")},
		// How long the newest completions within over_ms had been in work: n of them, of at most window rows of the
		// history; since is from when they were read.
		{Op: OpLatency, Kind: Watch, Keyless: true, Params: []string{"window", "over_ms"}, Columns: []string{"n", "p50_ms", "p95_ms", "p99_ms", "since"}},
		// Jobs by their operation id: all of them where an index finds it, else the first window rows of each state
		// but done; whole is 1 where nothing was left out.
		{Op: OpFindOperation, Kind: Watch, Params: []string{"limit", "window", "operation"}, Columns: append(jobColumns(), "whole")},
		// The jobs that a worker has in work, of the first window ones.
		{Op: OpFindWorker, Kind: Watch, Params: []string{"limit", "window", "worker"}, Columns: append(jobColumns(), "whole")},
	}
}
