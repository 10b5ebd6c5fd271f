package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

func TestContract(t *testing.T) { storetest.Run(t, bench{}) }

// clock is the server's time of a test: it stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock {
	return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 123e6, time.UTC)}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// bench makes the tables that the embedded engine meets: the shipped one, and the
// bare one as people make it by hand.
type bench struct{}

// bareTables are hand-made tables by variant, with the way in which each writes a
// lease; an empty way is unix milliseconds.
var bareTables = map[string]struct{ ddl, lease, token string }{
	"ms": {ddl: `CREATE TABLE %s (JobId INTEGER PRIMARY KEY, State TEXT NOT NULL, ClaimToken TEXT, LeaseUntil INTEGER, Payload TEXT NOT NULL);
CREATE INDEX IX_Ready ON %[1]s (State, JobId)`},
	"iso":  {lease: "2006-01-02T15:04:05.000", ddl: `CREATE TABLE %s (JobId INTEGER PRIMARY KEY AUTOINCREMENT, State CHAR(1) NOT NULL, ClaimToken TEXT, LeaseUntil TEXT, Payload TEXT NOT NULL)`},
	"text": {lease: "2006-01-02 15:04:05.000", ddl: `CREATE TABLE %s (JobId TEXT NOT NULL PRIMARY KEY DEFAULT (lower(hex(randomblob(8)))), State TEXT NOT NULL, ClaimToken TEXT, LeaseUntil DATETIME, Payload TEXT NOT NULL) WITHOUT ROWID`},
	"guid": {lease: "2006-01-02T15:04:05.000Z", token: "lower", ddl: `CREATE TABLE %s (JobId UNIQUEIDENTIFIER NOT NULL, State CHAR(1) NOT NULL, ClaimToken UNIQUEIDENTIFIER, LeaseUntil DATETIME2, Payload NVARCHAR(100) NOT NULL, UNIQUE (JobId))`},
	"blob": {ddl: `CREATE TABLE %s (JobId BLOB NOT NULL PRIMARY KEY, State TEXT NOT NULL, ClaimToken TEXT, LeaseUntil BIGINT, Payload TEXT NOT NULL)`},
}

func (bench) Shapes() []storetest.Shape {
	return []storetest.Shape{
		{Name: "lease", Profile: profile.Lease, Key: model.Int},
		{Name: "bare", Profile: profile.Bare, Key: model.Int, Variant: "ms"},
		{Name: "bare, ISO text", Profile: profile.Bare, Key: model.Int, Variant: "iso"},
		{Name: "bare, text key", Profile: profile.Bare, Key: model.Text, Variant: "text"},
		{Name: "bare, GUID key", Profile: profile.Bare, Key: model.GUID, Variant: "guid"},
		{Name: "bare, blob key", Profile: profile.Bare, Key: model.Binary, Variant: "blob"},
	}
}

func (bench) Can(op store.Op) (bool, string) {
	if op == store.OpLocked || op == store.OpHolders || op == store.OpDirty {
		return false, "it has no row locks"
	}
	return true, ""
}

func (bench) Stand(t testing.TB) storetest.Stand {
	s := &stand{path: filepath.Join(t.TempDir(), "queue.db"), clock: newClock()}
	s.raw = openRaw(t, s.path)
	return s
}

// openRaw opens a file past the store.
func openRaw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// stand is one file and a plain connection to it.
type stand struct {
	path  string
	clock *clock
	raw   *sql.DB
	shape storetest.Shape
	keys  int
}

func (s *stand) options() sqlite.Options {
	return sqlite.Options{Path: s.path, Create: true, Now: s.clock.Now}
}

