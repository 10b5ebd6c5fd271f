package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
)

// recordDir is where the receipts of bulk acts lie, a file each.
func recordDir() string { return filepath.Join(xdg.StateHome, "leasetop", "bulk") }

// records begins the receipts of the bulk acts of this process.
type records struct {
	dir     string
	servers map[string]place       // by queue
	tables  map[string]model.Table // by queue
	actor   string
}

func newRecords(h *house) records {
	r := records{dir: recordDir(), servers: newJournal(h).servers, tables: map[string]model.Table{}, actor: actor()}
	for i := range h.queues {
		m := h.queues[i].config.Mapping
		r.tables[m.Queue] = m.Table
	}
	return r
}

// header is the first line of a record: the fixed set. No payload is in it.
type header struct {
	Event   string      `json:"event"` // "set"
	At      time.Time   `json:"at"`
	Action  string      `json:"action"`
	Server  string      `json:"server"`
	Address string      `json:"address,omitempty"`
	Queue   string      `json:"queue"`
	Table   string      `json:"table"`
	What    string      `json:"what,omitempty"`
	Reason  string      `json:"reason,omitempty"`
	ByMs    int64       `json:"by_ms,omitempty"`
	Far     bool        `json:"far,omitempty"`
	Actor   string      `json:"actor,omitempty"`
	Rows    []headerRow `json:"rows"`
}

type headerRow struct {
	Key   string `json:"key"`
	Token string `json:"token"`
	State string `json:"state,omitempty"` // as it was shown; absent: only key and token were known
}

// ending is the last line of a run: how it ended. A run that was gone on with has
// several.
type ending struct {
	Event   string    `json:"event"` // "end"
	At      time.Time `json:"at"`
	Applied int       `json:"applied"`
	Changed int       `json:"changed"`
	Gone    int       `json:"gone"`
	Refused int       `json:"refused"`
	Unknown int       `json:"unknown"`
	Left    int       `json:"left"`
	Stopped string    `json:"stopped,omitempty"`
}

// record is one file of receipts, locked while it is written. Its acts are noted as
// the journal notes them: on disk before their statement leaves.
type record struct {
	servers map[string]place
	mu      sync.Mutex
	file    *os.File
	row     string // the key in hand as the set has it
}

// Begin makes the file and writes the set into it.
func (r records) Begin(s actions.Set) (actions.Record, error) {
	at := time.Now().UTC()
	f, err := ownFile(r.dir, fmt.Sprintf("%s-%s-*.jsonl", at.Format("20060102T150405"), s.Action))
	if err != nil {
		return nil, err
	}
	rec := &record{servers: r.servers, file: f}
	h := header{
		Event: "set", At: at, Action: s.Action.String(), Server: r.servers[s.Queue].name, Address: r.servers[s.Queue].address, Queue: s.Queue, Table: r.tables[s.Queue].String(),
		What: s.What, Reason: s.Reason, ByMs: s.By.Milliseconds(), Far: s.Far, Actor: r.actor, Rows: make([]headerRow, len(s.Rows)),
	}
	for i := range s.Rows {
		row := &s.Rows[i]
		h.Rows[i] = headerRow{Key: row.Key.String(), Token: row.Token.String()}
		if row.Seen != nil {
			h.Rows[i].State = row.Seen.State.String()
		}
	}
	if err := appendLine(f, h); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return rec, nil
}

// appendLine writes a line and has it on disk when it returns.
func appendLine(f *os.File, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.Sync()
}

func (r *record) write(v any) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return appendLine(r.file, v)
}

// Row names the job in hand.
func (r *record) Row(k model.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.row = k.String()
}

// Sent notes an act before its statement leaves.
func (r *record) Sent(p model.Plan, at time.Time) error {
	return r.note(sentEntry(r.servers, p, at))
}

// Done notes what became of an act.
func (r *record) Done(got model.Receipt) error {
	e := doneEntry(got, time.Now())
	e.Key, e.Again = got.Intent.Key.String(), actions.Again(got)
	return r.note(e)
}

// note writes a line about the job in hand.
func (r *record) note(e entry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Key != r.row {
		e.Listed = r.row
	}
	return appendLine(r.file, e)
}

// Place is the file.
func (r *record) Place() string { return r.file.Name() }

