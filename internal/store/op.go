package store

import (
	"slices"
	"strconv"
	"sync"

	"github.com/leasetop/leasetop/model"
)

// Op is an operation that a dialect has a statement for. Its text is its stable
// name in `leasetop sql`, in tests and in faults.
type Op string

// The operations. Every dialect renders all of them, or says why a bound table
// cannot have one.
const (
	OpPulse   Op = "pulse"
	OpWorking Op = "working"
	OpReady   Op = "ready"
	OpFailed  Op = "failed"
	OpInspect Op = "inspect"
	OpPayload Op = "payload"
	OpHistory Op = "history"
	OpAudit   Op = "audit"

	OpEnqueue   Op = "enqueue"
	OpClaim     Op = "claim"
	OpHeartbeat Op = "heartbeat"
	OpComplete  Op = "complete"
	OpFail      Op = "fail"
	OpRelease   Op = "release"
	OpRecover   Op = "recover"
	OpPromote   Op = "promote"

	OpReclaim Op = "reclaim"
	OpForce   Op = "force-reclaim"
	OpExtend  Op = "extend"
	OpGrant   Op = "grant"

	OpDeadLetter          Op = "dead-letter"
	OpDeadLetterUnclaimed Op = "dead-letter-unclaimed"
	OpRequeue             Op = "requeue"
	OpRequeueUnclaimed    Op = "requeue-unclaimed"
)

// Kind says which connections an operation uses and what a lost answer means.
type Kind uint8

// The kinds of operations.
const (
	Watch   Kind = iota // reads; costs nearly nothing; a failed one is simply repeated
	Work                // a worker's step
	Control             // an operator's act: its own connection, never retried
)

// Spec is what the two sides of a statement agree on: the names of its
// parameters and of its result's columns, the same for every dialect.
//
// Every result begins with the column "now", the server's time as its exact
// text, and has at least one row, so that an empty answer is stamped too: a row
// whose "key" is NULL says only the time. Columns that a table lacks are NULL.
// Further key columns are named key2, key3 …
type Spec struct {
	Op      Op
	Kind    Kind
	Params  []string // beside key, key2 … where Keyed
	Keyed   bool
	Columns []string // beside now, and key, key2 … unless Keyless
	Keyless bool     // the result's rows are no jobs
}

// jobColumns are the columns of every statement that reads jobs.
func jobColumns() []string {
	return []string{
		"state", "token", "lease", "available", "enqueued", "claimed", "heartbeat", "ended", "worker",
		"attempts", "max_attempts", "total_claims", "priority", "error", "operation",
	}
}

// changeColumns are the columns of every statement that changes jobs: the row
// before and after, as the statement itself captured it.
func changeColumns() []string {
	return []string{"old_state", "new_state", "old_token", "new_token", "old_lease", "new_lease", "attempts", "worker"}
}

// Specs lists every operation of a lease queue. Durations are whole milliseconds, named …_ms.
func Specs() []Spec {
	return slices.Concat(pulseSpecs(), workSpecs(), controlSpecs(), lockSpecs(), listSpecs(), brakeSpecs(), purgeSpecs(), checkupSpecs(), dirtySpecs())
}

// pulseSpecs are the operations of a poll and of the job page.
func pulseSpecs() []Spec {
	return []Spec{
		// cap: where counting stops; since: server text of the last pulse, NULL for the last minute.
		// One row for each priority that has ready jobs (at most eight; at least one row in all): key and
		// available are that priority's oldest ready job, the other columns are the same in every row.
		// rows is the estimated number of rows of the table, enqueued the arrivals since the table was made,
		// completed the completions after since.
		{Op: OpPulse, Kind: Watch, Params: []string{"cap", "since"}, Columns: []string{
			"scheduled", "ready", "working", "expired", "corrupt", "failed", "rows", "enqueued", "completed",
			"worst_key", "worst_lease", "priority", "available", "epoch",
			"braked", "brake_at", "brake_actor", "brake_login", "brake_reason",
		}},
		// limit: how many rows at the most. Expired first, then by key.
		{Op: OpWorking, Kind: Watch, Params: []string{"limit"}, Columns: jobColumns()},
		// In the order in which they would be claimed.
		{Op: OpReady, Kind: Watch, Params: []string{"limit"}, Columns: jobColumns()},
		// The dead letters, those that ended last first.
		{Op: OpFailed, Kind: Watch, Params: []string{"limit"}, Columns: jobColumns()},
		{Op: OpInspect, Kind: Watch, Keyed: true, Columns: jobColumns()},
		// max: how many characters at the most. bytes is the whole length as the engine stores it; a dialect whose
		// bytes are not those of the text as it arrives adds cut, 1 when payload is not all.
		{Op: OpPayload, Kind: Watch, Keyed: true, Keyless: true, Params: []string{"max"}, Columns: []string{"payload", "bytes"}},
		// Newest first. at is the event's own time; now is the server's now.
		{Op: OpHistory, Kind: Watch, Keyed: true, Params: []string{"limit"}, Columns: eventColumns()},
		// The history row of one operator's act, if there is one.
		{Op: OpAudit, Kind: Watch, Keyed: true, Params: []string{"action"}, Columns: eventColumns()},
	}
}

