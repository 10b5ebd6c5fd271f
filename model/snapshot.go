package model

import "time"

// Part is the answer of one statement: its data, the server's time of that
// statement, and what it cost. After a fault Data is the last good answer.
type Part[T any] struct {
	Data T
	At   time.Time     // the server's time; zero: never answered
	Got  time.Time     // when this process received it, for staleness only
	Took time.Duration // as this process saw it
	Err  *Fault        // nil after a good answer
}

// Known reports whether the part ever had an answer.
func (p *Part[T]) Known() bool { return !p.At.IsZero() }

// Counter is a cumulative number. A new Epoch (the server or the table was
// replaced) makes a gap in a rate and never a spike.
type Counter struct {
	Count
	Epoch string
}

// Flow is a number of events within a span of server time.
type Flow struct {
	Count
	Over time.Duration
}

// Oldest is the job that has been claimable longest, of the queue or of one
// priority.
type Oldest struct {
	Key      Key
	Priority Number
	Waiting  Age
}

// Pulse is the figures of a queue, all from one statement.
type Pulse struct {
	Scheduled, Ready, Working, Expired, Corrupt, Failed, Done Count

	Oldest       *Oldest  // nil: no ready job, or not known which
	ByPriority   []Oldest // up to eight priorities, before them the jobs that have none; empty where no job has any
	WorstOverdue Age      // how far the oldest expired lease lies back
	WorstKey     Key

	Enqueued  Counter // arrivals since the table was made
	Completed Flow    // completions since PulseAsk.Since; Unknown without a history

	Brake *Brake // nil: this queue cannot have one, or it is not known

	// Of a destructive queue. Ready is its depth, Working the rows that are locked by
	// a dequeue now, Failed its dead letters, Oldest the older of its two ends.
	Head, Tail *Oldest // the row that is dequeued next, and the one that is dequeued last
	Arrived    Flow    // rows with a time since PulseAsk.Since that are still there
	Dequeued   Counter // departures since the table was made
}

// PulseAsk is what a pulse needs to know from the one before.
type PulseAsk struct {
	Since time.Time // server time of the last pulse; zero: the last minute
}

// View names a list of a queue's jobs.
type View uint8

// The lists. The zero View asks for no list.
const (
	ViewNone      View = iota
	ViewWorking        // expired first, then by key
	ViewReady          // in the order in which they would be claimed
	ViewFailed         // the dead letters, newest first
	ViewRepeaters      // jobs that are not over and were claimed more than once, the most claimed first
	ViewWorkers        // who holds leases or ended attempts lately, worst first
	ViewHistory        // how attempts ended and what operators did, newest first
	ViewTail           // of a destructive queue: the row that is dequeued last comes first
)

var viewNames = [...]string{"none", "working", "ready", "failed", "repeaters", "workers", "history", "tail"}

// String is the list's word in flags and recordings.
func (v View) String() string { return name(viewNames[:], v) }

// ViewOf is the list that has all jobs of a state, none for a state without one.
func ViewOf(s State) View {
	switch s {
	case Working:
		return ViewWorking
	case Ready:
		return ViewReady
	case Failed:
		return ViewFailed
	case Scheduled, Done, StateUnknown:
	}
	return ViewNone
}

// Page is one list of a queue. When More is false the list is complete, so that
// the figure of that state is its length.
type Page struct {
	View    View
	Jobs    []*Job
	Workers []WorkerLine // ViewWorkers
	Events  []Event      // ViewHistory, newest first
	More    bool
}

// Severity is how much a finding needs a person.
type Severity uint8

// The three steps of severity.
const (
	Normal Severity = iota
	Warn
	Bad
)

var severityNames = [...]string{"normal", "warn", "bad"}

// String is the severity's word in JSON.
func (s Severity) String() string { return name(severityNames[:], s) }

// MarshalText lets a severity stand in JSON as its word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is something about a queue that a person should know, with its
// evidence in words.
type Finding struct {
	Kind     string // stable, such as "expired" or "nobody-recovers"
	Severity Severity
	Key      Key // the job it is about; zero: the queue
	Text     string
	Cure     string // what to do about it, if there is anything
}

