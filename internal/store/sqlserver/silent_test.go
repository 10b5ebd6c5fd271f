package sqlserver

import (
	"bytes"
	"io"
	"log"
	"os"
	"testing"

	"github.com/leasetop/leasetop/internal/tdstest"
)

// TestTheDriverPrintsNothing holds that neither an error nor a DSN that asks for the
// driver's log puts a byte on the terminal, which the screen owns.
func TestTheDriverPrintsNothing(t *testing.T) {
	out, errs := os.Stdout, os.Stderr
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	log.SetOutput(&logged)
	os.Stdout, os.Stderr = w, w
	got := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(r)
		got <- all
	}()
	talk(t)
	w.Close()
	os.Stdout, os.Stderr = out, errs
	log.SetOutput(errs)
	if all := <-got; len(all) > 0 || logged.Len() > 0 {
		t.Errorf("printed %q, logged %q", all, logged.String())
	}
}

// talk has the driver meet what it could write about.
func talk(t *testing.T) {
	for _, ill := range []tdstest.Reply{
		{nothing()}, {tdstest.Raced()}, {tdstest.Error{Number: 50000, Class: 0, Message: "PRINT"}, nothing()},
		{tdstest.Hangup{}}, {tdstest.Half{Of: tdstest.Reply{nothing()}, Hangup: true}},
	} {
		s := tdstest.New(t, func(r tdstest.Request) tdstest.Reply {
			if a, ok := (facts{}).answer(t, r); ok {
				return a
			}
			return ill
		})
		db, err := Open(tdstest.DSN+"&log=255", Options{Dialer: s.Dialer()})
		if err != nil {
			t.Fatal(err)
		}
		q := db.Queue(*facts{}.mapping(t))
		q.Probe(t.Context())
		q.Inspect(t.Context(), key())
		s.OnLogin(func(l tdstest.Login) *tdstest.LoginFault { return tdstest.LoginFailed(l.User) })
		s.Drop()
		q.Inspect(t.Context(), key())
		db.Close()
		s.Close()
	}
}
