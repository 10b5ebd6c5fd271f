package queue

import "github.com/leasetop/leasetop/ui/kit"

// filterWord is what a filter may be: nothing else on the screen says it.
var filterWord = kit.Word{Word: "filter", Means: `text, or worker:text for a column, "two words", and ! before what must not be there`}

// Words implements kit.Explainer.
func (s *Screen) Words(*kit.Env) []kit.Word {
	if s.snapshot != nil && s.snapshot.Mapping.IsDestructive() {
		return []kit.Word{
			{Word: "destructive", Means: "a dequeue deletes the row: who deleted it has it, and there is no lease"},
			{Word: "depth", Means: "rows that wait or are locked by a dequeue now"},
			{Word: "head", Means: "how long the row at the head of the queue has waited"},
			{Word: "rows", Means: "how many equal rows stand behind the line"},
			filterWord,
		}
	}
	return []kit.Word{
		{Word: "fenced", Means: "a completion names its claim's token: after a reclaim the old worker is refused"},
		{Word: "poll", Means: "how long the last look at the server took"},
		{Word: "scheduled", Means: "not due yet: after a failure, or put off when it was enqueued"},
		{Word: "expired", Means: "in work, but the lease ran out: its worker is dead, stuck or late"},
		{Word: "drain", Means: "when no job would be ready, at the pace of now; none out: none is being completed"},
		{Word: "in, out", Means: "jobs a second that came and that were completed"},
		{Word: "p50, p95", Means: "half, or 95 of 100, of the completed jobs were in work no longer"},
		{Word: "TRY", Means: "which attempt it is, of how many"},
		{Word: "HELD", Means: "how long its worker has it"},
		{Word: "LEASE", Means: "how long it stays the worker's without another heartbeat"},
		{Word: "repeaters", Means: "jobs that failed or lost their worker before and are tried again"},
		{Word: "▹", Means: "the chosen job left this list; what it is now, enter shows"},
		filterWord,
	}
}
