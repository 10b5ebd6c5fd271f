package sqlserver

import "github.com/leasetop/leasetop/internal/store"

// locks is how a statement is isolated and which locks it takes, in the words of a
// DBA who decides whether it may run.
func locks(op store.Op, form string) string {
	spec := store.SpecOf(op)
	switch {
	case isCall(form):
		return "those of the procedure: READ COMMITTED, autocommit"
	case asksLocks(op):
		return "READ COMMITTED; looks at one row past its locks (NOLOCK), and once as a claim does (READPAST); waits for no lock at all"
	case op == store.OpDirty:
		return "READ COMMITTED, past all locks (NOLOCK): no lock on a row or a page, Sch-S on the table; a dirty read of what may not be committed; waits for no lock at all"
	case asksCatalog(op):
		return "READ COMMITTED; no row of the table is read; Sch-S on the catalog"
	case op == store.OpHistoryHealth && formOf(form).reader == readerCommitted:
		return "READ COMMITTED; S on one row of the history after another, none where the database keeps row versions; waits 100 ms at most"
	case spec.Kind == store.Watch:
		return readerLocks(formOf(form).reader)
	case op == store.OpBrake, op == store.OpReleaseBrake:
		return "READ COMMITTED, autocommit; X on the one row of the brake (ROWLOCK), for which it waits 3 s, until every claim that read it has ended"
	case op == store.OpClaim:
		return "READ COMMITTED, autocommit; U in the order of the index, X on the rows that it takes (ROWLOCK, at most what TOP says); rows that others hold are passed over (READPAST); S on the one row of the brake until the statement ends, where there is one"
	case op == store.OpEnqueue:
		return "READ COMMITTED, autocommit; X on the new rows until the statement ends"
	case spec.Keyed:
		return "READ COMMITTED, autocommit; U, then X on one row found by its key (ROWLOCK) until the statement ends, for which it waits 3 s"
	}
	return "READ COMMITTED, autocommit; U in the order of the index, X on the rows that it takes (ROWLOCK, at most what TOP says); rows that others hold are passed over (READPAST)"
}

func readerLocks(reader string) string {
	switch reader {
	case readerSnapshot:
		return "SNAPSHOT: row versions, no lock on a row; Sch-S on the table"
	case readerReadPast:
		return "READ COMMITTED; S on one row after another, rows that others hold are passed over (READPAST); waits 100 ms at most"
	case readerCommitted:
		return "READ COMMITTED; S on one row found by its key, none where the database keeps row versions; waits 100 ms at most"
	}
	return "READ COMMITTED with row versions: no lock on a row; Sch-S on the table"
}
