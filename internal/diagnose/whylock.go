package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// What locks say of why a job is not moving.

// dequeued reports whether every row with these values has been taken, as a queue
// whose locks are emulated tells of them.
func (f *WhyFacts) dequeued() bool {
	j := f.Job
	return j != nil && j.Locked.Known && j.Locked.N > 0 && j.Locked.N >= j.Copies.N
}

// locked is that somebody's lock stands in the way of a claim, and whose.
func (f *WhyFacts) locked() (model.Reason, bool) {
	if f.dequeued() {
		return model.Reason{
			Kind: WhyLocked, Severity: model.Normal, Text: "it is being dequeued now (emulated lock): claims pass over it", Evidence: f.waiting(),
			Cure: "it is gone when that work ends, or comes back",
		}, true
	}
	l := &f.Locks
	row, page, table := holders(l, model.LockRow), holders(l, model.LockPage), holders(l, model.LockTable)
	whole := whole(table)
	switch {
	case l.Blocked, len(page) > 0, len(whole) > 0:
		if len(page)+len(whole) == 0 {
			whole = table // one of those that change rows, as far as is told
		}
		return f.blocked(append(page, whole...)), true
	case len(row) > 0:
		return f.rowLocked(row), true
	case l.Skipped.Known && l.Skipped.N == 1:
		return f.rowLocked(nil), true
	}
	return model.Reason{}, false
}

// holders are the sessions beside our own that have a lock of a level. On a page or
// a table, the intent to change a row of it is in nobody's way.
func holders(l *model.Locks, level string) []model.Holder {
	var out []model.Holder
	for _, h := range l.Holders {
		if h.Level == level && !h.Ours && !h.Waiting && (level != model.LockPage || !strings.HasPrefix(h.Mode, "I")) {
			out = append(out, h)
		}
	}
	return out
}

// whole are the locks on a table that keep everybody off its rows.
func whole(table []model.Holder) []model.Holder {
	return slices.DeleteFunc(slices.Clone(table), func(h model.Holder) bool { return strings.HasPrefix(h.Mode, "I") })
}

func (f *WhyFacts) blocked(hs []model.Holder) model.Reason {
	r := model.Reason{
		Kind: WhyBlocked, Severity: model.Bad, Text: "a lock on its page or its table makes every claim wait: only locked rows are passed over",
		Cure: "ask whoever holds it; ALTER INDEX … SET (ALLOW_PAGE_LOCKS = OFF) keeps later ones to rows, and thousands of locks in one statement become one on the table",
	}
	r.Evidence = f.named(hs)
	return r
}

func (f *WhyFacts) rowLocked(hs []model.Holder) model.Reason {
	r := model.Reason{
		Kind: WhyLocked, Severity: model.Warn, Text: "its row is locked by another session: claims pass over it",
		Cure: "it moves on when that transaction ends; ask whoever runs it",
	}
	if len(hs) > 0 {
		r.Text = fmt.Sprintf("its row is locked by session %d: claims pass over it", hs[0].Session)
		if hs[0].Held.Known() && hs[0].Held.D > dueGrace {
			r.Severity = model.Bad
		}
		r.Evidence = f.named(hs)
		return r
	}
	if table := holders(&f.Locks, model.LockTable); len(table) > 0 {
		r.Evidence = []string{"no lock is listed for the row itself; these sessions are changing rows of its table"}
		if f.Locks.Optimized {
			r.Evidence[0] = "the server locks transactions, not rows (optimized locking): it is one of those that are changing rows of its table"
		}
		r.Evidence = append(r.Evidence, f.named(table)...)
	}
	return r
}

// mostHolders is how many sessions are named one by one.
const mostHolders = 5

// named are sessions in words.
func (f *WhyFacts) named(hs []model.Holder) []string {
	var out []string
	for i, h := range hs {
		if i == mostHolders {
			out = append(out, text.Plural(int64(len(hs)-i), "more session", "more sessions"))
			break
		}
		out = append(out, session(h))
		if h.Running != "" {
			ran := "which ran last: "
			if h.Busy {
				ran = "which runs: "
			}
			out = append(out, ran+text.Cut(text.Clean(h.Running), mostText))
		}
	}
	return out
}

// mostText is how much of a statement is shown.
const mostText = 240

// session is one session: what it has, who it is, since when.
func session(h model.Holder) string {
	s := fmt.Sprintf("session %d has %s on the %s", h.Session, text.Clean(h.Mode), h.Level)
	var who []string
	for _, w := range []struct{ word, what string }{{"", h.Program}, {"on ", h.Host}, {"as ", h.Login}} {
		if w.what != "" {
			who = append(who, w.word+text.Clean(w.what))
		}
	}
	if len(who) > 0 {
		s += ": " + strings.Join(who, " ")
	}
	if h.Held.Known() {
		s += ", its transaction is open for " + text.ExactAge(h.Held)
	}
	switch {
	case h.Blocker != 0:
		s += fmt.Sprintf(", itself waiting for session %d", h.Blocker)
	case h.Status == "sleeping":
		s += ", sleeping: its client is busy elsewhere or forgot to commit"
	}
	return s
}
