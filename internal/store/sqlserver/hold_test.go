package sqlserver

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// holding is a destructive queue whose server answers some requests otherwise than
// with a row, once each.
func holding(t *testing.T, otherwise map[string]tdstest.Reply) *wire {
	t.Helper()
	return probed(t, destructive(), func(r tdstest.Request) tdstest.Reply {
		text := r.Text
		if len(r.Params) > 0 {
			text = "statement"
		}
		if a, ok := otherwise[text]; ok {
			delete(otherwise, text)
			return a
		}
		if text == "statement" {
			return tdstest.Reply{rowAnswer(nil)}
		}
		return nil
	})
}

// took are the requests of the held rows, by their first words.
func (w *wire) took() (texts []string) {
	for _, r := range w.Requests() {
		switch r.Text {
		case tdstest.Begin, tdstest.Commit, tdstest.Rollback:
			texts = append(texts, r.Text)
		}
	}
	return texts
}

// settled is that a transaction has left nothing behind: no call that hangs, no
// connection that the server keeps its rows for, and a place for the next one.
func (w *wire) settled(t *testing.T, open int) {
	t.Helper()
	synctest.Wait()
	if n := w.db.Stats().Abandoned; n != 0 {
		t.Errorf("%d calls hang", n)
	}
	if n := w.Open(); n != open {
		t.Errorf("%d connections are open, want %d", n, open)
	}
	h, err := w.q.Hold(t.Context(), "next", 1)
	if err != nil {
		t.Fatalf("the next transaction: %v", err)
	}
	if err := h.Commit(t.Context()); err != nil {
		t.Fatalf("the next commit: %v", err)
	}
}

func TestATransactionEndsAndGivesItsConnectionBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := holding(t, map[string]tdstest.Reply{})
		for _, end := range []func(*store.Held) error{
			func(h *store.Held) error { return h.Commit(t.Context()) },
			func(h *store.Held) error { return h.Rollback(t.Context()) },
		} {
			h, err := w.q.Hold(t.Context(), "mine", 1)
			if err != nil || len(h.Rows()) != 1 {
				t.Fatalf("held %v, %v", h, err)
			}
			if err := end(h); err != nil {
				t.Fatal(err)
			}
		}
		if want := []string{tdstest.Begin, tdstest.Commit, tdstest.Begin, tdstest.Rollback}; !slices.Equal(w.took(), want) {
			t.Errorf("sent %v, want %v", w.took(), want)
		}
		w.settled(t, 2) // one reads, one holds
	})
}

// TestATransactionThatFailsLeavesNothingBehind: the connection goes, in the middle of
// its transaction, and the rows come back with it.
func TestATransactionThatFailsLeavesNothingBehind(t *testing.T) {
	for name, answer := range map[string]tdstest.Reply{
		"it waited too long": {tdstest.TimedOut()},
		"silence":            {tdstest.Silence{}},
		"deaf silence":       {tdstest.Silence{Deaf: true}},
		"the line is cut":    {tdstest.Hangup{}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := holding(t, map[string]tdstest.Reply{"statement": answer})
				from := time.Now()
				if h, err := w.q.Hold(t.Context(), "mine", 1); err == nil {
					t.Fatalf("held %v", h.Rows())
				}
				if took := time.Since(from); took > store.ControlDeadline+time.Second {
					t.Errorf("it came back after %s", took)
				}
				time.Sleep(15 * time.Second) // the driver's patience with a cancellation that nobody acknowledges
				w.settled(t, 1)
			})
		})
	}
}

// TestAWorkerThatDiesGivesItsRowsBack: nothing is sent for them, and the server hears
// that the connection is gone.
func TestAWorkerThatDiesGivesItsRowsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := holding(t, map[string]tdstest.Reply{})
		h, err := w.q.Hold(t.Context(), "mine", 1)
		if err != nil {
			t.Fatal(err)
		}
		h.Abandon()
		synctest.Wait()
		if want := []string{tdstest.Begin}; !slices.Equal(w.took(), want) {
			t.Errorf("sent %v, want %v", w.took(), want)
		}
		w.settled(t, 1)
	})
}

// TestACommitThatHangsIsLeftInTime: nobody knows what became of it, and its worker
// goes on.
func TestACommitThatHangsIsLeftInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := holding(t, map[string]tdstest.Reply{tdstest.Commit: {tdstest.Silence{Deaf: true}}})
		h, err := w.q.Hold(t.Context(), "mine", 1)
		if err != nil {
			t.Fatal(err)
		}
		from := time.Now()
		err = h.Commit(t.Context())
		var f *model.Fault
		if !errors.As(err, &f) || f.Class != model.FaultHung || !f.Unsure {
			t.Errorf("commit: %v", err)
		}
		if took := time.Since(from); took > store.ControlDeadline+time.Second {
			t.Errorf("it came back after %s", took)
		}
		w.settled(t, 1)
	})
}
