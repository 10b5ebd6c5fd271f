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
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// journalDir is where every process keeps its journal.
func journalDir() string { return filepath.Join(xdg.StateHome, "leasetop", "journal") }

// journal keeps what this process sent as JSON lines in a file of its own, made at
// the first act. A line is on disk before Sent returns, so that an act whose reply
// is lost with the process can still be looked up. No payload is in it.
type journal struct {
	dir     string
	servers map[string]place // by queue
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
	Address  string    `json:"address,omitempty"` // of the server; no login and no secret
	Queue    string    `json:"queue,omitempty"`
	Table    string    `json:"table,omitempty"`
	Key      string    `json:"key,omitempty"`
	Listed   string    `json:"listed,omitempty"` // the key as a list spells it, where that is another way
	Oldest   int       `json:"oldest,omitempty"` // of a destructive queue: so many of the oldest rows, and no key
	Seen     *seen     `json:"seen,omitempty"`
	Actor    string    `json:"actor,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Outcome  string    `json:"outcome,omitempty"`
	Message  string    `json:"message,omitempty"`
	Final    bool      `json:"final,omitempty"` // unknown for good: nothing is left to look at
	Again    bool      `json:"again,omitempty"` // nothing was done, and a later run may send it
}

// seen is the row as the act matched it.
type seen struct {
	State    string `json:"state"`
	Token    string `json:"token"`
	Lease    string `json:"lease,omitempty"`
	Attempts *int64 `json:"attempts,omitempty"`
}

// Sent notes an act before its statement leaves.
func (j *journal) Sent(p model.Plan, at time.Time) error { return j.write(sentEntry(j.servers, p, at)) }

// Done notes what became of an act.
func (j *journal) Done(r model.Receipt) error { return j.write(doneEntry(r, j.now())) }

// sentEntry is an act about to be sent.
func sentEntry(servers map[string]place, p model.Plan, at time.Time) entry {
	i := p.Intent
	s := &seen{State: i.Seen.State.String(), Token: i.Seen.Token.String(), Lease: i.Seen.Lease.Raw.Text}
	if i.Seen.Attempts.Known {
		s.Attempts = &i.Seen.Attempts.N
	}
	e := entry{
		Event: "sent", At: at.UTC(), ActionID: i.ActionID, Action: i.Action.String(), Server: servers[i.Queue].name, Address: servers[i.Queue].address,
		Queue: i.Queue, Key: i.Key.String(), Seen: s, Actor: i.Actor, Reason: i.Reason,
	}
	if p.Mapping != nil {
		e.Table = p.Mapping.Table.String()
	}
	if e.Oldest = i.Oldest; p.Mapping.IsDestructive() {
		e.Key = model.RowText(p.Mapping.Keys, i.Key)
	}
	return e
}

// doneEntry is what became of an act.
func doneEntry(r model.Receipt, at time.Time) entry {
	return entry{
		Event: "done", At: at.UTC(), ActionID: r.Intent.ActionID, Outcome: r.Outcome.String(), Message: r.Message, Final: r.Final,
	}
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
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		f, err := j.create()
		if err != nil {
			return err
		}
		j.file = f
	}
	err := appendLine(j.file, e)
	if err != nil {
		err = errors.Join(err, j.file.Close())
		j.file = nil
	}
	return err
}

func (j *journal) create() (*os.File, error) {
	prune(j.dir, j.now())
	return ownFile(j.dir, fmt.Sprintf("%s-%d-*.jsonl", j.now().UTC().Format("20060102T150405"), os.Getpid()))
}

// ownFile makes a file with a name that nobody has, for its user's eyes, locked so
// that nobody removes it or goes on with it while this process lasts. Its place in the
// folder is on disk too, as far as the system allows.
func ownFile(dir, pattern string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, pattern) // mode 0600
	if err != nil {
		return nil, err
	}
	if _, err := lockFile(f); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync() // not every system can
		_ = d.Close()
	}
	return f, nil
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
// the oldest first. Acts younger than quiet may still be under way elsewhere; one of
// the future is old, by a clock that was set back since. What cannot be read is in
// the error; the rest is listed all the same.
func unresolved(dir string, now time.Time, quiet time.Duration) ([]entry, error) {
	files, err := journals(dir)
	if err != nil {
		return nil, err
	}
	var (
		sent []entry
		seen = map[string]bool{} // action ids in sent
		over = map[string]bool{} // action ids with an outcome, also in a file whose name sorts earlier
		errs []error
	)
	for _, f := range files { // their names begin with a time, so they are in order
		lines, err := readJournal(f)
		errs = append(errs, err)
		for _, e := range lines {
			switch {
			case e.Event == "sent" && !seen[e.ActionID]:
				seen[e.ActionID] = true
				sent = append(sent, e)
			case e.Event == "done" && (e.Final || e.Outcome != model.OutcomeUnknown.String()):
				over[e.ActionID] = true
			}
		}
	}
	var out []entry
	for _, e := range sent {
		if !over[e.ActionID] && now.Sub(e.At).Abs() >= quiet {
			out = append(out, e)
		}
	}
	return out, errors.Join(errs...)
}

// journals are the files of a folder that hold journals, by name. What is no plain
// file is none of ours: to open a pipe would wait for whoever writes into it.
func journals(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	return slices.DeleteFunc(files, func(f string) bool {
		i, err := os.Lstat(f)
		return err == nil && !i.Mode().IsRegular()
	}), err
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
	if action, ok := model.ParseAction(e.Action); ok && action.OnQueue() {
		return model.Receipt{
			Intent: model.Intent{Action: action, Queue: e.Queue, ActionID: e.ActionID, Actor: e.Actor, Reason: e.Reason}, Sent: e.At,
		}, nil
	}
	if m.IsDestructive() {
		return e.rowReceipt(m)
	}
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

// subject is an act and the job that it is about, if it is about one, for eyes: a
// key is kept as the database has it.
func (e *entry) subject() string {
	if action, ok := model.ParseAction(e.Action); ok && action.OnQueue() {
		return text.Clean(e.Action)
	}
	return text.Clean(e.Action) + " of job " + text.Brief(e.Key)
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
		parts = append(parts, fmt.Sprintf("%s in %s at %s (action %s)", e.subject(), text.Clean(e.Queue), e.At.Format(time.RFC3339), text.Clean(e.ActionID)))
	}
	if len(open) == 1 {
		return "an earlier act has no known outcome: " + parts[0]
	}
	return fmt.Sprintf("%d earlier acts have no known outcome: %s", len(open), strings.Join(parts, "; "))
}
