package storetest

import (
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func statementCases() []testCase {
	return []testCase{
		{name: "all of them", run: everyOperation},
		{name: "parameters and columns", run: everyInterface},
		{name: "listed", run: listedStatements},
	}
}

// absentOnBare are the operations that the five columns cannot have: nothing is
// recorded that they could tell, or there is no state or bound that they are about.
func absentOnBare() []store.Op {
	return []store.Op{
		store.OpHistory, store.OpAudit, store.OpPromote, store.OpGrant,
		store.OpRepeaters, store.OpWorkers, store.OpEvents, store.OpWorkerEvents, store.OpLatency, store.OpFindOperation, store.OpFindWorker,
		store.OpBrakeState, store.OpBrake, store.OpReleaseBrake,
		store.OpPurgeDone, store.OpPurgeFailed, store.OpPurgeHistory,
		store.OpHistoryHealth,
	}
}

// everyOperation holds that each operation has a statement or a reason.
func everyOperation(e *env) {
	never := map[store.Op]bool{store.OpPurgeKeys: e.leaseTable() || e.m().Keys[0].Type != model.Int}
	if !e.leaseTable() {
		for _, op := range absentOnBare() {
			never[op] = true
		}
		if _, err := e.stand.Dialect().Statement(store.OpEnqueue, e.m(), &e.caps); err != nil {
			never[store.OpEnqueue] = e.m().Keys[0].Type != model.Int // only a number makes itself everywhere
		}
	}
	for _, spec := range store.Specs() {
		s, err := e.stand.Dialect().Statement(spec.Op, e.m(), &e.caps)
		if ok, why := e.can(spec.Op); !ok && err != nil {
			e.Logf("%s: %s", spec.Op, why)
			continue
		}
		switch {
		case never[spec.Op] && err == nil:
			e.Errorf("%s: the table cannot have it, yet there is a statement", spec.Op)
		case never[spec.Op] && len(strings.Fields(err.Error())) < 4:
			e.Errorf("%s: the reason %q says nothing", spec.Op, err)
		case !never[spec.Op] && err != nil:
			e.Errorf("%s: %v", spec.Op, err)
		}
		if err != nil {
			continue
		}
		is(e, "operation", s.Op, spec.Op)
		is(e, "kind", s.Kind, spec.Kind)
		if len(s.Texts) == 0 || s.Answer >= len(s.Texts) || s.Right == "" {
			e.Errorf("%s: %d texts, the answer is the %d-th, right %q", spec.Op, len(s.Texts), s.Answer, s.Right)
		}
	}
	if _, err := e.stand.Dialect().Statement("no-such-operation", e.m(), &e.caps); err == nil {
		e.Error("a statement for an operation that does not exist")
	}
}

// everyInterface holds that parameters and result columns are as agreed.
func everyInterface(e *env) {
	keys := store.KeyNames(len(e.m().Keys))
	for _, spec := range store.Specs() {
		s, err := e.stand.Dialect().Statement(spec.Op, e.m(), &e.caps)
		if err != nil {
			continue
		}
		var params []string
		for _, p := range s.Params {
			if p.Declared == "" {
				e.Errorf("%s: the parameter %s has no type", spec.Op, p.Name)
			}
			if p.Value.IsNull() { // the others are the statement's own
				params = append(params, p.Name)
			}
		}
		want := spec.Params
		if spec.Keyed {
			want = append(slices.Clone(keys), spec.Params...)
		}
		e.sameNames(spec.Op, "parameters", params, want)

		columns := append([]string{"now"}, spec.Columns...)
		if !spec.Keyless {
			columns = append(columns, keys...)
		}
		if ok, why := e.can(spec.Op); !ok {
			e.Logf("%s: columns not looked at: %s", spec.Op, why)
			continue
		}
		got := slices.DeleteFunc(e.stand.Columns(e, s), func(c string) bool { return spec.Op == store.OpPayload && c == "cut" })
		e.sameNames(spec.Op, "columns", got, columns)
	}
}

func (e *env) sameNames(op store.Op, what string, got, want []string) {
	e.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		e.Errorf("%s: %s are %v, want %v", op, what, got, want)
	}
}

// operations is how many of the statements carry out an operation: a dialect may list
// those of its probe before them.
func operations(list []model.Statement) int {
	n := 0
	for _, s := range list {
		if !strings.HasPrefix(s.Op, "probe: ") {
			n++
		}
	}
	return n
}

func listedStatements(e *env) {
	sendable, absent, err := e.q.Statements(e.ctx)
	if err != nil {
		e.Fatalf("statements: %v", err)
	}
	is(e, "listed", operations(sendable)+len(absent), len(store.Specs()))
	for _, s := range sendable {
		if strings.TrimSpace(s.Text) == "" {
			e.Errorf("%s has no text", s.Op)
		}
	}
	if _, err := store.Schema(e.stand.Dialect(), e.m()); (err == nil) != e.leaseTable() {
		e.Errorf("schema of a %s table: %v", e.shape.Profile, err)
	}
	if !e.caps.Allows(model.CanRead).OK || !e.caps.Allows(model.CanCount).OK {
		e.Errorf("a small table may be read and counted: %+v", e.caps.Can)
	}
}
