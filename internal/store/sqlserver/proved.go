package sqlserver

import (
	"slices"

	"github.com/leasetop/leasetop/internal/store"
)

// onBabelfish is a run of the contract suite on a server that takes the same text
// and answers it from another engine: it proves text, types and results, and says
// nothing about locks.
const onBabelfish = "Babelfish 4.3, but for its lock hints"

// proved says where a statement's text was run, beside the tests that hold it to
// the wire. What no server at hand could run stands on documentation: then it is
// empty.
func proved(op store.Op, form string) string {
	ran := map[store.Op][]string{
		store.OpPulse: {readerBabelfish}, store.OpWorking: {readerBabelfish}, store.OpReady: {readerBabelfish},
		store.OpInspect: {readerCommitted}, store.OpPayload: {readerCommitted},
		store.OpHistory: {readerBabelfish}, store.OpAudit: {readerBabelfish},
		store.OpEnqueue: {""}, store.OpHeartbeat: {""}, store.OpComplete: {""}, store.OpFail: {""}, store.OpRelease: {""},
		store.OpReclaim: {""}, store.OpForce: {""},
	}
	if slices.Contains(ran[op], form) {
		return onBabelfish
	}
	return ""
}
