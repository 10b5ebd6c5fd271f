package sqlserver

import (
	"database/sql"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

// TestRowContract holds the dialect to the contract of destructive queues on a real
// server, in tables that it makes and drops.
func TestRowContract(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server; the statements stand on documentation and on the wire tests")
	}
	storetest.RunRows(t, &rowBench{bench: newBench(t, dsn)})
}

type rowBench struct{ *bench }

func (b *rowBench) CanRow(op store.Op, s storetest.RowShape) (bool, string) {
	switch op {
	case store.OpHoldBeat, store.OpHoldCommit, store.OpHoldUndo:
		return false, "the server's own transaction holds the rows"
	case store.OpHold:
		if b.caps.Engine == Babelfish {
			return false, "Babelfish ignores READPAST: a second session waits for what the first one holds"
		}
	case store.OpDequeue, store.OpBuryOldest:
		if b.caps.Engine == Babelfish && (s.Order != model.OrderNone || op == store.OpBuryOldest) {
			return false, errNoOrderedDelete.Error()
		}
	}
	return true, ""
}

func (b *rowBench) Rows(t testing.TB, shape storetest.RowShape) storetest.RowStand {
	t.Helper()
	table, found := b.tables.take(t, "rows "+shape.Name)
	m, err := profile.For(profile.Destructive, "orders", model.Table{Schema: "dbo", Name: table})
	if err != nil {
		t.Fatal(err)
	}
	m.Lane.Order = shape.Order
	s := &rowStand{stand: &stand{b: b.bench, table: table}, m: m}
	if found {
		s.exec(t, "DELETE FROM dbo."+table+"; DELETE FROM dbo."+table+"_Dead")
		return s
	}
	if err := s.Open(t).MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	return s
}

// rowStand is one destructive queue in the DSN's database.
type rowStand struct {
	*stand
	m model.Mapping
}

func (s *rowStand) Mapping() model.Mapping { return s.m }

func (s *rowStand) Advance(t testing.TB, d time.Duration) {
	t.Helper()
	s.exec(t, "UPDATE dbo."+s.table+" SET QDateTime = DATEADD(millisecond, -@by, QDateTime)", sql.Named("by", d.Milliseconds()))
}

// Row adds a row whose time is the same for every row of one offset within a test,
// and no finer than it is printed.
func (s *rowStand) Row(t testing.TB, at time.Duration, customer, order int64) {
	t.Helper()
	s.exec(t, `INSERT INTO dbo.`+s.table+` (QDateTime, CustomerID, OrderID)
SELECT CAST(CONVERT(varchar(19), COALESCE(MIN(QDateTime), DATEADD(second, @at, SYSUTCDATETIME())), 126) AS datetime), @customer, @order
FROM dbo.`+s.table+` WHERE ABS(DATEDIFF(second, SYSUTCDATETIME(), QDateTime) - @at) < 20`,
		sql.Named("at", int64(at/time.Second)), sql.Named("customer", customer), sql.Named("order", order))
}

// Columns gives the row a time: a dead letter of nothing is refused.
func (s *rowStand) Columns(t testing.TB, st store.Stmt) []string {
	t.Helper()
	params := slices.Clone(st.Params)
	for i, p := range params {
		if p.Name == "key" {
			params[i].Value = model.TimeValue("2026-03-01T12:00:00.003")
		}
	}
	st.Params = params
	return s.stand.Columns(t, st)
}

// TestATransactionHoldsItsRows runs the dequeue in a transaction on a real server,
// as far as Babelfish takes it: without an order and with one session.
func TestATransactionHoldsItsRows(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server")
	}
	b := &rowBench{bench: newBench(t, dsn)}
	s, ok := b.Rows(t, storetest.RowShape{Order: model.OrderNone}).(*rowStand)
	if !ok {
		t.Fatal("not a stand")
	}
	q, ctx := s.Open(t).Queue(s.m), t.Context()
	for i := range int64(3) {
		s.Row(t, -time.Minute, 7, i)
	}
	depth := func() (int64, int64) {
		p, _, err := q.Pulse(ctx, model.PulseAsk{})
		if err != nil {
			t.Fatal(err)
		}
		return p.Ready.N, p.Failed.N
	}
	for _, commit := range []bool{false, true} {
		h, err := q.Hold(ctx, "any", 2)
		if err != nil || len(h.Rows()) != 2 {
			t.Fatalf("held %v, %v", h, err)
		}
		if err := h.Bury(ctx, h.Rows()[0].Key, "0E5E70B5-0000-4000-8000-00000000000A", "worker-01", "no such order"); err != nil {
			t.Fatal(err)
		}
		end, wantReady, wantDead := h.Rollback, int64(3), int64(0)
		if commit {
			end, wantReady, wantDead = h.Commit, 1, 1
		}
		if err := end(ctx); err != nil {
			t.Fatal(err)
		}
		if ready, dead := depth(); ready != wantReady || dead != wantDead {
			t.Errorf("committed %v: %d ready, %d dead", commit, ready, dead)
		}
	}
}
