package tdstest

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	mssql "github.com/microsoft/go-mssqldb"
)

// open connects the real driver over the pipe.
func open(t *testing.T, s *Server) *sql.DB {
	t.Helper()
	c, err := mssql.NewConnector(DSN + "&app+name=test+1")
	if err != nil {
		t.Fatal(err)
	}
	c.Dialer = s.Dialer()
	db := sql.OpenDB(c)
	t.Cleanup(func() { db.Close() })
	return db
}

// ask sends one statement and reads its first set to the end.
func ask(ctx context.Context, db *sql.DB, text string, args ...any) (rows [][]any, err error) {
	rs, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rs.Close()
	cols, err := rs.Columns()
	if err != nil {
		return nil, err
	}
	for rs.Next() {
		vals := make([]any, len(cols))
		ptrs := make([]any, len(cols))
		for i := range vals {
			ptrs[i] = &vals[i]
		}
		if err := rs.Scan(ptrs...); err != nil {
			return nil, err
		}
		rows = append(rows, vals)
	}
	return rows, rs.Err()
}

func bubble(t *testing.T, f func(t *testing.T)) { t.Helper(); synctest.Test(t, f) }

func TestWhatIsSentArrivesAndWhatIsAnsweredReturns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		long := strings.Repeat("payload é ", 30_000)
		s := New(t, Script(t,
			Step{
				Text: "SELECT @key, @name, @text, @none, @flag, @bytes",
				Params: []Param{
					{"key", "bigint", int64(-42)}, {"name", "varchar(3)", "abc"}, {"text", "nvarchar(max)", "é😀"},
					{"none", "nvarchar(4000)", nil}, {"flag", "bit", true}, {"bytes", "varbinary(2)", []byte{1, 2}},
				},
				Reply: Reply{Rows([]string{"n", "s", "b", "none"}, []any{int64(-7), long, []byte{9}, nil}, []any{nil, nil, nil, nil})},
			},
			Step{Text: "SELECT 1", Reply: Reply{Rows([]string{"one"}, []any{1})}},
		))
		db := open(t, s)
		got, err := ask(t.Context(), db, "SELECT @key, @name, @text, @none, @flag, @bytes",
			sql.Named("key", int64(-42)), sql.Named("name", mssql.VarChar("abc")), sql.Named("text", mssql.NVarCharMax("é😀")),
			sql.Named("none", sql.NullString{}), sql.Named("flag", true), sql.Named("bytes", []byte{1, 2}))
		want := [][]any{{int64(-7), long, []byte{9}, nil}, {nil, nil, nil, nil}}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d rows, %v", len(got), err)
		}
		if got, err := ask(t.Context(), db, "SELECT 1"); err != nil || !reflect.DeepEqual(got, [][]any{{int64(1)}}) {
			t.Errorf("a plain batch: %v, %v", got, err)
		}
		if l := s.Logins(); len(l) != 1 || l[0].User != "sa" || l[0].Password != "secret-Pw1" || l[0].App != "test 1" || l[0].Database != "Shop" {
			t.Errorf("logins %+v", l)
		}
		if r := s.Requests(); len(r) != 2 || r[1].Params != nil || !r[1].Reset || s.Count() != 2 {
			t.Errorf("requests %+v", r)
		}
	})
}

func TestErrorsOfTheServer(t *testing.T) {
	one := Rows([]string{"x"}, []any{1})
	tests := map[string]struct {
		reply Reply
		rows  int
		code  int32
	}{
		"alone":                         {Reply{Raced()}, 0, 1205},
		"and the batch runs on, empty":  {Reply{TimedOut(), Rows([]string{"x"})}, 0, 1222},
		"and the batch runs on":         {Reply{TimedOut(), one}, 1, 1222},
		"after a row":                   {Reply{Set{Columns: []string{"x"}, Rows: [][]any{{1}}, Broken: new(Raced())}}, 1, 1205},
		"after a set":                   {Reply{one, Denied("SELECT", "QueueDemo")}, 1, 229},
		"none, and counts of a trigger": {Reply{Count(2), one, Count(1)}, 1, 0},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := New(t, Script(t, Step{Reply: tc.reply}))
				rows, err := ask(t.Context(), open(t, s), "SELECT @x", sql.Named("x", 1))
				var e mssql.Error
				if errors.As(err, &e) != (tc.code != 0) || e.Number != tc.code {
					t.Errorf("error %v, want %d", err, tc.code)
				}
				if len(rows) != tc.rows {
					t.Errorf("%d rows, want %d", len(rows), tc.rows)
				}
			})
		})
	}
}

