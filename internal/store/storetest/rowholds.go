package storetest

import (
	"errors"
	"slices"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func rowHolds() []rowCase {
	needs := []store.Op{store.OpHold, store.OpDequeue}
	return []rowCase{
		{name: "held rows are skipped, and gone at commit", needs: needs, run: holdCommit},
		{name: "held rows come back", needs: needs, run: holdRollback},
		{name: "a dead letter within the transaction", needs: needs, run: holdBury},
		{name: "rows of a session that died come back", needs: append(needs, store.OpHoldBeat), run: holdCrash},
	}
}

func holdCommit(e *rowEnv) {
	e.three()
	h := e.hold(e.q, 2)
	e.same("held", len(h.Rows()), 2)
	if p := e.pulse(); p.Working.Known() {
		e.same("locked", p.Working.N, 2)
		e.same("emulated", e.caps.Emulated, true)
		locked := int64(0)
		for _, j := range e.page(model.ViewReady).Jobs {
			locked += j.Locked.N
		}
		e.same("locked rows in the list", locked, 2)
	}
	other := e.another()
	got, err := other.Dequeue(e.ctx, 10)
	if err != nil || len(got) != 1 {
		e.Fatalf("another session dequeued %v, %v: it must skip what is locked, and nothing else", got, err)
	}
	all := e.orders(claimed(append(h.Rows(), got...))...)
	slices.Sort(all)
	e.same("rows of both, each once", all, "[1 2 3]")
	if err := h.Commit(e.ctx); err != nil {
		e.Fatalf("commit: %v", err)
	}
	e.same("depth", e.pulse().Ready.N, 0)
	if again := e.hold(e.q, 1); again != nil {
		e.Errorf("held %v of an empty queue", again.Rows())
	}
}

func holdRollback(e *rowEnv) {
	e.three()
	h := e.hold(e.q, 3)
	first := e.orders(claimed(h.Rows())...)
	if err := h.Rollback(e.ctx); err != nil {
		e.Fatalf("rollback: %v", err)
	}
	again := e.hold(e.another(), 3)
	e.same("what came back", e.orders(claimed(again.Rows())...), first)
	if err := again.Rollback(e.ctx); err != nil {
		e.Fatalf("rollback: %v", err)
	}
	e.same("depth", e.pulse().Ready.N, 3)
}

func holdBury(e *rowEnv) {
	e.three()
	h := e.hold(e.q, 2)
	bad := h.Rows()[1].Key
	if err := h.Bury(e.ctx, bad, e.guid(), "worker-01", "no such order"); err != nil {
		e.Fatalf("bury: %v", err)
	}
	if err := h.Rollback(e.ctx); err != nil {
		e.Fatalf("rollback: %v", err)
	}
	e.same("dead after a rollback", e.pulse().Failed.N, 0)
	h = e.hold(e.q, 2)
	bad = h.Rows()[1].Key
	if err := errors.Join(h.Bury(e.ctx, bad, e.guid(), "worker-01", "no such order"), h.Commit(e.ctx)); err != nil {
		e.Fatalf("bury and commit: %v", err)
	}
	p := e.pulse()
	e.same("depth", p.Ready.N, 1)
	e.same("dead", p.Failed.N, 1)
	j := e.first(model.ViewFailed)
	e.same("dead letter", e.orders(j.Key), e.orders(bad))
	e.same("reason", j.Error, "no such order")
}

// holdCrash is a process that dies: nobody rolls back for it. Where locks are
// emulated, the time after which its rows are free stands for the broken
// connection.
func holdCrash(e *rowEnv) {
	e.three()
	db := e.stand.Open(e)
	if h := e.hold(db.Queue(e.stand.Mapping()), 3); len(h.Rows()) != 3 {
		e.Fatalf("held %d rows, want three", len(h.Rows()))
	}
	if err := db.Close(); err != nil {
		e.Fatal(err)
	}
	e.same("free rows", len(e.dequeue(1)), 0)
	e.stand.Advance(e, store.HoldExpires+time.Second)
	e.same("free rows after its death", len(e.dequeue(3)), 3)
}
