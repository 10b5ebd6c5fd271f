package sqlserver

import (
	"strings"

	"github.com/leasetop/leasetop/internal/store/sqltext"
)

// The readers: how a list is read without blocking anybody and without being
// blocked.
const (
	readerRCSI      = "rcsi"      // row versions under READ COMMITTED: no hints
	readerBabelfish = "babelfish" // the same, and neither a seek nor a row count from metadata
	readerSnapshot  = "snapshot"  // row versions under SNAPSHOT: no hints, never READPAST
	readerReadPast  = "readpast"  // no versions: locked rows are skipped, counts are low
	readerCommitted = "committed" // one row by its key: never skipped, so that "gone" is true
)

// What may be added to a reader, after a hyphen.
const (
	formScan      = "scan"      // a small table, or somebody insists: no seek is demanded
	formUnindexed = "unindexed" // no index leads on the state: nothing is counted by state
	formUnordered = "unordered" // no index has the order of claims: only a window is sorted
	formNoRate    = "norate"    // no index of the history leads on the time: completions are not counted
	formNoBrake   = "nobrake"   // the brake may not be read
	formActive    = "active"    // no index finds what is looked for: only jobs that are not done are looked at
	formHeap      = "heap"      // of a destructive queue: no index gives its order
	formStats     = "stats"     // the login may see how often rows came and, of a destructive queue, went
)

// form is the variant of a statement, as its name in Caps.Form says it. The zero
// form is RCSI with an index in the order of claims.
type form struct {
	reader                             string
	scan, unindexed, unordered, noRate bool
	byRow, memory                      bool
	active, noBrake                    bool
	heap, stats                        bool
}

func formOf(name string) form {
	parts := strings.Split(name, "-")
	f := form{reader: parts[0], scan: parts[0] == readerBabelfish}
	for _, p := range parts[1:] {
		f.add(p)
	}
	f.add(parts[0])
	return f
}

func (f *form) add(word string) {
	switch word {
	case formScan:
		f.scan = true
	case formUnindexed:
		f.unindexed = true
	case formUnordered:
		f.unordered = true
	case formNoRate:
		f.noRate = true
	case formByRow:
		f.byRow = true
	case formMemory:
		f.memory = true
	case formNoBrake:
		f.noBrake = true
	case formActive:
		f.active = true
	case formHeap:
		f.heap = true
	case formStats:
		f.stats = true
	}
}

// Heads: what every batch begins with.
const (
	headCommitted = `SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

`
	headSnapshot = `SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL SNAPSHOT;
SET LOCK_TIMEOUT 100;
SET DEADLOCK_PRIORITY LOW;

`
	headWork = `SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
`
	headControl = headWork + `SET DEADLOCK_PRIORITY LOW;
`
	// A session whose default is implicit transactions would leave the change open
	// and lose it with the connection, after we had said that it was applied.
	guard = `IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2
    THROW 50000, 'leasetop changes rows only by autocommit: turn IMPLICIT_TRANSACTIONS off for this login', 1;

`
)

// watch is the head of a statement that reads.
func (f form) watch() sqltext.Part {
	if f.reader == readerSnapshot {
		return sqltext.Raw(headSnapshot)
	}
	return sqltext.Raw(headCommitted)
}

// hints are those of a list: a seek is demanded where an index gives one, so that
// a server that would scan refuses instead.
func (f form) hints() sqltext.Part {
	past := f.reader == readerReadPast
	list := sqltext.List(", ",
		sqltext.If(!f.scan && !f.unindexed, sqltext.Raw("FORCESEEK")),
		sqltext.If(past, sqltext.Raw("READPAST, READCOMMITTEDLOCK, ROWLOCK")),
	)
	if list.IsZero() {
		return list
	}
	return sqltext.Fill(" WITH ({list})", sqltext.Holes{"list": list})
}

// pastHints are those of the tail of the history, whose clustered index gives a
// seek whatever indexes the queue's own table has.
func (f form) pastHints() sqltext.Part {
	f.scan, f.unindexed = f.reader == readerBabelfish, false
	return f.hints()
}

// pastSeek demands a seek of the history alone.
func (f form) pastSeek() sqltext.Part {
	f.scan = f.reader == readerBabelfish
	return f.seek()
}

// lockHints are those of a batch that takes rows: others' rows are skipped, its
// own are locked one by one whatever the database's row versioning is.
func (f form) lockHints() sqltext.Part {
	return sqltext.List(", ", sqltext.If(!f.scan, sqltext.Raw("FORCESEEK")),
		sqltext.Raw("UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK"))
}

// seek demands a seek alone.
func (f form) seek() sqltext.Part {
	return sqltext.If(!f.scan, sqltext.Raw(" WITH (FORCESEEK)"))
}

// option keeps a reading statement to one processor.
func (f form) option() sqltext.Part { return sqltext.Raw("OPTION (MAXDOP 1);") }

// rows is the table's number of rows by metadata. Babelfish knows it only from its
// last statistics.
func (f form) rows() sqltext.Part {
	return sqltext.If(f.reader != readerBabelfish, sqltext.Raw("r.[rows]")).Or(null())
}
