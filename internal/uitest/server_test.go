package uitest_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlserver"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/internal/uitest"
	"github.com/leasetop/leasetop/model"
)

// server is a SQL Server as the driver sees it, with a table of the shipped schema
// that has one lease. It is well until told otherwise.
type server struct {
	*tdstest.Server
	m model.Mapping

	mu  sync.Mutex
	ill tdstest.Reply // what every statement is answered; nil: it is well

	// passing is a database without row versions, whose clock goes on.
	passing func(r tdstest.Request, now string) tdstest.Reply
}

func (s *server) fall(ill ...tdstest.Part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ill = ill
}

// answer knows the statements by the columns that they ask for.
func (s *server) answer(r tdstest.Request) tdstest.Reply {
	s.mu.Lock()
	ill := s.ill
	s.mu.Unlock()
	now, rcsi := "2000-01-01T00:00:00", 1
	if s.passing != nil {
		now, rcsi = time.Now().UTC().Format("2006-01-02T15:04:05.000"), 0
		if got := s.passing(r, now); got != nil {
			return got
		}
	}
	if ill != nil {
		return ill
	}
	if set, ok := tdstest.Catalog(r, &s.m, now); ok {
		return set
	}
	row := map[string]any{
		"now": now, "version": "16.0.1", "database": "Shop", "login": "ops", "rcsi": rcsi, "level": 160, "updateability": "READ_WRITE",
		"object_id": 42, "type": "U ", "rows": 9, "insert": 1, "history_id": 43, "history_select": 1, "history_insert": 1,
		"ready": 3, "scheduled": 0, "working": 1, "expired": 0, "failed": 0, "corrupt": 0, "enqueued": 9, "completed": 0, "epoch": "1",
		"key": 10421, "state": "W", "token": "9F3CA100-0000-4000-8000-000000000001", "lease": "2000-01-01T00:04:00.500",
		"worker": "pick-07", "attempts": 1, "max_attempts": 5, "available": now,
	}
	var columns []string
	var values []any
	for name := range row {
		columns = append(columns, name)
	}
	slices.Sort(columns)
	for _, name := range columns {
		values = append(values, row[name])
	}
	return tdstest.Reply{tdstest.Rows(columns, values)}
}

// watchServer is the whole program over a server.
func watchServer(s *uitest.Session, into **server, before ...func(*server)) tea.Model {
	m, err := profile.For(profile.Lease, queueName, model.Table{Schema: "dbo", Name: "Orders"})
	if err != nil {
		s.Fatal(err)
	}
	srv := &server{m: m}
	srv.Server = tdstest.New(s.T, srv.answer)
	db, err := sqlserver.Open(tdstest.DSN, sqlserver.Options{Version: "v0", Dialer: srv.Dialer()})
	if err != nil {
		s.Fatal(err)
	}
	*into = srv
	for _, prepare := range before { // the poller connects as soon as it runs
		prepare(srv)
	}
	return worldOn(s.T, db, m, 2*time.Second).watch()
}

// TestServerFaults takes the whole program through every class of trouble: what the
// screen says and how soon, that keys work meanwhile, that the connection is thrown
// away, how often it is tried again, and that it is live again when the trouble is
// over, by itself.
func TestServerFaults(t *testing.T) {
	number := func(n int32, text string) tdstest.Reply {
		return tdstest.Reply{tdstest.Error{Number: n, Message: text}}
	}
	tests := map[string]struct {
		ill    tdstest.Reply
		health string // in the header
		says   string // somewhere
		within time.Duration
		atMost int // statements in the second minute of trouble
	}{
		"a deadlock":           {tdstest.Reply{tdstest.Raced()}, "STALE", "deadlock", 3 * time.Second, 31},
		"a lock timeout":       {tdstest.Reply{tdstest.TimedOut()}, "STALE", "1222", 3 * time.Second, 31},
		"moving away":          {number(40613, "Database is not currently available"), "DOWN", "40613", 3 * time.Second, 8},
		"a right is taken":     {tdstest.Reply{tdstest.Denied("SELECT", "Orders")}, "BROKEN", "SELECT permission was denied", 3 * time.Second, 12},
		"a column is gone":     {number(207, "Invalid column name 'LeaseUntil'."), "BROKEN", "Invalid column name", 3 * time.Second, 12},
		"a statement refused":  {number(650, "You can only specify the READPAST lock"), "BROKEN", "READPAST", 3 * time.Second, 12},
		"a secondary":          {number(976, "The target database is participating in an availability group"), "DOWN", "availability group", 3 * time.Second, 8},
		"the connection broke": {tdstest.Reply{tdstest.Hangup{}}, "DOWN", "connection broke", 3 * time.Second, 8},
		"no answer":            {tdstest.Reply{tdstest.Silence{Deaf: true}}, "STALE", "no answer", 6 * time.Second, 8},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var srv *server
			uitest.Run(t, uitest.Options{Width: 120, Height: 30, Token: token, Linger: 2 * time.Minute, Model: func(s *uitest.Session) tea.Model {
				return watchServer(s, &srv)
			}}, func(s *uitest.Session) {
				s.UntilShown(5*time.Second, "10421")
				s.Expect("live")
				before := srv.Requests()
				srv.fall(tc.ill...)
				s.UntilShown(tc.within, tc.health)
				s.UntilShown(10*time.Second, tc.says)
				screen := s.Screen()
				s.Press("?")
				if s.Screen() == screen {
					t.Errorf("keys do not work\n%s", screen)
				}
				s.Press("esc")
				s.Wait(time.Minute)
				n := srv.Count()
				s.Wait(time.Minute)
				if n = srv.Count() - n; n > tc.atMost {
					t.Errorf("%d statements in a minute, want at most %d", n, tc.atMost)
				}
				after := srv.Requests()
				if a, b := after[len(after)-1].Conn, before[len(before)-1].Conn; a == b {
					t.Errorf("connection %d is kept after errors", a)
				}
				s.ExpectNot("live")
				srv.fall()
				s.UntilShown(time.Minute, "live")
			})
		})
	}
}

// TestRefusedLoginIsTriedOnce holds that no account is locked out by a screen that
// is left open: after the one refusal only a key tries again.
func TestRefusedLoginIsTriedOnce(t *testing.T) {
	t.Parallel()
	var srv *server
	uitest.Run(t, uitest.Options{Width: 120, Height: 30, Token: token, Linger: 2 * time.Minute, Model: func(s *uitest.Session) tea.Model {
		return watchServer(s, &srv, func(srv *server) {
			srv.OnLogin(func(l tdstest.Login) *tdstest.LoginFault { return tdstest.LoginFailed(l.User) })
		})
	}}, func(s *uitest.Session) {
		s.UntilShown(5*time.Second, "Login failed for user 'sa'")
		s.Expect("BROKEN", "tries again")
		s.Wait(time.Hour)
		if n := len(srv.Logins()); n != 1 {
			t.Errorf("%d logins in an hour, want one", n)
		}
		s.Press("R")
		s.Wait(time.Minute)
		if n := len(srv.Logins()); n != 2 {
			t.Errorf("%d logins after a key, want two", n)
		}
		srv.OnLogin(nil)
		s.Press("R")
		s.UntilShown(10*time.Second, "live")
		if strings.Contains(s.Screen(), "secret-Pw1") {
			t.Error("the password is on the screen")
		}
	})
}
