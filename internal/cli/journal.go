package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"github.com/leasetop/leasetop/model"
)

// journalDir is where every process keeps its journal.
func journalDir() string { return filepath.Join(xdg.StateHome, "leasetop", "journal") }

// journal keeps what this process sent as JSON lines in a file of its own, made at
// the first act. A line is on disk before Sent returns, so that an act whose reply
// is lost with the process can still be looked up. No payload is in it.
type journal struct {
	dir     string
	servers map[string]string // by queue
	now     func() time.Time

	mu   sync.Mutex
	file *os.File
}

// entry is one line of the journal.
type entry struct {
	Event    string    `json:"event"` // "sent" or "done"
	At       time.Time `json:"at"`
	ActionID string    `json:"action_id"`
	Action   string    `json:"action,omitempty"`
	Server   string    `json:"server,omitempty"`
	Queue    string    `json:"queue,omitempty"`
	Table    string    `json:"table,omitempty"`
	Key      string    `json:"key,omitempty"`
	Seen     *seen     `json:"seen,omitempty"`
	Actor    string    `json:"actor,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Outcome  string    `json:"outcome,omitempty"`
	Message  string    `json:"message,omitempty"`
}

// seen is the row as the act matched it.
type seen struct {
	State    string `json:"state"`
	Token    string `json:"token"`
	Lease    string `json:"lease,omitempty"`
	Attempts *int64 `json:"attempts,omitempty"`
}

// Sent notes an act before its statement leaves.
func (j *journal) Sent(p model.Plan, at time.Time) error {
	i := p.Intent
	s := &seen{State: i.Seen.State.String(), Token: i.Seen.Token.String(), Lease: i.Seen.Lease.Raw.Text}
	if i.Seen.Attempts.Known {
		s.Attempts = &i.Seen.Attempts.N
	}
	e := entry{
		Event: "sent", At: at.UTC(), ActionID: i.ActionID, Action: i.Action.String(), Server: j.servers[i.Queue],
		Queue: i.Queue, Key: i.Key.String(), Seen: s, Actor: i.Actor, Reason: i.Reason,
	}
	if p.Mapping != nil {
		e.Table = p.Mapping.Table.String()
	}
	return j.write(e)
}

// Done notes what became of an act.
func (j *journal) Done(r model.Receipt) error {
	return j.write(entry{
		Event: "done", At: j.now().UTC(), ActionID: r.Intent.ActionID, Outcome: r.Outcome.String(), Message: r.Message,
	})
}

// Place is the file that the acts of this process are noted in.
func (j *journal) Place() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return j.dir
	}
	return j.file.Name()
}

// write appends one line and has it on disk when it returns. After a failure the
// file is left, since its last line may be torn.
func (j *journal) write(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		if j.file, err = j.create(); err != nil {
			return err
		}
	}
	_, err = j.file.Write(append(line, '\n'))
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		err = errors.Join(err, j.file.Close())
		j.file = nil
	}
	return err
}

func (j *journal) create() (*os.File, error) {
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s-%d-*.jsonl", j.now().UTC().Format("20060102T150405"), os.Getpid())
	return os.CreateTemp(j.dir, name) // mode 0600, and a name that nobody has
}

func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}

// unresolved lists the acts of earlier processes of which no outcome was noted,
// the oldest first. Acts younger than quiet may still be under way elsewhere. What
// cannot be read is in the error; the rest is listed all the same.
func unresolved(dir string, now time.Time, quiet time.Duration) ([]entry, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var (
		open  []entry
		where = map[string]int{} // action id → place in open
		errs  []error
	)
	for _, f := range files { // their names begin with a time, so they are in order
		lines, err := readJournal(f)
		errs = append(errs, err)
		for _, e := range lines {
			i, known := where[e.ActionID]
			switch {
			case e.Event == "sent" && !known:
				where[e.ActionID] = len(open)
				open = append(open, e)
			case e.Event == "done" && known && e.Outcome != model.OutcomeUnknown.String():
				open[i].Event = "done"
			}
		}
	}
	var out []entry
	for _, e := range open {
		if e.Event == "sent" && now.Sub(e.At) >= quiet {
			out = append(out, e)
		}
	}
	return out, errors.Join(errs...)
}

// readJournal reads a file's whole lines. A torn last line is no entry: its act
// was not sent.
func readJournal(path string) ([]entry, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // another process removed it meanwhile
	}
	if err != nil {
		return nil, err
	}
	var out []entry
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, len(data)+1)
	for s.Scan() {
		var e entry
		if json.Unmarshal(s.Bytes(), &e) == nil && e.ActionID != "" {
			out = append(out, e)
		}
	}
	return out, s.Err()
}

// receipt is what the journal knows of an act, for looking it up again.
func (e *entry) receipt(m *model.Mapping) (model.Receipt, error) {
	key, err := model.ParseKey(m.Keys, e.Key)
	if err != nil || e.Seen == nil {
		return model.Receipt{}, fmt.Errorf("journal: act %s: %w", e.ActionID, errors.Join(err, errors.New("it cannot be read")))
	}
	token, err := model.ParseToken(m.Tokens(), e.Seen.Token)
	if err != nil {
		return model.Receipt{}, fmt.Errorf("journal: act %s: %w", e.ActionID, err)
	}
	state, _ := model.ParseState(e.Seen.State)
	s := model.Seen{State: state, Token: token, Attempts: numberOf(e.Seen.Attempts)}
	if e.Seen.Lease != "" {
		s.Lease = model.Instant{Raw: model.TimeValue(e.Seen.Lease)}
	}
	action, ok := model.ParseAction(e.Action)
	if !ok {
		return model.Receipt{}, fmt.Errorf("journal: act %s: %q is no act that this leasetop knows", e.ActionID, e.Action)
	}
	return model.Receipt{
		Intent: model.Intent{Action: action, Queue: e.Queue, Key: key, Seen: s, ActionID: e.ActionID, Actor: e.Actor, Reason: e.Reason},
		Before: &model.Job{Key: key, Token: token, State: state, Lease: s.Lease, Attempts: s.Attempts},
		Sent:   e.At,
	}, nil
}

func numberOf(n *int64) model.Number {
	if n == nil {
		return model.Number{}
	}
	return model.NumberOf(*n)
}

// describe is what is unresolved, in one line; empty when nothing is.
func describe(open []entry) string {
	if len(open) == 0 {
		return ""
	}
	parts := make([]string, 0, len(open))
	for _, e := range open {
		parts = append(parts, fmt.Sprintf("%s of job %s in %s at %s (action %s)", e.Action, e.Key, e.Queue, e.At.Format(time.RFC3339), e.ActionID))
	}
	if len(open) == 1 {
		return "an earlier act has no known outcome: " + parts[0]
	}
	return fmt.Sprintf("%d earlier acts have no known outcome: %s", len(open), strings.Join(parts, "; "))
}
