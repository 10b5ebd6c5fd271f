package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// headInstant begins a batch that waits for no lock at all: it is sent when a
// person asks about one row, and what it finds locked is the answer.
const headInstant = `SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 0;
SET DEADLOCK_PRIORITY LOW;

`

const lockedText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {key},
       CASE WHEN {there} IS NULL THEN NULL WHEN {seen} IS NULL THEN 1 ELSE 0 END AS [skipped],
       {state} AS [state]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN {table} AS r WITH (NOLOCK)
    ON {row}
LEFT JOIN {table} AS p WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
    ON {past};`

// locked looks at one row twice, once past its locks and once as a claim's READPAST
// does. It needs no right beside SELECT. The state is read so that the row itself
// is, and not the key in an index of its own.
func locked(t table) (sqltext.Part, error) {
	if t.f.memory {
		return sqltext.Part{}, errNoLocks
	}
	first := t.m.Keys[0]
	return sqltext.Fill(lockedText, sqltext.Holes{
		"head": sqltext.Raw(headInstant), "key": t.keyResult("r"), "there": within("r", first), "seen": within("p", first),
		"state": read(t.m.Column(model.RoleState), t.of("p", model.RoleState)), "table": t.name(),
		"row": sqltext.List("\n   AND ", t.thisKey("r")...), "past": sqltext.List("\n   AND ", t.thisKey("p")...),
	}), nil
}

var errNoLocks = errors.New("a memory-optimised table takes no locks: whoever writes second gets an error")

// keyResult are the key columns of a row source under the contract's names.
func (t table) keyResult(alias string) sqltext.Part {
	var parts []sqltext.Part
	for i, c := range t.m.Keys {
		parts = append(parts, as(read(c, within(alias, c)), keyAlias(i)))
	}
	return sqltext.List(comma, parts...)
}
