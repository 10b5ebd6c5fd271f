package sqlserver

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

const (
	tokenA = "0E5E70B5-0000-4000-8000-00000000000A"
	tokenB = "0E5E70B5-0000-4000-8000-00000000000B"
)

func key() model.Key                       { return model.KeyOf(model.IntValue(10421)) }
func token() model.Token                   { return model.TokenOf(model.GUIDValue(tokenA)) }
func in(a model.Action) model.Intent       { return intent(a, token()) }
func arg(n, d string, v any) tdstest.Param { return tdstest.Param{Name: n, Declared: d, Value: v} }

func intent(a model.Action, seen model.Token) model.Intent {
	return model.Intent{
		Action: a, Queue: "orders", Key: key(), Seen: model.Seen{State: model.Working, Token: seen},
		ActionID: tokenB, Actor: "ops@jump", Reason: "stuck since noon",
	}
}

// call is one operation as a caller of the store asks for it, and the parameters
// that must arrive for it.
type call struct {
	op   store.Op
	file string // the golden file; empty: the operation's name
	do   func(context.Context, *store.Queue) error
	want []tdstest.Param
}

// Parameters that many statements have.
var (
	theKey     = arg("key", "bigint", int64(10421))
	theToken   = arg("token", "varchar(36)", tokenA)
	newToken   = arg("new_token", "varchar(36)", tokenB)
	theAction  = arg("action", "varchar(36)", tokenB)
	theActor   = arg("actor", "nvarchar(max)", "ops@jump")
	theReason  = arg("reason", "nvarchar(max)", "stuck since noon")
	theTable   = arg("table", "nvarchar(17)", "[dbo].[QueueDemo]")
	theHistory = arg("history", "nvarchar(25)", "[dbo].[QueueDemo_History]")
	scheduledP = arg("scheduled", "varchar(1)", "S")
	readyP     = arg("ready", "varchar(1)", "R")
	workingP   = arg("working", "varchar(1)", "W")
	doneP      = arg("done", "varchar(1)", "D")
	failedP    = arg("failed", "varchar(1)", "F")
)

func calls() []call { return slices.Concat(watchCalls(), listCalls(), brakeCalls(), purgeCalls()) }

