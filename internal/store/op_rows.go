package store

// The operations of a destructive queue, whose rows are their values.
const (
	OpDepth    Op = "depth"
	OpHead     Op = "head"
	OpTail     Op = "tail"
	OpDead     Op = "dead-letters"
	OpRow      Op = "row"
	OpDeadRow  Op = "dead-row"
	OpRowsOf   Op = "dead-letters-of-act"
	OpPut      Op = "put"
	OpDequeue  Op = "dequeue"
	OpBuryMine Op = "dead-letter-taken"

	OpHold       Op = "hold"
	OpBuryHeld   Op = "dead-letter-held"
	OpHoldBeat   Op = "hold-beat"
	OpHoldCommit Op = "hold-commit"
	OpHoldUndo   Op = "hold-rollback"

	OpBury        Op = "dead-letter-row"
	OpBuryOldest  Op = "dead-letter-oldest"
	OpRequeueRow  Op = "requeue-row"
	OpRequeueKept Op = "requeue-row-keep-time"
)

// burial are the columns that a dead letter has beside the row itself.
func burial() []string { return []string{"at", "reason", "actor", "login", "action"} }

// rowSpecs lists every operation of a destructive queue. The key columns are all
// the table's columns, and any of them may be NULL: "present" is 1 in a row of the
// answer that is a row of the table. "clock" is the server's time in the clock of
// the time column, NULL where that is UTC. A key whose column cannot be compared
// is NULL in lists.
func rowSpecs() []Spec {
	listed := []string{"present", "clock", "locked"}
	dead := append([]string{"present", "clock"}, burial()...)
	taken := []string{"present", "clock"}
	// alike: how many equal rows are left that no dequeue holds now, at least.
	acted := []string{"present", "clock", "alike"}
	return append(catalogSpecs(), []Spec{
		// cap: where counting stops; since: as in pulse. One row for each end of the queue that has a row, at
		// least one in all: end is head or tail, the other columns are the same in every row. rows is the
		// estimated number of rows; locked those that a dequeue holds now, nearby the head; arrived those with a
		// time after since that are there; inserted and deleted are cumulative.
		{Op: OpDepth, Kind: Watch, Params: []string{"cap", "since"}, Columns: []string{
			"present", "clock", "end", "depth", "rows", "locked", "dead", "arrived", "inserted", "deleted", "epoch",
		}},
		// The row that is dequeued next comes first.
		{Op: OpHead, Kind: Watch, Params: []string{"limit"}, Columns: listed},
		// The row that is dequeued last comes first.
		{Op: OpTail, Kind: Watch, Params: []string{"limit"}, Columns: listed},
		// The newest first.
		{Op: OpDead, Kind: Watch, Params: []string{"limit"}, Columns: dead},
		// copies: how many rows are equal to this one, itself included; locked: how many of them a dequeue holds now.
		{Op: OpRow, Kind: Watch, Keyed: true, Columns: []string{"present", "clock", "copies", "locked"}},
		{Op: OpDeadRow, Kind: Watch, Keyed: true, Params: []string{"token"}, Columns: append([]string{"copies"}, dead...)},
		// What an act has made dead letters of.
		{Op: OpRowsOf, Kind: Watch, Params: []string{"action", "limit"}, Columns: dead},

		// jobs: a JSON array of objects with the members key, key2 …, each the exact text of a value. A time
		// that is not given is the server's now.
		{Op: OpPut, Kind: Work, Params: []string{"jobs"}, Columns: taken},
		// n: how many at the most. Rows come in the order in which they are dequeued.
		{Op: OpDequeue, Kind: Work, Params: []string{"n"}, Columns: taken},
		// A dead letter made of a row that was dequeued before.
		{Op: OpBuryMine, Kind: Work, Keyed: true, Params: []string{"action", "actor", "reason"}, Columns: taken},

		// session: whose rows these are. Where the server's own transaction holds them, the last three are its
		// COMMIT and ROLLBACK and no statements.
		{Op: OpHold, Kind: Work, Params: []string{"n", "session"}, Columns: taken},
		{Op: OpBuryHeld, Kind: Work, Keyed: true, Params: []string{"action", "actor", "reason", "session"}, Columns: taken},
		{Op: OpHoldBeat, Kind: Work, Params: []string{"session"}, Columns: []string{"held"}},
		{Op: OpHoldCommit, Kind: Work, Params: []string{"session"}, Columns: []string{"held"}},
		{Op: OpHoldUndo, Kind: Work, Params: []string{"session"}, Columns: []string{"held"}},

		{Op: OpBury, Kind: Control, Keyed: true, Params: []string{"action", "actor", "reason"}, Columns: acted},
		{Op: OpBuryOldest, Kind: Control, Params: []string{"n", "action", "actor", "reason"}, Columns: taken},
		// token: the act that made the dead letter, NULL where none did. The answer's keys are the new row.
		{Op: OpRequeueRow, Kind: Control, Keyed: true, Params: []string{"token", "action"}, Columns: acted},
		{Op: OpRequeueKept, Kind: Control, Keyed: true, Params: []string{"token", "action"}, Columns: acted},
	}...)
}
