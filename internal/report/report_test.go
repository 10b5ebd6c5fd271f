package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/leasetop/leasetop/model"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and read the change\ngot:\n%s", file, got)
	}
}

func mapping() *model.Mapping {
	return &model.Mapping{
		Queue: "orders", Family: model.Fenced, Table: model.Table{Schema: "dbo", Name: "QueueDemo"},
		Keys: []model.Column{{Name: "JobId", Type: model.Int, Declared: "bigint"}},
		Columns: map[model.Role]model.Column{
			model.RoleState: {Name: "State", Type: model.Text, Declared: "char(1)"},
			model.RoleToken: {Name: "ClaimToken", Type: model.GUID, Declared: "uniqueidentifier"},
			model.RoleLease: {Name: "LeaseUntil", Type: model.Time, Declared: "datetime2(3)"},
		},
	}
}

const (
	tokenA = "9f3ca1d2-0000-4000-8000-000000000001"
	tokenB = "77b0e2aa-0000-4000-8000-000000000002"
)

func at(s int) time.Time { return time.Date(2026, 11, 30, 12, 4, s, 0, time.UTC) }

func job(key int64, token string, lease time.Time) *model.Job {
	return &model.Job{
		Key: model.KeyOf(model.IntValue(key)), Token: model.TokenOf(model.GUIDValue(token)), State: model.Working,
		Lease: model.Instant{At: lease, Raw: model.TimeValue(lease.Format("2006-01-02T15:04:05.000"))},
	}
}

// full is a queue of which much is known; bare is one of which nothing is.
func full() *model.Snapshot {
	expired, held, corrupt := job(10421, tokenA, at(1)), job(10455, tokenB, at(55)), job(10456, tokenB, at(0))
	expired.Worker, expired.Attempts, expired.MaxAttempts = "pick-07", model.NumberOf(3), model.NumberOf(5)
	corrupt.Token, corrupt.Lease = model.Token{}, model.Instant{}
	return &model.Snapshot{
		Queue: "orders", Mapping: mapping(), Cost: model.Cost{Took: 4 * time.Millisecond, Statements: 2},
		Latency: model.Part[model.Latency]{At: at(30), Data: model.Latency{
			P50: 80 * time.Millisecond, P95: 900 * time.Millisecond, P99: 2500 * time.Millisecond, N: model.Count{N: 10_000, Trust: model.Capped}, Over: 4 * time.Minute,
		}},
		Pulse: model.Part[model.Pulse]{At: at(30), Data: model.Pulse{
			Ready: model.Count{N: 10_000, Trust: model.Capped}, Scheduled: model.Count{N: 40, Trust: model.Exact},
			Failed: model.Count{N: 7, Trust: model.AtLeast}, Done: model.Count{N: 48_211, Trust: model.Estimated},
			Oldest:     &model.Oldest{Key: model.KeyOf(model.IntValue(10388)), Waiting: model.Age{D: 252 * time.Second, Trust: model.Exact}},
			ByPriority: []model.Oldest{{Key: model.KeyOf(model.IntValue(10388)), Priority: model.NumberOf(100), Waiting: model.Age{D: 252 * time.Second, Trust: model.Exact}}},
		}},
		Page: model.Part[model.Page]{At: at(31), Data: model.Page{View: model.ViewWorking, Jobs: []*model.Job{expired, held, corrupt}}},
		Findings: []model.Finding{
			{Kind: "expired", Severity: model.Bad, Key: expired.Key, Text: "lease ran out 30s ago", Cure: "leasetop recover orders"},
			{Kind: "nobody-recovers", Severity: model.Warn, Text: "no recovery <seen> for 2m"},
		},
	}
}

func bare() *model.Snapshot {
	return &model.Snapshot{
		Queue: "mail", Mapping: mapping(),
		Watch: model.Watch{Health: model.Down, Err: &model.Fault{Class: model.FaultNetwork, Text: "no connection to db2", Cure: "check the host"}},
	}
}

func TestSnapshotJSON(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, FromSnapshots(at(31), []*model.Snapshot{full(), bare()})); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/snapshot.json", b.Bytes())
	holds[Snapshot](t, "snapshot", b.Bytes())
}

