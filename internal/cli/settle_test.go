package cli

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/sqlserver"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// TestARefusedLoginIsNotTriedForEarlierActs holds that acts of earlier sessions wait
// until the poller reads their queue: a server locks an account out after a few logins
// that it refused.
func TestARefusedLoginIsNotTriedForEarlierActs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := tdstest.New(t, func(tdstest.Request) tdstest.Reply { return nil })
		logins := 0
		server.OnLogin(func(l tdstest.Login) *tdstest.LoginFault {
			logins++
			return tdstest.LoginFailed(l.User)
		})
		db, err := sqlserver.Open(tdstest.DSN, sqlserver.Options{Version: "v0", Dialer: server.Dialer()})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}()
		m, err := profile.For(profile.Lease, "orders", model.Table{Schema: "dbo", Name: "Orders"})
		if err != nil {
			t.Fatal(err)
		}
		h := &house{queues: []room{{config: config.Queue{Mapping: m}, server: config.Server{Name: "db1"}, queue: db.Queue(m)}}}
		left := leftOver{acts: []entry{{
			ActionID: "0197A22C-0000-7000-8000-000000000001", Action: "reclaim", Server: "db1", Queue: "orders", Key: "7",
			Seen: &seen{State: "working", Token: "9F3CA100-0000-4000-8000-000000000001"}, At: time.Now().Add(-time.Hour),
		}}}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		w := watch(h, 2*time.Second)
		ended := w.run(ctx)
		desk := actions.New(h.desk(), newJournal(h), "anna")
		left.settle(ctx, h, desk, w.poller.Board, func(s string) { t.Errorf("it was told: %s", s) })
		<-ended
		if logins != 1 {
			t.Errorf("%d logins in a minute, want 1", logins)
		}
	})
}
