package sqlserver

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

// testDSN names the environment variable of the server that the contract is run on.
const testDSN = "LEASETOP_TEST_DSN"

// TestContract holds the dialect to the store's contract on a real server, in
// tables that it makes and drops.
func TestContract(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server; the statements stand on documentation and on the wire tests")
	}
	storetest.Run(t, newBench(t, dsn))
}

// bench is the server of a DSN. All cases share one store, since a new connection
// is what costs most there; what two processes do is two statements either way.
type bench struct {
	dsn    string
	raw    *sql.DB
	db     *store.DB
	caps   model.Caps
	tables tables
}

// look asks the server what it is, by a table of its own.
func (b *bench) look(t *testing.T) model.Caps {
	t.Helper()
	s := b.Stand(t)
	m := s.Make(t, b.Shapes()[0])
	c, err := s.Open(t).Queue(m).Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bareTables are the document's table with keys of each type.
var bareTables = map[string]string{
	"bigint":           "bigint IDENTITY(1, 1) PRIMARY KEY",
	"int":              "int IDENTITY(1, 1) PRIMARY KEY",
	"varchar(40)":      "varchar(40) NOT NULL PRIMARY KEY",
	"uniqueidentifier": "uniqueidentifier NOT NULL PRIMARY KEY",
}

// anotherClock is a table whose times are ahead of UTC, by half an hour among others:
// what is read as UTC by mistake cannot be right by chance.
const (
	anotherClock = "+05:30"
	itsMinutes   = 330
)

// now is the time of a table of the stand, in SQL.
func (s *stand) now() string {
	if s.shape.Variant == anotherClock {
		return fmt.Sprintf("DATEADD(minute, %d, SYSUTCDATETIME())", itsMinutes)
	}
	return "SYSUTCDATETIME()"
}

func (*bench) Shapes() []storetest.Shape {
	return []storetest.Shape{
		{Name: "lease", Profile: profile.Lease, Key: model.Int},
		{Name: "lease, by another clock", Profile: profile.Lease, Key: model.Int, Variant: anotherClock},
		{Name: "bare", Profile: profile.Bare, Key: model.Int, Variant: "bigint"},
		{Name: "bare, int key", Profile: profile.Bare, Key: model.Int, Variant: "int"},
		{Name: "bare, text key", Profile: profile.Bare, Key: model.Text, Variant: "varchar(40)"},
		{Name: "bare, GUID key", Profile: profile.Bare, Key: model.GUID, Variant: "uniqueidentifier"},
	}
}

func (b *bench) Can(op store.Op) (bool, string) {
	if b.caps.Engine == Babelfish && (strings.HasPrefix(string(op), "purge-") || op == store.OpClaim || op == store.OpRecover || op == store.OpPromote) {
		return false, errNoLockedCTE.Error()
	}
	if b.caps.Engine == Babelfish && asksLocks(op) {
		return false, "it has no view of locks"
	}
	if op == store.OpDirty && !b.caps.LowCounts {
		return false, "its readers wait for nobody, so there is nothing to read past"
	}
	return true, ""
}

func (b *bench) Stand(t testing.TB) storetest.Stand {
	t.Helper()
	return &stand{b: b}
}

// stand is one table of its own in the DSN's database. One that is given its
// table's name makes it and drops it again.
type stand struct {
	b     *bench
	table string
	shape storetest.Shape
	keys  int
}

func (s *stand) Open(testing.TB) *store.DB { return s.b.db }

func (s *stand) Dialect() store.Dialect { return patient{} }

// Slack is how long a case may take: the server's clock runs on meanwhile.
func (s *stand) Slack() time.Duration { return 30 * time.Second }

func (s *stand) exec(t testing.TB, text string, args ...any) {
	t.Helper()
	if _, err := s.b.raw.ExecContext(t.Context(), text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func (s *stand) Make(t testing.TB, shape storetest.Shape) model.Mapping {
	t.Helper()
	s.shape = shape
	found := false
	if s.table == "" {
		s.table, found = s.b.tables.take(t, shape.Name)
	} else {
		t.Cleanup(func() { s.b.drop(t, s.table) })
	}
	m, err := profile.For(shape.Profile, "orders", model.Table{Schema: "dbo", Name: s.table})
	if err != nil {
		t.Fatal(err)
	}
	if shape.Variant == anotherClock {
		m.Clock, m.Ahead = model.ClockFixed, itsMinutes*time.Minute
	}
	if found {
		s.Clear(t, &m)
		if !m.Brake.IsZero() {
			s.exec(t, "UPDATE dbo."+s.table+"_Control SET Braked = 0, At = NULL, Actor = NULL, Login = NULL, Reason = NULL, ActionId = NULL")
		}
		return m
	}
	if shape.Profile == profile.Lease {
		if err := s.Open(t).MakeSchema(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	s.exec(t, fmt.Sprintf(`CREATE TABLE dbo.%s
( JobId %s, State char(1) NOT NULL,
  ClaimToken uniqueidentifier NULL, LeaseUntil datetime2(3) NULL,
  Payload nvarchar(100) NOT NULL );
CREATE INDEX IX_QueueDemo_Ready ON dbo.%[1]s(State, JobId);`, s.table, bareTables[shape.Variant]))
	return m
}

// nextKey makes keys that the engine orders as they are made.
func (s *stand) nextKey() (model.Value, any) {
	s.keys++
	if s.shape.Key == model.GUID {
		k := fmt.Sprintf("AB0E0000-0000-4000-8000-%012d", s.keys)
		return model.GUIDValue(k), k
	}
	k := fmt.Sprintf(`job,%04d\`, s.keys)
	return model.TextValue(k), k
}

const insertLease = `INSERT INTO dbo.%s
 (State, ClaimToken, LeaseUntil, Payload, Priority, AvailableAt, Attempts, MaxAttempts, TotalClaims, ClaimedBy, LastError, ClaimedAt)
OUTPUT inserted.JobId
VALUES (@state, @token, DATEADD(millisecond, @lease, SYSUTCDATETIME()), @payload, @priority,
        DATEADD(millisecond, @available, SYSUTCDATETIME()), @attempts, @bound, @claims, @worker, @error,
        DATEADD(millisecond, -NULLIF(@claimed, 0), SYSUTCDATETIME()))`

func (s *stand) Insert(t testing.TB, m *model.Mapping, r storetest.Seed) model.Key {
	t.Helper()
	if r.State == model.StateUnknown {
		r.State = model.Ready
	}
	if r.Payload == "" {
		r.Payload = "{}"
	}
	lease := sql.NullInt64{}
	if r.Lease != nil {
		lease = sql.NullInt64{Int64: r.Lease.Milliseconds(), Valid: true}
	}
	text, args := insertLease, []any{
		sql.Named("state", m.States[r.State].Text), sql.Named("token", nullText(r.Token)), sql.Named("lease", lease), sql.Named("payload", r.Payload),
	}
	switch {
	case s.shape.Profile == profile.Lease:
		args = append(args, sql.Named("priority", number(r.Priority, 100)), sql.Named("available", r.Available.Milliseconds()),
			sql.Named("attempts", r.Attempts), sql.Named("bound", number(r.MaxAttempts, 5)), sql.Named("claims", r.TotalClaims),
			sql.Named("worker", nullText(r.Worker)), sql.Named("error", nullText(r.Error)), sql.Named("claimed", r.Claimed.Milliseconds()))
	case s.shape.Key == model.Int:
		text = `INSERT INTO dbo.%s (State, ClaimToken, LeaseUntil, Payload) OUTPUT inserted.JobId
VALUES (@state, @token, DATEADD(millisecond, @lease, SYSUTCDATETIME()), @payload)`
	default:
		k, bound := s.nextKey()
		s.exec(t, fmt.Sprintf(`INSERT INTO dbo.%s (JobId, State, ClaimToken, LeaseUntil, Payload)
VALUES (@key, @state, @token, DATEADD(millisecond, @lease, SYSUTCDATETIME()), @payload)`, s.table), append(args, sql.Named("key", bound))...)
		return model.KeyOf(k)
	}
	var id int64
	text = strings.ReplaceAll(text, "SYSUTCDATETIME()", s.now())
	if err := s.b.raw.QueryRowContext(t.Context(), fmt.Sprintf(text, s.table), args...).Scan(&id); err != nil {
		t.Fatalf("insert: %v", err)
	}
	return model.KeyOf(model.IntValue(id))
}

func nullText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

func number(n model.Number, other int64) int64 {
	if n.Known {
		return n.N
	}
	return other
}

func (s *stand) Clear(t testing.TB, m *model.Mapping) {
	t.Helper()
	s.exec(t, "DELETE FROM dbo."+s.table)
	if !m.History.IsZero() {
		s.exec(t, "DELETE FROM dbo."+s.table+"_History")
	}
}

func (s *stand) Advance(t testing.TB, m *model.Mapping, d time.Duration) {
	t.Helper()
	var sets []string
	for _, r := range model.Roles() {
		if c := m.Column(r); c.Type == model.Time {
			sets = append(sets, fmt.Sprintf("%s = DATEADD(millisecond, -@by, %[1]s)", quote(c.Name)))
		}
	}
	s.exec(t, "UPDATE dbo."+s.table+" SET "+strings.Join(sets, ", "), sql.Named("by", d.Milliseconds()))
	if !m.History.IsZero() {
		s.exec(t, "UPDATE dbo."+s.table+"_History SET [At] = DATEADD(millisecond, -@by, [At])", sql.Named("by", d.Milliseconds()))
	}
}

// Columns sends the statement with parameters that match no row.
func (s *stand) Columns(t testing.TB, st store.Stmt) []string {
	t.Helper()
	var args []any
	for _, p := range st.Params {
		v := p.Value
		if v.IsNull() && p.Declared == asInt {
			v = model.IntValue(1) // a TOP takes no NULL
		}
		if p.Name == "jobs" {
			v = model.TextValue("[]")
		}
		bound, err := Dialect{}.Bind(p, v)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, sql.Named(p.Name, bound))
	}
	rows, err := s.b.raw.QueryContext(t.Context(), st.Texts[0], args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", st.Op, err, st.Texts[0])
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v\n%s", st.Op, err, st.Texts[0])
	}
	return names
}
