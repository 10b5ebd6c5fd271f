package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// between is how long passes between two looks at what earlier processes left.
const between = 5 * time.Second

// leftOver is what earlier processes left unresolved.
type leftOver struct {
	acts []entry
	text string // in one line; empty when nothing is left
}

// findLeftOver reads the journal and the receipts of acts on lists.
func findLeftOver() leftOver {
	var (
		out   leftOver
		parts []string
	)
	open, err := unresolved(journalDir(), time.Now(), actions.Settle)
	if err != nil {
		parts = append(parts, fmt.Sprintf("the journal cannot be read: %v", err))
	}
	out.acts = open
	if s := describe(open); s != "" {
		parts = append(parts, s)
	}
	runs, err := unfinished(recordDir())
	if err != nil {
		parts = append(parts, fmt.Sprintf("receipts cannot be read: %v", err))
	}
	cut := 0
	for _, r := range runs {
		if r.ending == nil && !r.running { // one that was stopped on purpose is nobody's surprise
			cut++
		}
	}
	if cut > 0 {
		parts = append(parts, text.Plural(int64(cut), "act on a list was", "acts on lists were")+" cut off: leasetop resume lists what to go on with")
	}
	out.text = strings.Join(parts, "; ")
	return out
}

// settle finds out in the background what became of the acts, as long as ctx lasts,
// and says so. It sends nothing but reads, and none to a queue that is not read well at
// the moment: a login that was refused must not be tried again, and only a probe tells
// the types of the columns that the journal's keys are of.
func (l leftOver) settle(ctx context.Context, h *house, desk *actions.Desk, board func() *model.Board, say func(string)) {
	rooms := map[string]*room{} // by action id: those that are to be asked
	for _, e := range l.acts {
		for i := range h.queues {
			r := &h.queues[i]
			if r.config.Mapping.Queue == e.Queue && placeOf(&r.server).is(e.Server, e.Address) {
				rooms[e.ActionID] = r
			}
		}
	}
	var told []string
	for len(rooms) > 0 && ctx.Err() == nil {
		wait := between / 20
		for _, e := range l.acts {
			r := rooms[e.ActionID]
			if s := board().Queue(e.Queue); r == nil || s == nil || s.Watch.Health != model.Live || ctx.Err() != nil {
				continue
			}
			got, err := e.receipt(r.queue.Mapping())
			if err == nil {
				wait = between
				got = desk.Resolve(ctx, got)
			}
			if err == nil && !got.Over() {
				continue
			}
			delete(rooms, e.ActionID)
			if err == nil {
				told = append(told, fmt.Sprintf("%s in %s: %s", e.subject(), text.Clean(e.Queue), became(got)))
				say("an earlier session's " + strings.Join(told, "; "))
			}
		}
		if len(rooms) > 0 {
			waitFor(ctx, wait)
		}
	}
}

// became is what became of an act, in a few words.
func became(r model.Receipt) string {
	if r.Final {
		return "it will never be known whether it was applied"
	}
	return r.Outcome.String()
}