// workSpecs are a worker's steps.
func workSpecs() []Spec {
	changes := changeColumns()
	return []Spec{
		// jobs: a JSON array of {"payload", "priority", "max_attempts", "delay_ms", "operation"}, each but
		// payload may be null. Keys come back in the array's order.
		{Op: OpEnqueue, Kind: Work, Params: []string{"jobs"}},
		// token: the new token of every row claimed; n: how many at the most; lease_ms; worker: who claims. The brake
		// stops it: its columns are the same in every row.
		{Op: OpClaim, Kind: Work, Params: []string{"token", "n", "lease_ms", "worker"}, Columns: []string{
			"token", "lease", "attempts", "max_attempts", "operation", "payload",
			"braked", "brake_at", "brake_actor", "brake_login", "brake_reason",
		}},
		{Op: OpHeartbeat, Kind: Work, Keyed: true, Params: []string{"token", "lease_ms"}, Columns: changes},
		{Op: OpComplete, Kind: Work, Keyed: true, Params: []string{"token"}, Columns: changes},
		// new_token replaces token; delay_ms: how long before it is due again; error: the diagnostic.
		{Op: OpFail, Kind: Work, Keyed: true, Params: []string{"token", "new_token", "delay_ms", "error"}, Columns: changes},
		{Op: OpRelease, Kind: Work, Keyed: true, Params: []string{"token", "new_token"}, Columns: changes},
		// new_token: of every row taken back; grace_ms: how far past its lease a row must be; base_ms, max_ms:
		// back-off after the first attempt and at the most; jitter_pct: percent of the back-off, 80 to 120.
		{Op: OpRecover, Kind: Work, Params: []string{"new_token", "limit", "grace_ms", "base_ms", "max_ms", "jitter_pct"}, Columns: changes},
		{Op: OpPromote, Kind: Work, Params: []string{"limit"}, Columns: changes},
	}
}

// controlSpecs are an operator's acts.
func controlSpecs() []Spec {
	changes := changeColumns()
	return []Spec{
		// action: the act's id, which becomes the row's token. A table whose token is no GUID has the parameter fence
		// beside it: the id in the form of the column (model.Column.NewToken), where the act writes one.
		{Op: OpReclaim, Kind: Control, Keyed: true, Params: []string{"token", "action", "actor", "reason"}, Columns: changes},
		{Op: OpForce, Kind: Control, Keyed: true, Params: []string{"token", "action", "actor", "reason"}, Columns: changes},
		// by_s: whole seconds beyond now; mark_ms: what stands below the second of the new lease.
		{Op: OpExtend, Kind: Control, Keyed: true, Params: []string{"token", "by_s", "mark_ms", "action", "actor", "reason"}, Columns: changes},
		{Op: OpGrant, Kind: Control, Keyed: true, Params: []string{"token", "action", "actor", "reason"}, Columns: changes},
		// state: the column's own value as it was seen. A job that was never claimed carries no token: its
		// statement says so literally, since no comparison is true for NULL.
		{Op: OpDeadLetter, Kind: Control, Keyed: true, Params: []string{"state", "token", "action", "actor", "reason"}, Columns: changes},
		{Op: OpDeadLetterUnclaimed, Kind: Control, Keyed: true, Params: []string{"state", "action", "actor", "reason"}, Columns: changes},
		{Op: OpRequeue, Kind: Control, Keyed: true, Params: []string{"token", "action", "actor", "reason"}, Columns: changes},
		{Op: OpRequeueUnclaimed, Kind: Control, Keyed: true, Params: []string{"action", "actor", "reason"}, Columns: changes},
	}
}

// SpecsOf lists the operations of a family of queues.
func SpecsOf(f model.Family) []Spec {
	if f == model.Destructive {
		return rowSpecs()
	}
	return Specs()
}

// SpecOf finds an operation's spec; the zero Spec has no Op.
func SpecOf(op Op) Spec { return specsByOp()[op] }

var specsByOp = sync.OnceValue(func() map[Op]Spec {
	out := map[Op]Spec{}
	for _, s := range append(Specs(), rowSpecs()...) {
		out[s.Op] = s
	}
	return out
})

// keyParam names the i-th key column in parameters and results.
func keyParam(i int) string { return KeyNames(i + 1)[i] }

// KeyNames gives the names of n key columns in parameters and results.
func KeyNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "key" + strconv.Itoa(i+1)
	}
	if n > 0 {
		names[0] = "key"
	}
	return names
}

// actionOp is the operation that carries out an intent, about a row that was seen with
// a claim or with none.
func actionOp(i model.Intent, unclaimed bool) (Op, bool) {
	switch i.Action {
	case model.Reclaim:
		return OpReclaim, true
	case model.Force:
		return OpForce, true
	case model.Extend:
		return OpExtend, true
	case model.Grant:
		return OpGrant, true
	case model.DeadLetter:
		if unclaimed {
			return OpDeadLetterUnclaimed, true
		}
		return OpDeadLetter, true
	case model.Requeue:
		if unclaimed {
			return OpRequeueUnclaimed, true
		}
		return OpRequeue, true
	case model.PutBrake:
		return OpBrake, true
	case model.FreeBrake:
		return OpReleaseBrake, true
	case model.ActionNone:
	}
	return "", false
}