func TestMisbehaviour(t *testing.T) {
	one := Rows([]string{"x"}, []any{1})
	tests := map[string]struct {
		reply      Reply
		after      time.Duration // until the call is back
		attentions int
	}{
		"silence that hears a cancel": {Reply{Silence{}}, 2 * time.Second, 1},
		"silence for ever":            {Reply{Silence{Deaf: true}}, 7 * time.Second, 1},
		"half a packet, then silence": {Reply{Half{Of: Reply{one}}}, 7 * time.Second, 1},
		"half a packet, then the end": {Reply{Half{Of: Reply{one}, Hangup: true}}, 0, 0},
		"the end":                     {Reply{Hangup{}}, 0, 0},
		"slow rows": {
			Reply{Set{Columns: []string{"x"}, Rows: [][]any{{1}, {2}, {3}}, Pause: time.Second}}, 2 * time.Second, 1,
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := New(t, Script(t, Step{Reply: tc.reply}))
				db := open(t, s)
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				defer cancel()
				start := time.Now()
				_, err := ask(ctx, db, "SELECT @x", sql.Named("x", 1))
				if err == nil {
					t.Error("no error")
				}
				if took := time.Since(start); took < tc.after || took > tc.after+5*time.Second {
					t.Errorf("back after %v, want %v", took, tc.after)
				}
				if n := s.Attentions(); n < tc.attentions {
					t.Errorf("%d cancels, want %d", n, tc.attentions)
				}
			})
		})
	}
}

func TestSleepIsNoError(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := New(t, Script(t, Step{Reply: Reply{Sleep(time.Minute), Rows([]string{"x"}, []any{1})}}))
		if rows, err := ask(t.Context(), open(t, s), "SELECT @x", sql.Named("x", 1)); err != nil || len(rows) != 1 {
			t.Errorf("%v, %v", rows, err)
		}
	})
}

func TestLogins(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := New(t, Script(t))
		s.OnLogin(func(l Login) *LoginFault { return LoginFailed(l.User) })
		var e mssql.Error
		if err := open(t, s).PingContext(t.Context()); !errors.As(err, &e) || e.Number != 18456 {
			t.Errorf("error %v, want 18456", err)
		}
	})
}

func TestOverLoopback(t *testing.T) {
	s := New(t, Script(t, Step{Reply: Reply{Hangup{}}}, Step{Reply: Reply{Reset{}}}, Step{Reply: Reply{Rows([]string{"x"}, []any{1})}}))
	db, err := sql.Open("sqlserver", "sqlserver://sa:x@"+s.Listen()+"?encrypt=disable")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := ask(t.Context(), db, "SELECT @x", sql.Named("x", 1)); !errors.Is(err, io.EOF) {
		t.Errorf("error %v, want EOF", err)
	}
	var op *net.OpError
	if _, err := ask(t.Context(), db, "SELECT @x", sql.Named("x", 1)); !errors.As(err, &op) || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("error %v, want a reset", err)
	}
	if rows, err := ask(t.Context(), db, "SELECT @x", sql.Named("x", 1)); err != nil || len(rows) != 1 {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestTLS(t *testing.T) {
	s := New(t, func(Request) Reply { return Reply{Rows([]string{"x"}, []any{strings.Repeat("x", 20_000)})} })
	cert := s.Secure()
	addr := s.Listen()
	db, err := sql.Open("sqlserver", "sqlserver://sa:x@"+addr+"?encrypt=true&certificate="+cert)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if rows, err := ask(t.Context(), db, "SELECT @x", sql.Named("x", 1)); err != nil || len(rows) != 1 {
		t.Errorf("%v, %v", rows, err)
	}
	strange, err := sql.Open("sqlserver", "sqlserver://sa:x@"+addr+"?encrypt=true")
	if err != nil {
		t.Fatal(err)
	}
	defer strange.Close()
	if err := strange.PingContext(t.Context()); err == nil || !strings.Contains(err.Error(), "TLS Handshake failed") {
		t.Errorf("a certificate that nobody trusts: %v", err)
	}
}