func watchCalls() []call {
	since := time.Date(2026, 3, 1, 11, 59, 58, 5e6, time.UTC)
	return []call{
		{store.OpPulse, "pulse.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Pulse(ctx, model.PulseAsk{Since: since})
			return err
		}, []tdstest.Param{arg("cap", "bigint", int64(10_000)), arg("since", "varchar(23)", "2026-03-01T11:59:58.005"), scheduledP, readyP, workingP, failedP, theTable}},
		{store.OpPulse, "pulse.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Pulse(ctx, model.PulseAsk{})
			return err
		}, []tdstest.Param{arg("cap", "bigint", int64(10_000)), arg("since", "nvarchar(4000)", nil), scheduledP, readyP, workingP, failedP, theTable}},
		{store.OpWorking, "working.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Page(ctx, model.ViewWorking)
			return err
		}, []tdstest.Param{arg("limit", "bigint", int64(501)), workingP}},
		{store.OpReady, "ready.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Page(ctx, model.ViewReady)
			return err
		}, []tdstest.Param{arg("limit", "bigint", int64(501)), readyP}},
		{store.OpInspect, "inspect.committed", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Inspect(ctx, key())
			return err
		}, []tdstest.Param{theKey}},
		{store.OpPayload, "payload.committed", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Payload(ctx, key(), 65536)
			return err
		}, []tdstest.Param{theKey, arg("max", "bigint", int64(65536))}},
		{store.OpHistory, "history.committed", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.History(ctx, key(), 50)
			return err
		}, []tdstest.Param{theKey, arg("limit", "bigint", int64(50))}},
		{store.OpAudit, "audit.committed", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Audit(ctx, key(), tokenB)
			return err
		}, []tdstest.Param{theKey, theAction}},
		{store.OpEnqueue, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Enqueue(ctx, []model.NewJob{{Payload: "é", Priority: model.NumberOf(5), Delay: time.Second}})
			return err
		}, []tdstest.Param{arg("jobs", "nvarchar(max)", `[{"payload":"é","priority":5,"delay_ms":1000}]`), scheduledP, readyP}},
		{store.OpClaim, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Claim(ctx, tokenA, "pick-07", 3, 5*time.Minute)
			return err
		}, []tdstest.Param{theToken, arg("n", "bigint", int64(3)), arg("lease_ms", "bigint", int64(300_000)), arg("worker", "nvarchar(max)", "pick-07"), readyP, workingP}},
		{store.OpHeartbeat, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Heartbeat(ctx, key(), token(), time.Minute)
			return err
		}, []tdstest.Param{theKey, theToken, arg("lease_ms", "bigint", int64(60_000)), workingP}},
		{store.OpComplete, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Complete(ctx, key(), token())
			return err
		}, []tdstest.Param{theKey, theToken, workingP, doneP}},
		{store.OpFail, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Fail(ctx, key(), token(), tokenB, 2*time.Second, "no such order")
			return err
		}, []tdstest.Param{theKey, theToken, newToken, arg("delay_ms", "bigint", int64(2000)), arg("error", "nvarchar(max)", "no such order"), scheduledP, workingP, failedP}},
		{store.OpRelease, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Release(ctx, key(), token(), tokenB)
			return err
		}, []tdstest.Param{theKey, theToken, newToken, readyP, workingP}},
		{store.OpRecover, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Recover(ctx, tokenB, 100, time.Second, model.DefaultBackoff(), 110)
			return err
		}, []tdstest.Param{
			newToken, arg("limit", "bigint", int64(100)), arg("grace_ms", "bigint", int64(1000)), arg("base_ms", "bigint", int64(1000)),
			arg("max_ms", "bigint", int64(300_000)), arg("jitter_pct", "bigint", int64(110)), scheduledP, workingP, failedP,
		}},
		{store.OpPromote, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Promote(ctx, 100)
			return err
		}, []tdstest.Param{arg("limit", "bigint", int64(100)), scheduledP, readyP}},
		{store.OpReclaim, "", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Apply(ctx, in(model.Reclaim))
			return err
		}, []tdstest.Param{theKey, theToken, theAction, theActor, theReason, readyP, workingP}},
		{store.OpForce, "", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Apply(ctx, in(model.Force))
			return err
		}, []tdstest.Param{theKey, theToken, theAction, theActor, theReason, readyP, workingP}},
		{store.OpFailed, "failed.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Page(ctx, model.ViewFailed)
			return err
		}, []tdstest.Param{arg("limit", "bigint", int64(501)), failedP}},
		{store.OpExtend, "", func(ctx context.Context, q *store.Queue) error {
			i := in(model.Extend)
			i.By = 5 * time.Minute
			_, _, err := q.Apply(ctx, i)
			return err
		}, []tdstest.Param{
			theKey, theToken, arg("by_s", "bigint", int64(300)), arg("mark_ms", "bigint", in(model.Extend).Mark()), theAction, theActor, theReason, workingP,
		}},
		{store.OpGrant, "", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Apply(ctx, in(model.Grant))
			return err
		}, []tdstest.Param{theKey, theToken, theAction, theActor, theReason, readyP, workingP}},
		{store.OpDeadLetter, "", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Apply(ctx, in(model.DeadLetter))
			return err
		}, []tdstest.Param{theKey, arg("state", "nvarchar(max)", "W"), theToken, theAction, theActor, theReason, failedP}},
		{store.OpDeadLetterUnclaimed, "", func(ctx context.Context, q *store.Queue) error {
			i := intent(model.DeadLetter, model.Token{})
			i.Seen.State = model.Ready
			_, _, err := q.Apply(ctx, i)
			return err
		}, []tdstest.Param{theKey, arg("state", "nvarchar(max)", "R"), theAction, theActor, theReason, failedP}},
		{store.OpRequeue, "", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Apply(ctx, in(model.Requeue))
			return err
		}, []tdstest.Param{theKey, theToken, theAction, theActor, theReason, readyP, failedP}},
		{store.OpRequeueUnclaimed, "", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Apply(ctx, intent(model.Requeue, model.Token{}))
			return err
		}, []tdstest.Param{theKey, theAction, theActor, theReason, readyP, failedP}},
		{store.OpLocked, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Locked(ctx, key())
			return err
		}, []tdstest.Param{theKey}},
		{store.OpHolders, "holders.row", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Holders(ctx, key())
			return err
		}, []tdstest.Param{theKey, arg("limit", "bigint", int64(51)), theTable}},
		{store.OpCatalog, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Catalog(ctx)
			return err
		}, []tdstest.Param{theTable, theHistory}},
		{store.OpIndexes, "", func(ctx context.Context, q *store.Queue) error {
			_, err := q.Indexes(ctx)
			return err
		}, []tdstest.Param{theTable, theHistory}},
		{store.OpHealth, "health.rcsi", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Health(ctx, false)
			return err
		}, []tdstest.Param{arg("cap", "bigint", int64(10_000)), scheduledP, readyP, workingP, failedP}},
		{store.OpHealthScan, "health-scan.rcsi-scan", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Health(ctx, true)
			return err
		}, []tdstest.Param{arg("cap", "bigint", int64(10_000)), scheduledP, readyP, workingP, doneP, failedP}},
		{store.OpHistoryHealth, "history-health.committed", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.HistoryHealth(ctx)
			return err
		}, []tdstest.Param{arg("limit", "bigint", int64(2000))}},
		// A corrupt row has no token: nothing is equal to NULL, so nothing is changed.
		{store.OpForce, "", func(ctx context.Context, q *store.Queue) error {
			_, _, err := q.Apply(ctx, intent(model.Force, model.Token{}))
			return err
		}, []tdstest.Param{theKey, arg("token", "nvarchar(4000)", nil), theAction, theActor, theReason, readyP, workingP}},
	}
}

