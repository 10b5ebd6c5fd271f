package sqlserver

import (
	"slices"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// onBabelfish is a run of the contract suite on a server that takes the same text
// and answers it from another engine: it proves text, types and results, and says
// nothing about locks.
const onBabelfish = "Babelfish 4.3, but for its lock hints"

// What a server's parser has taken and no server here could run.
const (
	parsedOnBabelfish = "parsed by Babelfish 4.3 and not run; it stands on documentation"
	madeOnBabelfish   = "made on Babelfish 4.3 by CREATE; the statement within as it stands beside its name in leasetop sql"
)

// proved says where a statement's text was run, beside the tests that hold it to
// the wire. What no server at hand could run has only passed a parser, and stands on
// documentation; empty: not even that.
func proved(op store.Op, form string) string {
	ran := map[store.Op][]string{
		store.OpPulse: {readerBabelfish}, store.OpWorking: {readerBabelfish}, store.OpReady: {readerBabelfish},
		store.OpInspect: {readerCommitted}, store.OpPayload: {readerCommitted},
		store.OpHistory: {readerBabelfish}, store.OpAudit: {readerBabelfish},
		store.OpEnqueue: {""}, store.OpHeartbeat: {""}, store.OpComplete: {""}, store.OpFail: {""}, store.OpRelease: {""},
		store.OpReclaim: {""}, store.OpForce: {""}, store.OpExtend: {""}, store.OpGrant: {""},
		store.OpDeadLetter: {""}, store.OpDeadLetterUnclaimed: {""}, store.OpRequeue: {""}, store.OpRequeueUnclaimed: {""},
		store.OpFailed:  {readerBabelfish},
		store.OpCatalog: {""}, store.OpIndexes: {""}, store.OpHealth: {readerBabelfish}, store.OpHistoryHealth: {readerBabelfish},
		store.OpHealthScan: {readerBabelfish + "-" + formScan},
		store.OpRepeaters:  {readerBabelfish}, store.OpWorkers: {readerBabelfish}, store.OpEvents: {readerBabelfish},
		store.OpWorkerEvents: {readerBabelfish}, store.OpLatency: {readerBabelfish},
		store.OpBrakeState: {readerCommitted}, store.OpBrake: {""}, store.OpReleaseBrake: {""},
		store.OpFindOperation: {readerBabelfish}, store.OpFindWorker: {readerBabelfish},
	}
	if slices.Contains(ran[op], form) {
		return onBabelfish
	}
	if unparsed(op, form) {
		return ""
	}
	return parsedOnBabelfish
}

// proved is the same of this table's own statement: Babelfish can hold no token of bytes
// that a statement could show or match, and what is never sent was not run.
func (t table) proved(op store.Op) string {
	said := proved(op, t.c.Form[string(op)])
	bytes := t.m.Column(model.RoleToken).Type == model.Binary && !asksCatalog(op)
	if said == onBabelfish && (bytes || t.dangerous(op) != "") {
		return parsedOnBabelfish
	}
	return said
}

// unparsed are the texts that Babelfish's grammar does not take: it does not know
// %%lockres%%.
func unparsed(op store.Op, form string) bool { return op == store.OpHolders && form == formByRow }

// provedQuestion says where a statement of the probe was run.
func provedQuestion(name string) string {
	if name == "who" || name == "there" || name == "facts" { // shorter forms, and what Babelfish has no view for
		return parsedOnBabelfish
	}
	return onBabelfish
}