// Health says whether a queue is being seen at all.
type Health uint8

// The states of the watching. The zero Health is "no answer yet".
const (
	Connecting Health = iota
	Live
	Stale // the last poll failed or is late; the figures are old
	Down  // the server cannot be reached or refuses; retried at RetryAt
	Broken
)

var healthNames = [...]string{"connecting", "live", "stale", "down", "broken"}

// String is the health's word in JSON.
func (h Health) String() string { return name(healthNames[:], h) }

// Watch is how the watching itself goes, in this process's own time.
type Watch struct {
	Health   Health
	Every    time.Duration // the interval of the next poll, back-off included
	RetryAt  time.Time     // when Down
	Failures int           // polls failed in a row
	Err      *Fault
}

// Cost is what one look took.
type Cost struct {
	Took       time.Duration
	Statements int
}

// Snapshot is one queue as it was last seen. It is immutable; each part is
// stamped with the server's time of its own statement.
type Snapshot struct {
	Queue    string
	Server   string // the server's name in the configuration or the DSN, no secret in it
	Mapping  *Mapping
	Seq      uint64
	Caps     Caps
	Pulse    Part[Pulse]
	Page     Part[Page]
	Dirty    Part[[]Oldest] // the first ready jobs past all locks, read now and then where locked rows are passed over
	Latency  Part[Latency]  // read more rarely than the pulse, and only for the queue in view
	In, Out  Rate
	Findings []Finding // worst first
	Watch    Watch
	Cost     Cost
}

// Now is the newest server time that the snapshot knows.
func (s *Snapshot) Now() time.Time {
	if s.Page.At.After(s.Pulse.At) {
		return s.Page.At
	}
	return s.Pulse.At
}

// Figures are the counts to show: when the working list is complete and not older
// than the pulse, working, expired and corrupt are counted from it, so that figure
// and table never disagree.
func (s *Snapshot) Figures() Pulse {
	p := s.Pulse.Data
	if s.Page.Err != nil || !s.Page.Known() || s.Page.Data.More || s.Page.At.Before(s.Pulse.At) {
		return p
	}
	trust := Exact
	if s.Caps.LowCounts {
		trust = AtLeast
	}
	jobs := s.Page.Data.Jobs
	switch s.Page.Data.View {
	case ViewWorking:
		p.Working = Count{int64(len(jobs)), trust}
		p.Expired, p.Corrupt = Count{0, trust}, Count{0, trust}
		p.WorstOverdue, p.WorstKey = Age{}, Key{}
		for _, j := range jobs {
			if j.Expired(s.Page.At) {
				p.Expired.N++
				p.worst(j, s.Page.At, trust)
			}
			if j.Corrupt() {
				p.Corrupt.N++
			}
		}
	case ViewReady, ViewTail:
		p.Ready = Count{rows(jobs), trust}
		if len(jobs) == 0 {
			p.Oldest, p.ByPriority = nil, nil
		}
	case ViewFailed:
		p.Failed = Count{rows(jobs), trust}
	case ViewNone, ViewRepeaters, ViewWorkers, ViewHistory:
	}
	return p
}

// rows is how many rows the jobs of a list stand for: equal rows of a destructive
// queue are one job.
func rows(jobs []*Job) int64 {
	n := int64(len(jobs))
	for _, j := range jobs {
		if j.Copies.Known {
			n += j.Copies.N - 1
		}
	}
	return n
}

// worst keeps the expired job whose lease lies back furthest.
func (p *Pulse) worst(j *Job, now time.Time, trust Trust) {
	left, _ := j.Left(now)
	if -left > p.WorstOverdue.D {
		p.WorstOverdue, p.WorstKey = Age{-left, trust}, j.Key
	}
}

// Board is all queues' snapshots, replaced as a whole.
type Board struct {
	Seq    uint64
	Queues []*Snapshot
}

// Queue finds a queue's snapshot by name, nil when there is none.
func (b *Board) Queue(name string) *Snapshot {
	if b == nil {
		return nil
	}
	for _, s := range b.Queues {
		if s.Queue == name {
			return s
		}
	}
	return nil
}