// TestEveryOperationArrivesToTheLetter holds that what the golden files show, what
// is displayed and what the driver puts on the wire are the same, typed parameters
// included.
func TestEveryOperationArrivesToTheLetter(t *testing.T) {
	seen := map[store.Op]bool{}
	for _, c := range calls() {
		seen[c.op] = true
		t.Run(string(c.op), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, facts{}, always(nothing()))
				if err := c.do(t.Context(), w.q); err != nil {
					t.Fatal(err)
				}
				sent := w.sent(t)
				if len(sent) != 1 {
					t.Fatalf("%d statements were sent, want one", len(sent))
				}
				file := c.file
				if file == "" {
					file = string(c.op)
				}
				golden, err := os.ReadFile(filepath.Join(goldenDir, profile.Lease, file+".sql"))
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(golden), sent[0].Text+"\n"); d != "" {
					t.Errorf("sent (-golden +sent):\n%s", d)
				}
				if !reflect.DeepEqual(sent[0].Params, c.want) {
					t.Errorf("parameters\n%v\nwant\n%v", sent[0].Params, c.want)
				}
			})
		})
	}
	for _, s := range store.Specs() {
		if !seen[s.Op] && s.Op != store.OpPurgeKeys && s.Op != store.OpDirty { // which this table cannot have
			t.Errorf("%s is not asserted", s.Op)
		}
	}
}

// TestWhatIsShownIsWhatIsSent holds a plan's statement to the wire.
func TestWhatIsShownIsWhatIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{}, always(nothing()))
		shown, err := w.q.Render(t.Context(), in(model.Reclaim))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.q.Apply(t.Context(), in(model.Reclaim)); err != nil {
			t.Fatal(err)
		}
		sent := w.sent(t)[0]
		if shown.Text != sent.Text {
			t.Errorf("shown %q, sent %q", shown.Text, sent.Text)
		}
		for i, p := range sent.Params {
			a := shown.Args[i]
			if a.Name != p.Name || a.Declared != p.Declared || a.Value.Text != textOf(p.Value) && p.Declared != "bigint" {
				t.Errorf("shown %+v, sent %+v", a, p)
			}
		}
		if want := "SELECT on dbo.QueueDemo; UPDATE on dbo.QueueDemo (State, ClaimToken, LeaseUntil, AvailableAt); SELECT and INSERT on dbo.QueueDemo_History"; shown.Right != want {
			t.Errorf("right %q, want %q", shown.Right, want)
		}
	})
}

// TestLoginSaysWhoWeAre holds what a DBA sees of us.
func TestLoginSaysWhoWeAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{}, always(nothing()))
		l := w.Logins()[0]
		if l.App != "leasetop 1.2.3" || l.Database != "Shop" || l.User != "sa" || l.Password != "secret-Pw1" {
			t.Errorf("login %+v", l)
		}
	})
}
