package sqlserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	mssql "github.com/microsoft/go-mssqldb"

	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// faultOf is an error's fault.
func faultOf(t *testing.T, err error) *model.Fault {
	t.Helper()
	var f *model.Fault
	if !errors.As(err, &f) {
		t.Fatalf("error %v is no fault", err)
	}
	return f
}

// TestNumbersBecomeClasses holds every class of error numbers: what a poll is told
// and what an operator's act is told, which on the server's own word is never
// "unknown".
func TestNumbersBecomeClasses(t *testing.T) {
	tests := map[int32]model.FaultClass{
		1205: model.FaultRaced, 1222: model.FaultRaced, 3960: model.FaultRaced, 3961: model.FaultRaced, 601: model.FaultRaced, 41302: model.FaultRaced,
		40613: model.FaultBusy, 40501: model.FaultBusy, 49918: model.FaultBusy, 10928: model.FaultBusy, 926: model.FaultBusy,
		229: model.FaultDenied, 230: model.FaultDenied, 297: model.FaultDenied, 300: model.FaultDenied, 371: model.FaultDenied,
		18456: model.FaultLogin, 18452: model.FaultLogin, 4060: model.FaultBusy, 40615: model.FaultLogin,
		208: model.FaultReshaped, 207: model.FaultReshaped, 213: model.FaultReshaped, 245: model.FaultReshaped, 8114: model.FaultReshaped,
		334: model.FaultRefused, 650: model.FaultRefused, 4102: model.FaultRefused, 8115: model.FaultRefused, 517: model.FaultRefused,
		8622: model.FaultRefused, 547: model.FaultRefused, 2627: model.FaultRefused, 2628: model.FaultRefused, 2714: model.FaultRefused, 3609: model.FaultRefused,
		3906: model.FaultReadOnly, 976: model.FaultReadOnly, 978: model.FaultReadOnly,
		50000: model.FaultBraked, 12345: model.FaultOther,
	}
	for code, class := range tests {
		synctest.Test(t, func(t *testing.T) {
			e := tdstest.Error{Number: code, Message: "the server says so", Line: 12}
			w := probed(t, facts{}, always(e))
			_, _, err := w.q.Pulse(t.Context(), model.PulseAsk{})
			f := faultOf(t, err)
			if f.Class != class || f.Code != int(code) || f.Unsure || f.Op != "pulse" || f.Text != "the server says so" {
				t.Errorf("poll: %+v, want class %s", f, class)
			}
			if f.Cure == "" && class != model.FaultOther && class != model.FaultBraked {
				t.Errorf("%d: no cure", code)
			}
			changes, _, err := w.q.Apply(t.Context(), in(model.Reclaim))
			if f := faultOf(t, err); len(changes) != 0 || f.Class != class || f.Code != int(code) || f.Unsure {
				t.Errorf("act: %v, %+v, want class %s and sure", changes, f, class)
			}
		})
	}
}

// TestADatabaseThatIsAway holds that a refused login is tried once, and that one which
// was let in to a database that is not open yet comes back by itself.
func TestADatabaseThatIsAway(t *testing.T) {
	refused := mssql.Error{Number: 18456, Message: "login error: Login failed for user 'ops'."}
	away := mssql.Error{Number: 4060, Message: "Cannot open database \"Shop\" requested by the login. The login failed."}
	alone, both := refused, refused
	alone.All, both.All = []mssql.Error{refused}, []mssql.Error{away, refused}
	if f := (Dialect{}).Fault(alone); f.Class != model.FaultLogin || f.Code != 18456 || f.Cure == "" {
		t.Errorf("a refused login: %+v", f)
	}
	if f := (Dialect{}).Fault(both); f.Class != model.FaultBusy || f.Code != 4060 || f.Text != away.Message || f.Cure == "" {
		t.Errorf("a database that is away: %+v", f)
	}
}