func TestSnapshotPlain(t *testing.T) {
	var b bytes.Buffer
	if err := Plain(&b, []*model.Snapshot{full(), bare()}); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/snapshot.txt", b.Bytes())
}

func receipt() model.Receipt {
	before, after := job(10421, tokenA, at(1)), job(10421, tokenB, at(1))
	after.State, after.Lease = model.Ready, model.Instant{}
	return model.Receipt{
		Intent:  model.Intent{Action: model.Reclaim, Queue: "orders", Key: before.Key, ActionID: "77B0E2AA-0000-4000-8000-000000000002"},
		Outcome: model.Applied, Before: before, After: after, At: at(31), Message: "The job is ready again.",
	}
}

func TestReceipts(t *testing.T) {
	gone := receipt()
	gone.Outcome, gone.After, gone.Message = model.Gone, nil, "There is no such row."
	refused := model.Receipt{
		Intent: gone.Intent, Outcome: model.Refused, Message: "the server said no",
		Fault: &model.Fault{Class: model.FaultDenied, Code: 229, Text: "UPDATE was denied", Cure: "grant UPDATE"},
	}
	var plain, all bytes.Buffer
	for _, r := range []model.Receipt{receipt(), gone, refused} {
		var b bytes.Buffer
		if err := WriteJSON(&b, FromReceipt(r, mapping())); err != nil {
			t.Fatal(err)
		}
		holds[Receipt](t, "receipt", b.Bytes())
		all.Write(b.Bytes())
		if err := PlainReceipt(&plain, r, mapping()); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "testdata/receipt.json", all.Bytes())
	golden(t, "testdata/receipt.txt", plain.Bytes())
}

func TestPlan(t *testing.T) {
	p := model.Plan{
		Intent: receipt().Intent, Row: job(10421, tokenA, at(1)), Mapping: mapping(),
		Effects: []string{"It runs again."}, Refusal: model.No("the lease still runs for 41s", "wait, or force"),
		Confirm: model.Confirm{Type: "orders", Reason: true},
		Statement: model.Statement{Op: "reclaim", Text: "UPDATE …\nWHERE JobId = @key\n", Right: "UPDATE", Args: []model.Arg{
			{Name: "key", Declared: "bigint", Value: model.IntValue(10421)}, {Name: "reason", Declared: "nvarchar(2000)"},
		}},
	}
	var j, txt bytes.Buffer
	if err := WriteJSON(&j, FromPlan(p)); err != nil {
		t.Fatal(err)
	}
	holds[Plan](t, "plan", j.Bytes())
	if err := PlainPlan(&txt, p); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/plan.json", j.Bytes())
	golden(t, "testdata/plan.txt", txt.Bytes())
}

// holds checks a document against the schema of its type, and that schema against
// the published file.
func holds[T any](t *testing.T, name string, doc []byte) {
	t.Helper()
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("..", "..", "docs", "schema", name+".json"), append(text, '\n'))
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(v); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func TestTimesKeepTheColumnsScale(t *testing.T) {
	moment := time.Date(2026, 11, 30, 13, 4, 5, 123_456_700, time.FixedZone("", 3600))
	for declared, want := range map[string]string{
		"datetime2(3)": "2026-11-30T12:04:05.123Z", "datetime2(7)": "2026-11-30T12:04:05.1234567Z", "datetime2": "2026-11-30T12:04:05.1234567Z",
		"datetime2(0)": "2026-11-30T12:04:05Z", "datetime": "2026-11-30T12:04:05.123Z", "INTEGER": "2026-11-30T12:04:05.123Z",
	} {
		got := instant(model.Instant{At: moment, Raw: model.TimeValue("x")}, model.Column{Declared: declared})
		if got == nil || *got != want {
			t.Errorf("%s: %v, want %s", declared, got, want)
		}
	}
	if got := instant(model.Instant{Raw: model.TimeValue("9999-99")}, model.Column{}); got == nil || *got != "9999-99" {
		t.Errorf("a time that nobody can read is given as %v", got)
	}
}
