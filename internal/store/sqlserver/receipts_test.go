package sqlserver

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/poller"
)

// noJournal keeps nothing: what a journal must keep is tested where it is written.
type noJournal struct{}

func (noJournal) Sent(model.Plan, time.Time) error { return nil }
func (noJournal) Done(model.Receipt) error         { return nil }
func (noJournal) Place() string                    { return "nowhere" }

// bareJob is a row of the bare table as a statement that reads jobs gives it.
func bareJob(state, token string, lease any) tdstest.Set {
	return row(map[string]any{"key": 10421, "state": state, "token": token, "lease": lease})
}

// TestReclaimOnTheBareTable takes a reclaim over the wire to every outcome.
func TestReclaimOnTheBareTable(t *testing.T) {
	const over, later = "2026-03-01T11:58:00", "2026-03-01T12:00:41.123"
	asItWas := bareJob("W", tokenA, over)
	// taken is the captured row under the token that the statement was given.
	taken := func(r tdstest.Request) tdstest.Reply {
		c := changed()
		for _, p := range r.Params {
			if p.Name == "action" {
				c["new_token"] = p.Value
			}
		}
		delete(c, "attempts")
		delete(c, "worker")
		return tdstest.Reply{row(c)}
	}
	says := func(parts ...tdstest.Part) func(tdstest.Request) tdstest.Reply { return always(parts...) }
	tests := map[string]struct {
		act  func(tdstest.Request) tdstest.Reply
		read tdstest.Set
		want model.Outcome
		text string
	}{
		"applied":                   {taken, asItWas, model.Applied, "ready under a new token"},
		"completed meanwhile":       {says(nothing()), bareJob("D", tokenA, nil), model.Changed, "completed the job"},
		"claimed again":             {says(nothing()), bareJob("W", tokenB, later), model.Changed, "another claim"},
		"renewed":                   {says(nothing()), bareJob("W", tokenA, later), model.Changed, "still runs for"},
		"gone":                      {says(nothing()), nothing(), model.Gone, "no such job"},
		"refused by a deadlock":     {says(tdstest.Error{Number: 1205, Message: "deadlock victim"}), asItWas, model.Refused, "1205"},
		"refused for want of right": {says(tdstest.Error{Number: 229, Message: "UPDATE was denied"}), asItWas, model.Refused, "229"},
		"refused by a lock timeout, and the batch runs on": {
			says(tdstest.Error{Number: 1222, Message: "Lock request time out period exceeded."}, nothing()), asItWas, model.Refused, "1222",
		},
		"unknown: the reply was lost": {says(tdstest.Hangup{}), asItWas, model.OutcomeUnknown, "may still take effect"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, facts{profile: profile.Bare}, func(r tdstest.Request) tdstest.Reply {
					if strings.Contains(r.Text, "UPDATE [dbo].[QueueDemo]") {
						return tc.act(r)
					}
					return tdstest.Reply{tc.read}
				})
				desk := actions.New(map[string]actions.Target{"orders": {Store: w.q, Control: true}}, noJournal{}, "ops")
				shown := &model.Job{Key: key(), Token: token(), State: model.Working, Lease: instant(over)}
				p, err := desk.Plan(t.Context(), "orders", actions.Ask{Action: model.Reclaim, Row: shown, At: serverNow})
				if err != nil {
					t.Fatal(err)
				}
				r := desk.Apply(t.Context(), p, "")
				if r.Outcome != tc.want || !strings.Contains(r.Message, tc.text) {
					t.Fatalf("%s %q, want %s with %q", r.Outcome, r.Message, tc.want, tc.text)
				}
				sent := 0
				for _, s := range w.sent(t) {
					if strings.Contains(s.Text, "UPDATE [dbo].[QueueDemo]") {
						sent++
					}
				}
				if sent != 1 {
					t.Errorf("the act was sent %d times", sent)
				}
			})
		})
	}
}