// TestAnotherProtocol holds what is said where something else than SQL Server answers, as
// a web server does on a port that was mistyped.
func TestAnotherProtocol(t *testing.T) {
	answering, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer answering.Close()
	go func() {
		for {
			c, err := answering.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1<<10))
			_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
			_ = c.Close()
		}
	}()
	db, err := Open(fmt.Sprintf("sqlserver://ops:x@%s?database=Shop", answering.Addr()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Queue(*mapping(t, "lease")).Probe(t.Context())
	if f := faultOf(t, err); f.Class != model.FaultNetwork || !strings.Contains(f.Text, "no SQL Server") || !strings.Contains(f.Cure, "port") {
		t.Errorf("%+v", f)
	}
}

// TestErrorsOfAnotherEngine holds what the errors mean that Babelfish has no number of
// SQL Server's for: their text tells.
func TestErrorsOfAnotherEngine(t *testing.T) {
	for text, class := range map[string]model.FaultClass{
		"permission denied for table handorders":              model.FaultDenied,
		"must be owner of table handorders":                   model.FaultDenied,
		"relation \"sys.security_predicates\" does not exist": model.FaultReshaped,
		"something else went wrong":                           model.FaultOther,
	} {
		f := Dialect{}.Fault(mssql.Error{Number: foreignNumber, Message: text})
		if f.Class != class || f.Text != text || f.Code != foreignNumber || f.Cure == "" && class != model.FaultOther {
			t.Errorf("%q: %+v, want class %s", text, f, class)
		}
	}
	if f := (Dialect{}).Fault(mssql.Error{Number: 12345, Message: "permission denied for table x"}); f.Class != model.FaultOther {
		t.Errorf("a text decides where the number is SQL Server's: %+v", f)
	}
}

// TestErrorsThatComeLate holds the driver's habit of telling an error only at the
// end: no row of such a reply is believed.
func TestErrorsThatComeLate(t *testing.T) {
	row := tdstest.Rows([]string{"now", "key"}, []any{clock, int64(10421)})
	tests := map[string]struct {
		reply tdstest.Reply
		code  int
	}{
		"a lock timeout, the batch runs on and finds nothing": {tdstest.Reply{tdstest.TimedOut(), nothing()}, 1222},
		"a lock timeout, the batch runs on with a row":        {tdstest.Reply{tdstest.TimedOut(), row}, 1222},
		"a row, then a deadlock": {
			tdstest.Reply{tdstest.Set{Columns: row.Columns, Rows: row.Rows, Broken: new(tdstest.Raced())}}, 1205,
		},
		"the error alone":                  {tdstest.Reply{tdstest.Raced()}, 1205},
		"two sets, the second is an error": {tdstest.Reply{row, tdstest.Denied("SELECT", "QueueDemo")}, 229},
		"a right that is missing":          {tdstest.Reply{tdstest.Denied("UPDATE", "QueueDemo")}, 229},
		"a secondary":                      {tdstest.Reply{tdstest.ReadOnly()}, 3906},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, facts{}, inTurn(tc.reply, tc.reply))
				changes, _, err := w.q.Apply(t.Context(), in(model.Reclaim))
				if f := faultOf(t, err); f.Code != tc.code || f.Unsure || len(changes) != 0 {
					t.Errorf("act: %v, %+v, want %d and nothing changed", changes, f, tc.code)
				}
				if _, _, err := w.q.Inspect(t.Context(), key()); faultOf(t, err).Code != tc.code {
					t.Errorf("look: %v, want %d", err, tc.code)
				}
			})
		})
	}
}

