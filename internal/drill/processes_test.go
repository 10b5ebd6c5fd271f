package drill_test

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// TestKilledProcesses kills real worker processes while they hold jobs: the soak
// does so twenty times.
func TestKilledProcesses(t *testing.T) { killProcesses(t, 2) }

// killProcesses runs two `leasetop work` on one file and kills one of them in each
// round, as kill -9 does, at the moment in which it says that it has a job. Nothing
// is lost, the killed claims expire and come back as another attempt, their tokens
// are never honoured, and the file is sound.
func killProcesses(t *testing.T, rounds int) {
	if testing.Short() {
		t.Skip("builds the program and waits for real leases")
	}
	s := &scene{T: t, program: build(t), path: filepath.Join(t.TempDir(), "queue.db")}
	s.run("schema", "--apply")
	q := s.queue()
	second := s.work()
	defer second.kill()
	var keys []model.Key
	killed := map[model.Key]model.Token{}
	for n := 0; n < rounds || len(killed) == 0; n++ { // on a slow machine one may end its job before it is killed
		first := s.work()
		more, err := q.Enqueue(t.Context(), worker.Load{Seed: uint64(len(keys))}.Jobs(10))
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, more...)
		first.untilHolding()
		first.kill()
		maps.Copy(killed, first.held())
		s.untilEnded(q)
	}
	s.judge(q, keys, killed)
	s.sound()
}

// scene is one file and the processes that work on it.
type scene struct {
	*testing.T
	program, path string
	ledger        drill.Ledger

	mu sync.Mutex // one log line at a time, of whichever process
}

func (s *scene) args(command string, more ...string) []string {
	return append([]string{command, "Orders", "--dsn", "sqlite:" + s.path, "--table", "Orders"}, more...)
}

func (s *scene) run(command string, more ...string) {
	s.Helper()
	cmd := exec.CommandContext(s.Context(), s.program, s.args(command, more...)...)
	cmd.Env = environment(s.T)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// environment keeps the user's own configuration out of the test.
func environment(t *testing.T) []string {
	home := t.TempDir()
	return append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "LEASETOP_DSN=")
}

// queue binds the same table in this process.
func (s *scene) queue() *store.Queue {
	s.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: s.path})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		if err := db.Close(); err != nil {
			s.Error(err)
		}
	})
	m, err := profile.For(profile.Lease, "", model.Table{Name: "Orders"})
	if err != nil {
		s.Fatal(err)
	}
	return db.Queue(m)
}

// process is one `leasetop work`, heard through its log.
type process struct {
	s       *scene
	cmd     *exec.Cmd
	read    chan struct{} // the log has ended
	holding chan struct{} // it said that it has a job

	// Guarded by the scene.
	open map[model.Key]model.Token
	log  []string
	said bool // that it has a job
}

func (s *scene) work() *process {
	s.Helper()
	p := &process{s: s, read: make(chan struct{}), holding: make(chan struct{}), open: map[model.Key]model.Token{}}
	p.cmd = exec.CommandContext(s.Context(), s.program,
		s.args("work", "--simulate", "--workers", "3", "--lease", "2s", "--mean", "300ms", "--log", "json")...)
	p.cmd.Env = environment(s.T)
	log, err := p.cmd.StderrPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		s.Fatal(err)
	}
	go func() {
		defer close(p.read)
		for lines := bufio.NewScanner(log); lines.Scan(); {
			p.hear(lines.Bytes())
		}
	}()
	return p
}

// hear notes one line of the log as the event that it tells.
func (p *process) hear(line []byte) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	var l struct {
		Msg, Step, Worker, Key, Token, State string
		Next                                 string `json:"next_token"`
		Attempt                              int64
	}
	p.log = append(p.log, string(line))
	if err := json.Unmarshal(line, &l); err != nil {
		return // half a line is what a killed process leaves
	}
	e := worker.Event{Kind: worker.Kind(l.Msg), Step: worker.Step(l.Step), Worker: l.Worker, Next: l.Next, Attempts: model.NumberOf(l.Attempt)}
	e.State, _ = model.ParseState(l.State)
	if l.Key != "" {
		e.Key, _ = model.ParseKey([]model.Column{{Name: "JobId", Type: model.Int}}, l.Key)
	}
	if l.Token != "" {
		e.Token = model.TokenOf(model.GUIDValue(l.Token))
	}
	p.s.ledger.Note(e)
	if e.Kind == worker.EventClaimed {
		if p.open[e.Key] = e.Token; !p.said {
			p.said = true
			close(p.holding)
		}
	} else if p.open[e.Key] == e.Token {
		delete(p.open, e.Key)
	}
}

// untilHolding waits until the process has a job.
func (p *process) untilHolding() {
	p.s.Helper()
	select {
	case <-p.holding:
	case <-p.read:
		p.s.Fatalf("the worker ended by itself:\n%s", strings.Join(p.log, "\n"))
	case <-time.After(2 * time.Minute):
		p.s.Fatal("no worker claimed anything in two minutes")
	}
}

// kill ends the process as kill -9 does, and reads what it still said.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	<-p.read
	_ = p.cmd.Wait() // a killed process ends with an error
}

// held are the claims that the process took with it.
func (p *process) held() map[model.Key]model.Token { return p.open }

// untilEnded waits until no job is open.
func (s *scene) untilEnded(q *store.Queue) {
	s.Helper()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	limit := time.After(5 * time.Minute)
	for {
		p, _, err := q.Pulse(s.Context(), model.PulseAsk{})
		if err != nil {
			s.Fatal(err)
		}
		if p.Scheduled.N+p.Ready.N+p.Working.N == 0 {
			return
		}
		select {
		case <-look.C:
		case <-limit:
			s.Fatalf("after five minutes there are still open jobs: %+v", p)
		}
	}
}

// judge holds everything to the invariants, and the killed claims to their fate.
func (s *scene) judge(q *store.Queue, keys []model.Key, killed map[model.Key]model.Token) {
	s.Helper()
	f, err := drill.Gather(s.Context(), q, keys)
	if err != nil {
		s.Fatal(err)
	}
	f.Partial = true
	expired := 0
	for _, j := range f.Rows {
		token, was := killed[j.Key]
		if !was {
			continue
		}
		var end model.Event // of the killed claim
		for _, e := range f.History[j.Key] {
			if e.OldToken == token {
				end = e
				break
			}
		}
		switch end.Kind {
		case model.EventExpired:
			expired++
			if j.State != model.Done || j.Attempts.N < 2 || j.Token == token {
				s.Errorf("job %s, whose worker was killed, is %s after %d attempts with token %s", j.Key, j.State, j.Attempts.N, j.Token)
			}
		case model.EventCompleted: // it ended before it could say so
		default:
			s.Errorf("job %s: the claim of a worker that was killed ended with %q", j.Key, end.Kind)
		}
	}
	r := drill.Check(&s.ledger, f)
	s.Logf("%d claims were killed, %d of them expired\n%s", len(killed), expired, r)
	if !r.OK() {
		s.Error("the guarantees do not hold")
	}
	if expired == 0 {
		s.Error("no killed claim expired: nothing was shown")
	}
}

// sound asks the engine whether the file is whole.
func (s *scene) sound() {
	s.Helper()
	dsn := (&url.URL{Scheme: "file", Opaque: url.PathEscape(s.path), RawQuery: "mode=ro"}).String()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(s.Context(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		s.Errorf("the file is not sound: %q, %v", verdict, err)
	}
}

// build makes the program that the repository ships.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "leasetop")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/leasetop/leasetop")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(fmt.Errorf("%w\n%s", err, out))
	}
	return program
}
