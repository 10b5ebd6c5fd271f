package sqlserver

import (
	"sync"
	"testing"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
)

// clock is the server's time in every answer.
const clock = "2026-03-01T12:00:00.1234567"

// wire is a queue of the store whose server is a tdstest.
type wire struct {
	*tdstest.Server
	db *store.DB
	q  *store.Queue
}

// dial opens a queue over a server that answers a probe by facts and everything
// else by h.
func dial(t *testing.T, f facts, h tdstest.Handler) *wire {
	t.Helper()
	return serve(t, f, func(r tdstest.Request) tdstest.Reply {
		if a, ok := f.answer(t, r); ok {
			return a
		}
		return h(r)
	})
}

// serve opens a queue over a server that answers by h alone.
func serve(t *testing.T, f facts, h tdstest.Handler) *wire {
	t.Helper()
	s := tdstest.New(t, h)
	db, err := Open(tdstest.DSN, Options{Version: "1.2.3", Dialer: s.Dialer()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &wire{s, db, db.Queue(*f.mapping(t))}
}

// probed is a dialled queue that has probed.
func probed(t *testing.T, f facts, h tdstest.Handler) *wire {
	t.Helper()
	w := dial(t, f, h)
	if _, err := w.q.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// sent are the statements beside a probe's.
func (w *wire) sent(t testing.TB) []tdstest.Request {
	var out []tdstest.Request
	for _, r := range w.Requests() {
		if _, ok := (facts{}).answer(t, r); !ok {
			out = append(out, r)
		}
	}
	return out
}

// always answers everything the same way.
func always(parts ...tdstest.Part) tdstest.Handler {
	return func(tdstest.Request) tdstest.Reply { return parts }
}

// nothing is the answer of a statement that found no row: the time alone.
func nothing() tdstest.Set { return tdstest.Rows([]string{"now", "key"}, []any{clock, nil}) }

// replies is a list of replies, one a statement.
type replies struct {
	mu   sync.Mutex
	list []tdstest.Reply
}

// inTurn answers by replies in their order, then by nothing.
func inTurn(list ...tdstest.Reply) tdstest.Handler {
	r := &replies{list: list}
	return func(tdstest.Request) tdstest.Reply {
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.list) == 0 {
			return tdstest.Reply{nothing()}
		}
		next := r.list[0]
		r.list = r.list[1:]
		return next
	}
}
