package report

import (
	"time"

	"github.com/leasetop/leasetop/model"
)

// Snapshot is one look at the queues, as `snapshot --json` prints it. Every list
// is present, an empty one as []; what was not read, is not known or not recorded is null.
type Snapshot struct {
	At     string  `json:"at" jsonschema:"when the look was taken, by this machine's clock"`
	Queues []Queue `json:"queues"`
}

// Queue is one queue of a Snapshot.
type Queue struct {
	Name             string    `json:"name"`
	Table            string    `json:"table"`
	Family           string    `json:"family" jsonschema:"fenced, unfenced or destructive"`
	At               *string   `json:"at" jsonschema:"the server's time of the figures"`
	Counts           Counts    `json:"counts"`
	OldestReady      *Oldest   `json:"oldest_ready" jsonschema:"the ready job that could have been claimed longest ago"`
	OldestByPriority []Oldest  `json:"oldest_by_priority" jsonschema:"in the order of claims, eight priorities at the most; before them the jobs that have none, with null"`
	Leases           []Lease   `json:"leases" jsonschema:"the working jobs, expired first; null: they were not read"`
	Rows             *Rows     `json:"rows" jsonschema:"of a destructive queue; null: it is another"`
	LeasesMore       bool      `json:"leases_more" jsonschema:"true when there are more leases than are listed"`
	Latency          *Latency  `json:"latency" jsonschema:"of the newest completed jobs; null: it was not asked for, is not recorded, or nothing was completed"`
	Brake            *Brake    `json:"brake" jsonschema:"null: this queue has no brake, or it is not known"`
	Findings         []Finding `json:"findings" jsonschema:"worst first"`
	Cost             Cost      `json:"cost"`
	Error            *Fault    `json:"error" jsonschema:"why the queue could not be read, or not all of it"`
}

// Counts are the rows of each state. Working includes expired.
type Counts struct {
	Ready     Count `json:"ready"`
	Scheduled Count `json:"scheduled"`
	Working   Count `json:"working"`
	Expired   Count `json:"expired"`
	Failed    Count `json:"failed"`
	Done      Count `json:"done"`
}

// Count is a number and how far to trust it.
type Count struct {
	N    *int64 `json:"n" jsonschema:"null when kind is unknown"`
	Kind string `json:"kind" jsonschema:"exact, at_least, capped, estimated or unknown"`
}

// Oldest is the job that has been claimable longest, of the queue or of one
// priority.
type Oldest struct {
	Priority *int64  `json:"priority"`
	Key      *string `json:"key"`
	AgeMs    *int64  `json:"age_ms"`
	Kind     string  `json:"kind" jsonschema:"exact, at_least, capped, estimated or unknown"`
}

// Lease is one working job.
type Lease struct {
	Key         string  `json:"key"`
	Token       *string `json:"token" jsonschema:"upper case; null: the row carries none"`
	Worker      *string `json:"worker"`
	Attempt     *int64  `json:"attempt"`
	LeaseUntil  *string `json:"lease_until" jsonschema:"RFC 3339 in UTC at the column's scale"`
	LeaseLeftMs *int64  `json:"lease_left_ms" jsonschema:"by the server's clock; negative once it has run out"`
}

// Finding is something that a person should know.
type Finding struct {
	Kind     string  `json:"kind"`
	Severity string  `json:"severity" jsonschema:"normal, warn or bad"`
	Key      *string `json:"key" jsonschema:"the job it is about; null: the queue"`
	Text     string  `json:"text"`
	Cure     *string `json:"cure"`
}

// Cost is what the look took.
type Cost struct {
	Ms         int64 `json:"ms"`
	Statements int   `json:"statements"`
}

// Fault is what a server or the network said.
type Fault struct {
	Class string  `json:"class"`
	Code  int     `json:"code" jsonschema:"the engine's number; 0: none"`
	Text  string  `json:"text"`
	Cure  *string `json:"cure"`
}

// FromSnapshots is the report of several queues.
func FromSnapshots(at time.Time, queues []*model.Snapshot) Snapshot {
	out := Snapshot{At: stamp(at), Queues: []Queue{}}
	for _, s := range queues {
		out.Queues = append(out.Queues, fromSnapshot(s))
	}
	return out
}

func fromSnapshot(s *model.Snapshot) Queue {
	f := s.Figures()
	q := Queue{
		Name: s.Queue, Table: s.Mapping.Table.String(), Family: s.Mapping.Family.String(),
		Counts: Counts{
			Ready: count(f.Ready), Scheduled: count(f.Scheduled), Working: count(f.Working),
			Expired: count(f.Expired), Failed: count(f.Failed), Done: count(f.Done),
		},
		OldestByPriority: []Oldest{}, Findings: []Finding{}, Rows: rowsOf(s),
		Cost:  Cost{Ms: s.Cost.Took.Milliseconds(), Statements: s.Cost.Statements},
		Error: firstFault(s.Watch.Err, s.Pulse.Err, s.Page.Err),
	}
	q.Latency = latency(&s.Latency)
	q.Brake = brake(s.Pulse.Data.Brake)
	if now := s.Now(); !now.IsZero() {
		text := stamp(now)
		q.At = &text
	}
	if f.Oldest != nil {
		o := oldest(*f.Oldest)
		q.OldestReady = &o
	}
	for _, o := range f.ByPriority {
		q.OldestByPriority = append(q.OldestByPriority, oldest(o))
	}
	working := s.Page.Known() && s.Page.Data.View == model.ViewWorking
	if working || s.Mapping.IsDestructive() { // else it is not known whether there are any
		q.Leases = []Lease{}
	}
	if working && !s.Mapping.IsDestructive() {
		q.LeasesMore = s.Page.Data.More
		for _, j := range s.Page.Data.Jobs {
			q.Leases = append(q.Leases, lease(j, s))
		}
	}
	for _, x := range s.Findings {
		q.Findings = append(q.Findings, finding(x))
	}
	return q
}

func finding(f model.Finding) Finding {
	return Finding{f.Kind, f.Severity.String(), keyText(f.Key), f.Text, told(f.Cure)}
}

func count(c model.Count) Count {
	if !c.Known() {
		return Count{Kind: c.Trust.String()}
	}
	return Count{N: &c.N, Kind: c.Trust.String()}
}

func oldest(o model.Oldest) Oldest {
	out := Oldest{Priority: number(o.Priority), Key: keyText(o.Key), Kind: o.Waiting.Trust.String()}
	if o.Waiting.Known() {
		ms := o.Waiting.D.Milliseconds()
		out.AgeMs = &ms
	}
	return out
}

func lease(j *model.Job, s *model.Snapshot) Lease {
	l := Lease{
		Key: j.Key.String(), Token: tokenText(j.Token), Worker: told(j.Worker), Attempt: number(j.Attempts),
		LeaseUntil: instant(j.Lease, s.Mapping.Column(model.RoleLease)),
	}
	if left, ok := j.Left(s.Page.At); ok {
		ms := left.Milliseconds()
		l.LeaseLeftMs = &ms
	}
	return l
}

func firstFault(faults ...*model.Fault) *Fault {
	for _, f := range faults {
		if f != nil {
			return &Fault{f.Class.String(), f.Code, f.Text, told(f.Cure)}
		}
	}
	return nil
}
