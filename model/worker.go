package model

import "time"

// WorkerLine is one worker as its leases and the newest history show it.
type WorkerLine struct {
	Worker string // as it named itself when it claimed; empty: it did not, or the table does not record it

	Leases, Expired Count   // working jobs in its name; those whose lease lies back
	Beat            Instant // its last heartbeat or, where later, its last claim or ended attempt
	Held            Age     // how long it has held the oldest of its jobs

	Done, Failed Count         // attempts that it ended within Over: completed; failed or expired
	Over         time.Duration // shorter than what was asked for on a busy queue and on a young one
}

// Latency is how long completed jobs were in work, from their last claim to their
// completion. N is the completions that it was computed from: all that ended
// within Over, which is shorter than what was asked for on a busy queue and on a
// young one.
type Latency struct {
	P50, P95, P99 time.Duration
	N             Count
	Over          time.Duration
}
