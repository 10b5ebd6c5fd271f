package report

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// Rows is what only a destructive queue has. Its counts are: ready, the depth;
// working, the rows that are locked now; failed, the dead letters.
type Rows struct {
	Order    string    `json:"order" jsonschema:"fifo, lifo or none"`
	Clock    string    `json:"clock" jsonschema:"what its times are written by: utc, local, offset or unknown"`
	Mode     string    `json:"mode" jsonschema:"autocommit, transaction or unknown: what a crash does to the rows in work"`
	Emulated bool      `json:"emulated" jsonschema:"row locks are emulated by a table"`
	Head     *Oldest   `json:"head" jsonschema:"the row that is dequeued next"`
	Tail     *Oldest   `json:"tail" jsonschema:"the row that is dequeued last"`
	List     string    `json:"list" jsonschema:"which rows are listed: ready, in the order of dequeue, or failed, the newest first"`
	Listed   []RowLine `json:"rows" jsonschema:"null: they were not read"`
	More     bool      `json:"more" jsonschema:"true when there are more than are listed"`
}

// RowLine is equal rows, which have no other identity than their values.
type RowLine struct {
	Row    string  `json:"row" jsonschema:"all values, as --row takes them"`
	Copies *int64  `json:"copies" jsonschema:"how many rows are equal"`
	Locked *int64  `json:"locked" jsonschema:"how many of them are locked now; null: not known"`
	AgeMs  *int64  `json:"age_ms" jsonschema:"negative: its time lies in the future"`
	Act    *string `json:"act" jsonschema:"of a dead letter: the act that made it, as --act takes it"`
	Reason *string `json:"reason"`
	By     *string `json:"by" jsonschema:"of a dead letter: who made it"`
	DeadAt *string `json:"dead_at"`
}

func rowsOf(s *model.Snapshot) *Rows {
	if !s.Mapping.IsDestructive() {
		return nil
	}
	f, lane := s.Figures(), s.Mapping.Lane
	out := &Rows{
		Order: lane.Order.String(), Clock: lane.Clock.String(), Mode: lane.Mode.String(), Emulated: s.Caps.Emulated,
		List: s.Page.Data.View.String(), More: s.Page.Data.More,
		Head: end(f.Head, s.Mapping), Tail: end(f.Tail, s.Mapping),
	}
	if s.Page.Known() && s.Page.Data.View != model.ViewNone {
		out.Listed = []RowLine{}
	}
	for _, j := range s.Page.Data.Jobs {
		l := RowLine{Row: Identity(s.Mapping, j.Key), Copies: number(j.Copies), Locked: number(j.Locked)}
		if j.Waiting.Known() {
			ms := j.Waiting.D.Milliseconds()
			l.AgeMs = &ms
		}
		if j.State == model.Failed {
			l.Act, l.Reason, l.By = tokenText(j.Token), told(j.Error), told(j.Worker)
			if !j.Ended.At.IsZero() {
				at := stamp(j.Ended.At)
				l.DeadAt = &at
			}
		}
		out.Listed = append(out.Listed, l)
	}
	return out
}

func end(o *model.Oldest, m *model.Mapping) *Oldest {
	if o == nil {
		return nil
	}
	out := oldest(*o)
	key := Identity(m, o.Key)
	out.Key = &key
	return &out
}

// Identity is what a job is called: its key or, where a row has none, its values.
func Identity(m *model.Mapping, k model.Key) string {
	if m.IsDestructive() && !k.IsZero() {
		return model.RowText(m.Keys, k)
	}
	return k.String()
}

// plainRows writes the figures and rows of a destructive queue.
func plainRows(b *strings.Builder, s *model.Snapshot) {
	f := s.Figures()
	emulated := ""
	if s.Caps.Emulated {
		emulated = " (emulated)"
	}
	fmt.Fprintf(b, "  depth %s  locked now %s%s  dead letters %s\n", text.Count(f.Ready), text.Count(f.Working), emulated, text.Count(f.Failed))
	fmt.Fprintf(b, "  order %s, clock %s, %s\n", s.Mapping.Lane.Order, s.Mapping.Lane.Clock, s.Mapping.Lane.Mode.Promise())
	for _, e := range []struct {
		name string
		o    *model.Oldest
	}{{"head", f.Head}, {"tail", f.Tail}} {
		if e.o != nil {
			fmt.Fprintf(b, "  %s: %s (%s)\n", e.name, text.ExactAge(e.o.Waiting), text.Brief(Identity(s.Mapping, e.o.Key)))
		}
	}
	if len(s.Page.Data.Jobs) == 0 {
		return
	}
	cells := [][]string{{"AGE", "COPIES", "ROW"}}
	if s.Page.Data.View == model.ViewFailed {
		cells = [][]string{{"ACT", "COPIES", "ROW", "REASON"}}
	}
	for _, j := range s.Page.Data.Jobs {
		line := []string{text.ExactAge(j.Waiting), fmt.Sprint(j.Copies.N), text.Clean(Identity(s.Mapping, j.Key))}
		if j.State == model.Failed {
			line = []string{shown(j.Token), line[1], line[2], or(j.Error, "none recorded")}
		}
		cells = append(cells, line)
	}
	table(b, "  ", cells)
	if s.Page.Data.More {
		fmt.Fprintf(b, "  and more than the rows listed\n")
	}
}
