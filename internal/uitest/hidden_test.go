package uitest_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/internal/uitest"
)

// TestARowThatNoReaderSees has somebody hold a ready row in an open transaction, in
// a database whose readers pass over locked rows: no list and no figure has it. The
// screen says so after the second look past all locks, and who holds it, although
// the row itself cannot be read. When it is let go, nothing is said any more.
func TestARowThatNoReaderSees(t *testing.T) {
	t.Parallel()
	var srv *server
	var (
		free  atomic.Bool
		looks atomic.Int32
	)
	uitest.Run(t, uitest.Options{Width: 100, Height: 30, Token: token, Linger: 2 * time.Minute, Model: func(s *uitest.Session) tea.Model {
		return watchServer(s, &srv, func(srv *server) {
			srv.passing = func(r tdstest.Request, now string) tdstest.Reply {
				switch {
				case strings.Contains(r.Text, "(FORCESEEK, NOLOCK)"):
					looks.Add(1)
					if free.Load() {
						return tdstest.Reply{tdstest.Rows([]string{"now", "key"}, []any{now, nil})}
					}
					return tdstest.Reply{tdstest.Rows([]string{"now", "key", "priority", "available"},
						[]any{now, 10388, nil, "1999-12-31T23:54:00"}, []any{now, 10421, nil, now})}
				case strings.Contains(r.Text, "sys.dm_tran_locks"):
					return tdstest.Reply{tdstest.Rows([]string{"now", "key", "optimized", "session", "level", "mode", "waiting", "ours", "program", "host", "login", "status", "held_ms", "busy"},
						[]any{now, 10388, 0, 61, "row", "X", 0, 0, "SSMS", "ADMIN-3", "anna", "sleeping", 360_000, 0})}
				case strings.Contains(r.Text, "AS [skipped]"):
					return tdstest.Reply{tdstest.Rows([]string{"now", "key", "skipped", "state"}, []any{now, 10388, 1, nil})}
				case strings.Contains(r.Text, "[JobId] = @key"):
					return tdstest.Reply{tdstest.TimedOut()}
				}
				return nil
			}
		})
	}}, func(s *uitest.Session) {
		s.UntilShown(5*time.Second, "10421")
		s.Wait(7 * time.Second)
		if n := looks.Load(); n != 1 {
			t.Errorf("%d looks past all locks", n)
		}
		s.ExpectNot("locked by another session")
		s.UntilShown(10*time.Second, "10388 is ready for 6m15s but locked by another session")
		s.Wait(half) // between two polls
		s.Golden("a row that no reader sees")
		s.Press(":")
		s.Type("job 10388")
		s.Press("enter")
		s.UntilShown(time.Second, "could not be read")
		s.Press("w")
		s.UntilShown(time.Second, "its row is locked by session 61: claims pass over it")
		s.Expect("SSMS", "anna", "not known: the job could not be read")
		s.Golden("who holds it")
		s.Press("esc", "esc")
		free.Store(true)
		s.Wait(12 * time.Second)
		s.ExpectNot("locked by another session")
	})
}