func (s *stand) Open(t testing.TB) *store.DB {
	t.Helper()
	db, err := sqlite.Open(s.options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

func (s *stand) Dialect() store.Dialect { return sqlite.New(s.options()) }

func (s *stand) Slack() time.Duration { return 0 }

func (s *stand) Advance(_ testing.TB, _ *model.Mapping, d time.Duration) { s.clock.advance(d) }

func (s *stand) Clear(t testing.TB, m *model.Mapping) {
	t.Helper()
	s.exec(t, "DELETE FROM QueueDemo")
	if !m.History.IsZero() {
		s.exec(t, "DELETE FROM QueueDemo_History")
	}
}

func (s *stand) Make(t testing.TB, shape storetest.Shape) model.Mapping {
	t.Helper()
	s.shape = shape
	m, err := profile.For(shape.Profile, "orders", model.Table{Name: "QueueDemo"})
	if err != nil {
		t.Fatal(err)
	}
	if shape.Profile == profile.Lease {
		if err := s.Open(t).MakeSchema(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	s.exec(t, fmt.Sprintf(bareTables[shape.Variant].ddl, m.Table.Name))
	return m
}

func (s *stand) exec(t testing.TB, text string, args ...any) {
	t.Helper()
	if _, err := s.raw.ExecContext(t.Context(), text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// nextKey makes keys that the engine orders as they are made.
func (s *stand) nextKey() (model.Value, any) {
	s.keys++
	switch s.shape.Key {
	case model.Text:
		k := fmt.Sprintf("job,%04d\\", s.keys)
		return model.TextValue(k), k
	case model.GUID:
		k := fmt.Sprintf("aB0e0000-0000-4000-8000-%012d", s.keys)
		return model.TextValue(k), k
	case model.Binary:
		return model.Value{Type: model.Binary, Text: fmt.Sprintf("0x00%04X", s.keys)}, []byte{0, byte(s.keys >> 8), byte(s.keys)}
	default:
		return model.IntValue(int64(s.keys)), s.keys
	}
}

func (s *stand) Insert(t testing.TB, m *model.Mapping, r storetest.Seed) model.Key {
	t.Helper()
	key, bound := s.nextKey()
	now := s.clock.Now()
	if r.State == model.StateUnknown {
		r.State = model.Ready
	}
	if r.Payload == "" {
		r.Payload = "{}"
	}
	var token, lease any
	if r.Token != "" {
		token = r.Token
		if bareTables[s.shape.Variant].token == "lower" {
			token = strings.ToLower(r.Token)
		}
	}
	if r.Lease != nil {
		lease = s.time(now.Add(*r.Lease))
	}
	var claimed any
	if r.Claimed > 0 {
		claimed = now.Add(-r.Claimed).UnixMilli()
	}
	state := m.States[r.State].Text
	if s.shape.Profile == profile.Bare {
		s.exec(t, "INSERT INTO QueueDemo (JobId, State, ClaimToken, LeaseUntil, Payload) VALUES (?, ?, ?, ?, ?)", bound, state, token, lease, r.Payload)
		return model.KeyOf(key)
	}
	s.exec(t, `INSERT INTO QueueDemo (JobId, State, ClaimToken, LeaseUntil, Payload, Priority, AvailableAt, EnqueuedAt, Attempts, MaxAttempts, TotalClaims, ClaimedBy, LastError, ClaimedAt)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, bound, state, token, lease, r.Payload, or(r.Priority, 100), now.Add(r.Available).UnixMilli(), now.UnixMilli(),
		r.Attempts, or(r.MaxAttempts, 5), r.TotalClaims, null(r.Worker), null(r.Error), claimed)
	return model.KeyOf(key)
}

func (s *stand) time(at time.Time) any {
	if form := bareTables[s.shape.Variant].lease; form != "" {
		return at.UTC().Format(form)
	}
	return at.UnixMilli()
}

func or(n model.Number, other int64) int64 {
	if n.Known {
		return n.N
	}
	return other
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (s *stand) Columns(t testing.TB, st store.Stmt) []string {
	t.Helper()
	args := []any{sql.Named("now", int64(1))}
	for _, p := range st.Params {
		var v any
		if p.Declared == "INTEGER" {
			v = int64(1) // a LIMIT takes no NULL
		}
		args = append(args, sql.Named(p.Name, v))
	}
	rows, err := s.raw.QueryContext(t.Context(), st.Texts[st.Answer], args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", st.Op, err, st.Texts[st.Answer])
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// parameter finds the parameters of a text.
var parameter = regexp.MustCompile(`@([a-z_0-9]+)`)

// named gives every parameter of a text the number one.
func named(text string) []any {
	var out []any
	seen := map[string]bool{}
	for _, p := range parameter.FindAllStringSubmatch(text, -1) {
		if !seen[p[1]] {
			seen[p[1]] = true
			out = append(out, sql.Named(p[1], int64(1)))
		}
	}
	return out
}