// End notes how the run ended and gives the file free.
func (r *record) End(res actions.Result) error {
	t := res.Tally
	err := r.write(ending{"end", time.Now().UTC(), t.Applied, t.Changed, t.Gone, t.Refused, t.Unknown, res.Left, res.Stopped})
	return errors.Join(err, r.file.Close())
}

// run is what a record tells: the set, and what is known of each row by its key.
type run struct {
	header
	path    string
	rows    map[string]entry // the last word on each row, by its key as the set has it
	ending  *ending
	running bool // another process is at it
	torn    bool // a line cannot be read, so that others may be lost too
}

// settled reports whether a row needs nothing more.
func (e *entry) settled() bool {
	return e.Event == "done" && !e.Again && (e.Final || e.Outcome != model.OutcomeUnknown.String())
}

// counts are how many rows have their receipt, were sent without one, and were not
// sent.
func (r *run) counts() (settled, unsure, left int) {
	for _, row := range r.Rows {
		e, sent := r.rows[row.Key]
		switch {
		case !sent || e.Event == "done" && e.Again:
			left++
		case e.settled():
			settled++
		default:
			unsure++
		}
	}
	return settled, unsure, left
}

// readRun reads a record. A torn last line is no entry: its act was not sent. A torn
// first line is a set that nothing was begun of.
func readRun(path string) (*run, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &run{path: path, rows: map[string]entry{}}
	lines := bufio.NewReader(bytes.NewReader(data))
	for first := true; ; first = false {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			bad := r.add(line, first)
			if first && bad != nil && err != nil && bytes.HasPrefix(line, []byte(`{"event":"set"`)) {
				return &run{path: path}, nil
			}
			if bad != nil {
				return nil, fmt.Errorf("%s: %w", path, bad)
			}
		}
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (r *run) add(line []byte, first bool) error {
	if first {
		if err := json.Unmarshal(line, &r.header); err != nil || r.Event != "set" {
			return errors.New("it is no record of a bulk act: its first line is not the set")
		}
		return nil
	}
	var e entry
	if json.Unmarshal(line, &e) != nil {
		r.torn = true
		return nil
	}
	listed := cmp.Or(e.Listed, e.Key)
	switch e.Event {
	case "sent":
		r.rows[listed] = e
	case "done":
		was := r.rows[listed] // the zero entry: it was judged without being sent
		if was.ActionID == "" || was.ActionID == e.ActionID || was.Event == "done" && was.Again {
			was.Event, was.Key, was.Outcome, was.Message, was.Again, was.Final = e.Event, e.Key, e.Outcome, e.Message, e.Again, e.Final
			r.rows[listed] = was
		}
	case "end":
		r.ending = &ending{}
		if json.Unmarshal(line, r.ending) != nil {
			r.ending = nil
		}
	}
	return nil
}

// set is the set with what is known of each row, as the queue's columns have it.
// Rows without a receipt are looked up at their turn.
func (r *run) set(m *model.Mapping) (actions.Set, error) {
	a, ok := model.ParseAction(r.Action)
	if !ok {
		return actions.Set{}, fmt.Errorf("%s: %q is no act that this leasetop knows", r.path, r.Action)
	}
	s := actions.Set{
		Queue: r.Queue, Action: a, What: r.What, Reason: r.Reason,
		By: time.Duration(r.ByMs) * time.Millisecond, Far: r.Far, Rows: make([]actions.Row, len(r.Rows)),
		Resumed: actions.Resumed{At: r.At, Actor: r.Actor, Torn: r.torn},
	}
	for i, row := range r.Rows {
		k, t, err := claimOf(m, row.Key, row.Token)
		if err != nil {
			return s, fmt.Errorf("%s: %w", r.path, err)
		}
		s.Rows[i] = actions.Row{Key: k, Token: t}
		e, sent := r.rows[row.Key]
		if !sent {
			continue
		}
		if e.Event == "done" && e.Again { // it is to be sent: as if nothing had been
			continue
		}
		got := model.Receipt{Intent: model.Intent{Action: a, Queue: r.Queue, Key: k, Seen: model.Seen{Token: t}}}
		if e.ActionID != "" {
			if got, err = e.receipt(m); err != nil {
				return s, fmt.Errorf("%s: %w", r.path, err)
			}
		}
		if o, known := model.ParseOutcome(e.Outcome); known && e.Event == "done" {
			got.Outcome, got.Message, got.Final = o, e.Message, e.Final
		}
		s.Rows[i].Earlier = got
	}
	return s, nil
}
