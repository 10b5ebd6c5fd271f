// Package sqlserver is the T-SQL dialect, through go-mssqldb: SQL Server 2016 and
// later, Azure SQL, and Babelfish where it can. It is text and types; what runs,
// scans and judges lies above it.
//
// Every statement is one parameterised batch that begins with its own SETs, so
// that nothing an earlier user of the connection left behind decides what it
// means. Values travel as the engine's own exact text and are converted on the
// parameter's side, so that a column stays seekable and no driver rounds a time
// or turns a GUID around.
package sqlserver

import (
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// Engine is the dialect's name.
const Engine = "sqlserver"

// Dialect is the server's text and types. The zero Dialect renders statements and
// schemas without a server.
type Dialect struct {
	encrypted string           // the state of the connections, for a probe's answer
	now       func() time.Time // this process's clock, for the skew only
}

// Engine names the dialect.
func (Dialect) Engine() string { return Engine }

// grace is how long a call past its deadline is waited for: a server that lives
// acknowledges the cancellation in one round trip. It is less than a caller's own
// patience, so that what happened is still told.
const grace = 400 * time.Millisecond

// Unit says how a statement becomes one atomic unit: a batch with one data
// statement is one by itself.
func (Dialect) Unit() store.Unit { return store.Unit{Grace: grace} }

// quote puts one part of an identifier in brackets.
func quote(s string) string { return "[" + strings.ReplaceAll(s, "]", "]]") + "]" }

// ident is an identifier of one or more parts.
func ident(parts ...string) sqltext.Part { return sqltext.Quoter(quote).Ident(parts...) }

// renderers gives each operation's file its place.
func renderers() map[store.Op]func(table) (sqltext.Part, error) {
	return map[store.Op]func(table) (sqltext.Part, error){
		store.OpPulse: pulse, store.OpWorking: working, store.OpReady: ready,
		store.OpInspect: inspect, store.OpPayload: payload, store.OpHistory: history, store.OpAudit: audit,
		store.OpEnqueue: enqueue, store.OpClaim: claim, store.OpHeartbeat: heartbeat, store.OpComplete: complete,
		store.OpFail: fail, store.OpRelease: release, store.OpRecover: recovery, store.OpPromote: promote,
		store.OpFailed: failed, store.OpReclaim: reclaim, store.OpForce: force, store.OpExtend: extend, store.OpGrant: grant,
		store.OpDeadLetter: deadLetter, store.OpDeadLetterUnclaimed: deadLetterUnclaimed,
		store.OpRequeue: requeue, store.OpRequeueUnclaimed: requeueUnclaimed,
		store.OpRepeaters: repeaters, store.OpWorkers: workerList, store.OpEvents: newest, store.OpWorkerEvents: workerEvents,
		store.OpPurgeDone: purge(store.OpPurgeDone), store.OpPurgeFailed: purge(store.OpPurgeFailed),
		store.OpPurgeHistory: purge(store.OpPurgeHistory), store.OpPurgeKeys: purge(store.OpPurgeKeys),
		store.OpBrakeState: brakeState, store.OpBrake: putBrake, store.OpReleaseBrake: freeBrake,
		store.OpLatency: latency, store.OpFindOperation: findOperation, store.OpFindWorker: findWorker,
		store.OpLocked: locked, store.OpHolders: holders, store.OpCatalog: catalog, store.OpIndexes: catalogIndexes,
		store.OpDirty: dirty, store.OpHealth: health, store.OpHealthScan: healthScan, store.OpHistoryHealth: historyHealth,
	}
}

// Statement renders an operation for a table as a probe found it.
func (d Dialect) Statement(op store.Op, m *model.Mapping, c *model.Caps) (store.Stmt, error) {
	if m.IsDestructive() && !asksCatalog(op) {
		return rowStatement(op, m, c)
	}
	s, _, err := d.render(op, withDead(m), c)
	if err != nil || !isCall(s.Form) {
		return s, err
	}
	return table{m: m, c: c}.called(s)
}

// render is an operation's statement, also as the part that a procedure's body is.
func (d Dialect) render(op store.Op, m *model.Mapping, c *model.Caps) (store.Stmt, sqltext.Part, error) {
	render, ok := renderers()[op]
	if !ok {
		return store.Stmt{}, sqltext.Part{}, fmt.Errorf("SQL Server has no statement for %s", op)
	}
	spec := store.SpecOf(op)
	t := table{m: m, c: c, f: formOf(c.Form[string(op)])}
	if spec.Keyed {
		t.row = theRow
	}
	if err := t.needs(op); err != nil {
		return store.Stmt{}, sqltext.Part{}, err
	}
	part, err := render(t)
	if err != nil {
		return store.Stmt{}, sqltext.Part{}, err
	}
	if !timeless(op) {
		part = inClock(m, part)
	}
	text, err := part.Text()
	if err != nil {
		return store.Stmt{}, sqltext.Part{}, err
	}
	return store.Stmt{
		Op: op, Form: c.Form[string(op)], Texts: []string{text}, Kind: spec.Kind,
		Within: store.Patience(op), Params: t.params(spec, text), Right: t.right(op),
		Locks: locks(op, c.Form[string(op)]), Proved: t.proved(op), Danger: t.dangerous(op),
	}, part, nil
}