// TestAnErrorAfterTheChangeIsNotARefusal holds that only an error of the change
// itself proves that nothing was changed.
func TestAnErrorAfterTheChangeIsNotARefusal(t *testing.T) {
	stmt, err := Dialect{}.Statement("reclaim", mapping(t, "lease"), &model.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	back := readBack(stmt)
	tests := map[string]struct {
		e      tdstest.Error
		unsure bool
	}{
		"in the change":                 {tdstest.Error{Number: 1222, Line: back - 1}, false},
		"while reading back":            {tdstest.Error{Number: 1222, Line: back}, true},
		"that ends the connection":      {tdstest.Error{Number: 596, Class: 21, Line: 1}, true},
		"while the database moves away": {tdstest.Error{Number: 40197, Class: 20, Line: 1}, true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, facts{}, always(tc.e))
				_, _, err := w.q.Apply(t.Context(), in(model.Reclaim))
				if f := faultOf(t, err); f.Unsure != tc.unsure {
					t.Errorf("%+v, want unsure %v", f, tc.unsure)
				}
				_, _, err = w.q.Inspect(t.Context(), key())
				if f := faultOf(t, err); f.Unsure {
					t.Errorf("a look cannot have changed anything: %+v", f)
				}
			})
		})
	}
}

// TestALostReplyIsUnsure holds the difference between an act that never left and
// one whose answer never came.
func TestALostReplyIsUnsure(t *testing.T) {
	tests := map[string]struct {
		reply  tdstest.Reply
		login  *tdstest.LoginFault
		unsure bool
		class  model.FaultClass
	}{
		"the connection ends after the statement": {reply: tdstest.Reply{tdstest.Hangup{}}, unsure: true, class: model.FaultNetwork},
		"half an answer, then the end": {
			reply: tdstest.Reply{tdstest.Half{Of: tdstest.Reply{nothing()}, Hangup: true}}, unsure: true, class: model.FaultNetwork,
		},
		"half an answer, then silence": {reply: tdstest.Reply{tdstest.Half{Of: tdstest.Reply{nothing()}}}, unsure: true, class: model.FaultHung},
		"silence that hears a cancel":  {reply: tdstest.Reply{tdstest.Silence{}}, unsure: true, class: model.FaultHung},
		"silence":                      {reply: tdstest.Reply{tdstest.Silence{Deaf: true}}, unsure: true, class: model.FaultHung},
		"the login is refused":         {login: tdstest.LoginFailed("sa"), class: model.FaultLogin},
		"the login is never answered":  {login: &tdstest.LoginFault{Silent: true}, class: model.FaultHung},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := probed(t, facts{}, func(tdstest.Request) tdstest.Reply { return tc.reply })
				if tc.login != nil {
					w.OnLogin(func(tdstest.Login) *tdstest.LoginFault { return tc.login })
				}
				start := time.Now()
				changes, _, err := w.q.Apply(t.Context(), in(model.Reclaim))
				f := faultOf(t, err)
				if f.Unsure != tc.unsure || f.Class != tc.class || len(changes) != 0 {
					t.Errorf("%v, %+v, want unsure %v and class %s", changes, f, tc.unsure, tc.class)
				}
				if took := time.Since(start); took > 11*time.Second {
					t.Errorf("answered after %v", took)
				}
				if n := len(w.sent(t)); n > 1 {
					t.Errorf("sent %d times", n)
				}
			})
		})
	}
}

// TestACancelledPollIsHung holds that a caller who leaves is answered at once.
func TestACancelledPollIsHung(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{}, always(tdstest.Silence{Deaf: true}))
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, _, err := w.q.Pulse(ctx, model.PulseAsk{})
		if f := faultOf(t, err); f.Class != model.FaultHung || f.Unsure {
			t.Errorf("%+v", f)
		}
		if took := time.Since(start); took > 100*time.Millisecond+grace {
			t.Errorf("answered after %v", took)
		}
	})
}

// TestErrorTextIsHarmless holds that what a server says can be drawn.
func TestErrorTextIsHarmless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := probed(t, facts{}, always(tdstest.Error{Number: 245, Message: "Conversion failed when converting '\x1b]52;c;eA==\x07\u202e' to int."}))
		_, _, err := w.q.Pulse(t.Context(), model.PulseAsk{})
		if f := faultOf(t, err); f.Text != "Conversion failed when converting '·' to int." {
			t.Errorf("%q", f.Text)
		}
	})
}