// TestReclaimOfOtherTokens takes a reclaim of tokens that no server here can hold over the
// wire: what arrives, and what proves it.
func TestReclaimOfOtherTokens(t *testing.T) {
	const seen = "0x00000000000007D1"
	for declared, tc := range map[string]struct {
		fence, captured string // as it arrives; empty: nothing does
		reread          string // after a lost reply
		lost            model.Outcome
	}{
		"varbinary(16)": {fence: "the id", captured: "the id", reread: "the id", lost: model.Applied},
		"timestamp":     {captured: "0x00000000000007D2", reread: "0x00000000000007D2", lost: model.OutcomeUnknown},
	} {
		for _, lost := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				own := ""
				value := func(s string) string {
					if s == "the id" {
						return own
					}
					return s
				}
				w := probed(t, facts{profile: profile.Bare, token: declared}, func(r tdstest.Request) tdstest.Reply {
					if !strings.Contains(r.Text, "UPDATE [dbo].[QueueDemo]") {
						return tdstest.Reply{bareJob("R", value(tc.reread), nil)}
					}
					for _, p := range r.Params {
						if p.Name == "token" && (p.Declared != "varchar(max)" || p.Value != seen) || p.Name == "fence" && p.Declared != "varchar(max)" {
							t.Errorf("%s: parameter %+v", declared, p)
						}
						if p.Name == "fence" {
							own, _ = p.Value.(string)
						}
					}
					if lost {
						return tdstest.Reply{tdstest.Hangup{}}
					}
					c := changed()
					c["old_token"], c["new_token"] = seen, value(tc.captured)
					return tdstest.Reply{row(c)}
				})
				desk := actions.New(map[string]actions.Target{"orders": {Store: w.q, Control: true}}, noJournal{}, "ops")
				shown := &model.Job{Key: key(), Token: model.TokenOf(model.Value{Type: model.Binary, Text: seen}), State: model.Working, Lease: instant("2026-03-01T11:58:00")}
				p, err := desk.Plan(t.Context(), "orders", actions.Ask{Action: model.Reclaim, Row: shown, At: serverNow})
				if err != nil {
					t.Fatal(err)
				}
				want := map[bool]model.Outcome{false: model.Applied, true: tc.lost}[lost]
				if r := desk.Apply(t.Context(), p, ""); r.Outcome != want {
					t.Errorf("%s, lost %v: %s, %s; want %s", declared, lost, r.Outcome, r.Message, want)
				}
				if want := strings.ReplaceAll("0x"+p.Intent.ActionID, "-", ""); (own == want) != (tc.fence != "") {
					t.Errorf("%s: the act's token arrived as %q", declared, own)
				}
			})
		}
	}
}

// TestSnapshotOfTheBareTable takes one look over the wire to the JSON that scripts
// read.
func TestSnapshotOfTheBareTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pulse := row(map[string]any{
			"scheduled": nil, "ready": 2, "working": 1, "expired": 1, "corrupt": 0, "failed": 0, "rows": 10, "enqueued": 10,
			"completed": nil, "worst_key": 10421, "worst_lease": "2026-03-01T11:58:00", "priority": nil, "key": 1, "available": nil, "epoch": "e",
		})
		w := dial(t, facts{profile: profile.Bare}, func(r tdstest.Request) tdstest.Reply {
			if strings.Contains(r.Text, "@cap") {
				return tdstest.Reply{pulse}
			}
			return tdstest.Reply{bareJob("W", tokenA, "2026-03-01T11:58:00")}
		})
		s := poller.LookAll(t.Context(), []poller.Target{{Queue: "orders", Server: "db1", Source: w.q}}, model.ViewWorking, poller.Options{})[0]
		var out bytes.Buffer
		if err := report.WriteJSON(&out, report.FromSnapshots(serverNow, []*model.Snapshot{s})); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(strings.Fields(out.String()), "")
		for _, want := range []string{
			`"table":"dbo.QueueDemo"`, `"ready":{"n":2,"kind":"exact"}`, `"expired":{"n":1,"kind":"exact"}`,
			`"scheduled":{"n":null,"kind":"unknown"}`, `"done":{"n":7,"kind":"estimated"}`,
			`"key":"10421","token":"` + tokenA + `","worker":null,"attempt":null`, `"error":null`,
		} {
			if !strings.Contains(got, want) {
				t.Errorf("no %s in\n%s", want, out.String())
			}
		}
	})
}
