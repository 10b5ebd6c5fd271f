// Package sqlite is the embedded dialect: the same operations as on a server, in
// SQLite's SQL, on one file that many processes may share. It is text and types;
// what runs, scans and judges lies above it.
//
// Times are unix milliseconds in INTEGER columns on tables that leasetop makes.
// On other tables a time may also be ISO 8601 text; it is then compared through
// SQLite's own date functions and written in the form that the table uses.
package sqlite

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// Engine is the dialect's name.
const Engine = "sqlite"

// Dialect is the embedded engine's text and types for one file.
type Dialect struct {
	file file
	now  func() time.Time
}

// New makes the dialect without opening anything: enough to print a schema.
func New(o Options) *Dialect {
	now := o.Now
	if now == nil {
		now = time.Now
	}
	return &Dialect{file: o.file(), now: now}
}

// Engine names the dialect.
func (d *Dialect) Engine() string { return Engine }

// quote is SQLite's own quoting of an identifier.
func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// unit brackets a step's texts in one transaction that takes the write lock at
// once: a transaction that began by reading could not get it later. The clock is
// read after the lock was had, so that waiting for it ages no lease.
func (d *Dialect) unit() store.Unit {
	return store.Unit{
		Begin: "BEGIN IMMEDIATE", Commit: "COMMIT", Rollback: "ROLLBACK",
		Busy: busy,
		Now:  func() model.Value { return model.IntValue(d.now().UnixMilli()) },
		Hold: true, Grace: grace,
	}
}

// grace is how long a call past its deadline is waited for: the engine works in
// this process and comes back by itself, unless the disk hangs.
const grace = 5 * time.Second

// Unit says how a statement's texts become one atomic unit.
func (d *Dialect) Unit() store.Unit { return d.unit() }

// Statement renders an operation for a table as a probe found it.
func (d *Dialect) Statement(op store.Op, m *model.Mapping, c *model.Caps) (store.Stmt, error) {
	if m.IsDestructive() && op != store.OpCatalog && op != store.OpIndexes {
		return rowStatement(op, rowset{table{m: m, c: c}})
	}
	t := table{m: m, c: c}
	if err := t.needs(op); err != nil {
		return store.Stmt{}, err
	}
	render, ok := renderers()[op]
	if !ok {
		return store.Stmt{}, fmt.Errorf("the embedded engine has no statement for %s", op)
	}
	s, err := render(t)
	if err != nil {
		return store.Stmt{}, err
	}
	return t.finished(s, op), nil
}

// finished is a statement with what is said about it beside its texts.
func (t table) finished(s store.Stmt, op store.Op) store.Stmt {
	spec := store.SpecOf(op)
	s.Within = store.Patience(op)
	s.Op, s.Kind, s.Proved = op, spec.Kind, "this engine, in leasetop's own tests"
	s.Params = t.params(spec)
	s.Right, s.Locks = "to read the file", "one snapshot of the file: it waits for nobody and nobody for it"
	if spec.Kind != store.Watch {
		s.Right, s.Locks = "to write the file and its folder", "one immediate transaction: one writer of the file at a time"
	}
	return s
}

// renderers gives each operation's file its place.
func renderers() map[store.Op]func(table) (store.Stmt, error) {
	return map[store.Op]func(table) (store.Stmt, error){
		store.OpPulse: pulse, store.OpWorking: working, store.OpReady: ready,
		store.OpInspect: inspect, store.OpPayload: payload, store.OpHistory: history, store.OpAudit: audit,
		store.OpEnqueue: enqueue, store.OpClaim: claim, store.OpHeartbeat: heartbeat, store.OpComplete: complete,
		store.OpFail: fail, store.OpRelease: release, store.OpRecover: recovery, store.OpPromote: promote,
		store.OpFailed: failed, store.OpReclaim: reclaim, store.OpForce: force, store.OpExtend: extend, store.OpGrant: grant,
		store.OpDeadLetter: deadLetter, store.OpDeadLetterUnclaimed: deadLetterUnclaimed,
		store.OpRequeue: requeue, store.OpRequeueUnclaimed: requeueUnclaimed,
		store.OpRepeaters: repeaters, store.OpWorkers: workers, store.OpEvents: newest, store.OpWorkerEvents: workerEvents,
		store.OpPurgeDone: purgeDone, store.OpPurgeFailed: purgeFailed, store.OpPurgeHistory: purgeHistory, store.OpPurgeKeys: purgeKeys,
		store.OpBrakeState: brakeState, store.OpBrake: putBrake, store.OpReleaseBrake: freeBrake,
		store.OpLatency: latency, store.OpFindOperation: findOperation, store.OpFindWorker: findWorker,
		store.OpCatalog: catalog, store.OpIndexes: catalogIndexes, store.OpHealth: health, store.OpHealthScan: healthScan,
		store.OpHistoryHealth: historyHealth,
	}
}

// stmt finishes the texts of a statement, the first of which is its answer. All
// must be sound; one that is absent is left out.
func stmt(parts ...sqltext.Part) (store.Stmt, error) {
	var s store.Stmt
	for _, p := range parts {
		text, err := p.Text()
		if err != nil {
			return store.Stmt{}, err
		}
		if text != "" {
			s.Texts = append(s.Texts, text)
		}
	}
	if len(s.Texts) == 0 {
		return store.Stmt{}, errors.New("the statement is empty")
	}
	return s, nil
}
