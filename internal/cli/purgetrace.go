package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/google/uuid"
)

// purgeFile is where every purge leaves its trace: the rows that it removed, and
// what the history said of them, can tell nobody any more.
func purgeFile() string { return filepath.Join(xdg.StateHome, "leasetop", "purges.jsonl") }

// purgeTrace is a line of that file, one before the first batch leaves and one when
// the purge has ended. A run that has no second line was killed.
type purgeTrace struct {
	Event   string      `json:"event"` // "begun" or "ended"
	At      time.Time   `json:"at"`
	RunID   string      `json:"run_id"`
	Actor   string      `json:"actor"`
	Server  string      `json:"server"`
	Address string      `json:"address,omitempty"`
	Queue   string      `json:"queue"`
	Table   string      `json:"table"`
	What    []purgeLine `json:"what"`
	Whole   bool        `json:"whole"`           // of an ended one: it came to its end
	Error   string      `json:"error,omitempty"` // of one that did not: why
}

// purgeLine is one kind of row of a purge.
type purgeLine struct {
	What    string     `json:"what"`
	Until   *time.Time `json:"until,omitempty"` // what ended before it, by the server's clock
	UpTo    int64      `json:"up_to,omitempty"` // the highest key that may go
	Removed int64      `json:"removed"`
}

func traceOf(event string, at time.Time, run string, r *room, list []purging) purgeTrace {
	m := &r.config.Mapping
	t := purgeTrace{Event: event, At: at.UTC(), RunID: run, Actor: actor(), Server: placeOf(&r.server).name, Address: placeOf(&r.server).address, Queue: m.Queue, Table: m.Table.String()}
	for _, p := range list {
		l := purgeLine{What: string(p.ask.Op), UpTo: p.ask.UpTo, Removed: p.gone}
		if p.ask.UpTo == 0 {
			until := p.ask.Until.UTC()
			l.Until = &until
		}
		t.What = append(t.What, l)
	}
	return t
}

// tracedPurge carries a purge and leaves its trace. Without a place for the first
// line nothing is removed.
func tracedPurge(path string, r *room, list []purging, carry func() error) (err error) {
	f, err := openTrace(path)
	if err != nil {
		return fmt.Errorf("purge: nothing was removed: its trace cannot be written: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	run := strings.ToUpper(id.String())
	if err := appendLine(f, traceOf("begun", time.Now(), run, r, list)); err != nil {
		return fmt.Errorf("purge: nothing was removed: its trace cannot be written: %w", err)
	}
	stopped := carry()
	end := traceOf("ended", time.Now(), run, r, list)
	end.Whole = stopped == nil
	if stopped != nil {
		end.Error = stopped.Error()
	}
	if err := appendLine(f, end); err != nil {
		stopped = errors.Join(stopped, fmt.Errorf("purge: its end is not in %s: %w", path, err))
	}
	return stopped
}

// openTrace opens the file to append to, readable by its user alone.
func openTrace(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}
