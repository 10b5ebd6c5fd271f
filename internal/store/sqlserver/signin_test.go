package sqlserver

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/dsn"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

const entraDSN = "sqlserver://tdstest:1433?database=Shop&encrypt=disable&fedauth=ActiveDirectoryInteractive"

// federated is a queue whose server wants access tokens, which fetch gives.
func federated(t *testing.T, fetch tokenFunc) (*tdstest.Server, *store.DB) {
	t.Helper()
	s := tdstest.New(t, func(r tdstest.Request) tdstest.Reply {
		a, _ := facts{}.answer(t, r)
		return a
	})
	s.Federate("https://login.microsoftonline.com/tenant-1/", "https://database.windows.net/")
	db, err := Open(entraDSN, Options{Dialer: s.Dialer(), Identity: &Identity{token: fetch}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return s, db
}

// TestEntraSignsIn holds that a login carries the token for what the server itself
// named, from the tenant that it named.
func TestEntraSignsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, db := federated(t, func(_ context.Context, scope, tenant string) (string, error) {
			return "token of " + tenant + " for " + scope, nil
		})
		if _, err := db.Queue(*facts{}.mapping(t)).Probe(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := "token of tenant-1 for https://database.windows.net//.default"
		if got := s.Logins()[0]; got.Token != want || got.User != "" || got.Password != "" {
			t.Errorf("%+v, want %q and no password", got, want)
		}
	})
}

// TestEntraRefuses holds that a sign-in which is refused is a login's fault, told
// in one line, and one that is slow a network's.
func TestEntraRefuses(t *testing.T) {
	tests := map[string]struct {
		err   error
		class model.FaultClass
	}{
		"refused": {errors.New("AADSTS7000215: Invalid client secret\n------\nRESPONSE 401"), model.FaultLogin},
		"slow":    {context.DeadlineExceeded, model.FaultNetwork},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, db := federated(t, func(context.Context, string, string) (string, error) { return "", tc.err })
				_, err := db.Queue(*facts{}.mapping(t)).Probe(t.Context())
				if f := faultOf(t, err); f.Class != tc.class || f.Cure == "" || strings.Contains(f.Text, "RESPONSE") {
					t.Errorf("%+v, want %v", f, tc.class)
				}
			})
		})
	}
}

// TestATokenIsFetchedOnce holds that connections which want the same token wait for
// one fetch, and that a call which runs out of time does not end it.
func TestATokenIsFetchedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fetches atomic.Int64
		token := shared(func(ctx context.Context, _, _ string) (string, error) {
			fetches.Add(1)
			time.Sleep(5 * time.Second)
			return "t", ctx.Err()
		})
		for range 3 { // three polls of two seconds
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			got, err := token(ctx, "s", "t")
			if end := errors.Is(err, context.DeadlineExceeded); end == (got == "t") {
				t.Errorf("%q, %v", got, err)
			}
			cancel()
		}
		if n := fetches.Load(); n != 1 {
			t.Errorf("%d fetches, want one", n)
		}
	})
}

// TestWhoAsksAPerson holds which ways want a person before the screen opens, and
// that the others ask nobody.
func TestWhoAsksAPerson(t *testing.T) {
	for _, way := range append(dsn.Entras(), "") {
		text := "sqlserver://client@db1?database=Shop&fedauth=" + way
		if way == "" {
			text = "sqlserver://db1?authenticator=krb5"
		}
		if way == dsn.EntraInteractive || way == dsn.EntraDeviceCode {
			if _, err := Open(text, Options{}); err == nil {
				t.Errorf("%s: it was opened although nobody was asked", way)
			}
			continue
		}
		if got, err := SignIn(t.Context(), text, nil); got != nil || err != nil {
			t.Errorf("%s asks a person: %v", way, err)
		}
	}
}

// TestReadOnlyIntentIsSent holds the bit of the login, whose spelling in the DSN
// the driver would have dropped.
func TestReadOnlyIntentIsSent(t *testing.T) {
	for _, intent := range []string{"readonly", "ReadOnly", "ReadWrite"} {
		synctest.Test(t, func(t *testing.T) {
			s := tdstest.New(t, func(r tdstest.Request) tdstest.Reply {
				a, _ := facts{}.answer(t, r)
				return a
			})
			db, err := Open(tdstest.DSN+"&applicationintent="+intent, Options{Version: "1.2.3", Dialer: s.Dialer()})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Queue(*facts{}.mapping(t)).Probe(t.Context()); err != nil {
				t.Fatal(err)
			}
			if l := s.Logins()[0]; l.ReadOnly != (intent != "ReadWrite") || l.App != "leasetop 1.2.3" {
				t.Errorf("%s: %+v", intent, l)
			}
		})
	}
}
