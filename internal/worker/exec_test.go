package worker_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

func background() context.Context { return context.Background() }

func claimOf(payload string) model.Claim {
	return model.Claim{
		Key: model.KeyOf(model.IntValue(42)), Token: model.TokenOf(model.GUIDValue(guid(1, 2))), Payload: payload,
		Operation: guid(3, 4), Attempts: model.NumberOf(2), MaxAttempts: model.NumberOf(5), Granted: time.Minute,
	}
}

func command(t *testing.T, does string, args ...string) *worker.Exec {
	t.Helper()
	x, err := worker.NewExec(worker.ExecOptions{Queue: "orders", Argv: self(does, args...), Withhold: []string{"LEASETOP_DSN", "LEASETOP_PASSWORD"}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// ear hears what children say.
type ear struct {
	net.Listener
	t *testing.T
}

func listen(t *testing.T) *ear {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &ear{l, t}
}

func (e *ear) addr() string { return e.Addr().String() }

// next is the next line that is opened; nothing on it takes longer than that.
func (e *ear) next() net.Conn {
	e.t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	if err := e.Listener.(*net.TCPListener).SetDeadline(deadline); err != nil {
		e.t.Fatal(err)
	}
	c, err := e.Accept()
	if err != nil {
		e.t.Fatal("no child calls: ", err)
	}
	if err := c.SetDeadline(deadline); err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { c.Close() })
	return c
}

// all is what a child says until it ends.
func (e *ear) all() string {
	e.t.Helper()
	data, err := io.ReadAll(e.next())
	if err != nil {
		e.t.Fatal(err)
	}
	return string(data)
}

// TestExecEnds tells a command's end by its status and its last words.
func TestExecEnds(t *testing.T) {
	for does, want := range map[string]string{
		"nothing": "",
		"fail":    "exit status 3: first line\nlast line",
	} {
		err := command(t, does).Handle(t.Context(), claimOf("x"))
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%s: %q, want %q", does, got, want)
		}
	}
}

// TestExecFlood keeps the end of 10 MB of standard error and nothing else.
func TestExecFlood(t *testing.T) {
	err := command(t, "flood").Handle(t.Context(), claimOf("x"))
	if err == nil {
		t.Fatal("a command that ended with 1 counts as done")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 10 || lines[9] != "line 399999 of very many" || lines[0] != "exit status 1: line 399990 of very many" {
		t.Errorf("%d lines are kept: %q", len(lines), err)
	}
}

// TestExecPayload sends all that a payload can be, and a command that does not read
// it is none the worse.
func TestExecPayload(t *testing.T) {
	e := listen(t)
	x := command(t, "sum", e.addr())
	for _, payload := range []string{"", "a\x00b\r\n\xff\n", strings.Repeat("0123456789abcdef", 128<<10)} {
		heard := make(chan string, 1)
		go func() { heard <- e.all() }()
		if err := x.Handle(t.Context(), claimOf(payload)); err != nil {
			t.Fatal(err)
		}
		if got, want := <-heard, fmt.Sprintf("%d %x <nil>", len(payload), sha256.Sum256([]byte(payload))); got != want {
			t.Errorf("%d bytes arrived as %s, want %s", len(payload), got, want)
		}
		if err := command(t, "nothing").Handle(t.Context(), claimOf(payload)); err != nil {
			t.Errorf("unread: %v", err)
		}
	}
}

// TestExecEnvironment tells the job, keeps what was there, and hands no secret down.
func TestExecEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"LEASETOP_PASSWORD": "hunter2", "LEASETOP_DSN": "sqlserver://x", "LEASETOP_THEME": "dark", "LEASETOP_OPERATION": "of a worker further up",
	} {
		t.Setenv(name, value)
	}
	full, bare := claimOf("x"), claimOf("x")
	bare.Attempts, bare.MaxAttempts, bare.Operation = model.Number{}, model.Number{}, ""
	e := listen(t)
	for _, tt := range []struct {
		claim model.Claim
		want  []string
	}{
		{full, []string{
			"LEASETOP_ATTEMPT=2", "LEASETOP_KEY=42", "LEASETOP_MAX_ATTEMPTS=5", "LEASETOP_OPERATION=" + guid(3, 4),
			"LEASETOP_QUEUE=orders", "LEASETOP_THEME=dark", "LEASETOP_TOKEN=" + guid(1, 2),
		}},
		{bare, []string{"LEASETOP_KEY=42", "LEASETOP_QUEUE=orders", "LEASETOP_THEME=dark", "LEASETOP_TOKEN=" + guid(1, 2)}},
	} {
		heard := make(chan string, 1)
		go func() { heard <- e.all() }()
		if err := command(t, "environment", e.addr()).Handle(t.Context(), tt.claim); err != nil {
			t.Fatal(err)
		}
		all := strings.Split(<-heard, "\n")
		var got []string
		for _, v := range all {
			if strings.HasPrefix(v, "LEASETOP_") {
				got = append(got, v)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("the command is told %q, want %q", got, tt.want)
		}
		if !slices.ContainsFunc(all, func(v string) bool { return strings.HasPrefix(strings.ToUpper(v), "PATH=") }) {
			t.Error("the rest of the environment is not handed down")
		}
	}
}

// TestExecZeroByte fails the job whose key no environment can hold, and does not
// take it for a command that cannot be started.
func TestExecZeroByte(t *testing.T) {
	c := claimOf("x")
	c.Operation = "a\x00b"
	err := command(t, "nothing").Handle(t.Context(), c)
	if got := fmt.Sprint(err); got != "LEASETOP_OPERATION would hold a zero byte, which no environment can" {
		t.Error(got)
	}
}

// TestExecIsLookedUp refuses a command that is not there before anything is claimed.
func TestExecIsLookedUp(t *testing.T) {
	for _, argv := range [][]string{nil, {""}, {"leasetop-no-such-command"}, {filepath.Join(t.TempDir(), "gone")}, {t.TempDir()}} {
		if _, err := worker.NewExec(worker.ExecOptions{Argv: argv}); err == nil {
			t.Errorf("%q is taken for a command", argv)
		}
	}
}

// TestExecCompletes runs commands in a pool, to both ends.
func TestExecCompletes(t *testing.T) {
	for does, want := range map[string]model.State{"nothing": model.Done, "fail": model.Failed} {
		b := newBench(t)
		keys := b.enqueue(2, func(j *model.NewJob) { j.MaxAttempts = model.NumberOf(1) })
		r := b.start(b, command(t, does).Handle, worker.Options{Workers: 2, Lease: time.Minute})
		b.ended(2)
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			if j := b.job(k); j.State != want || want == model.Failed && j.Error != "exit status 3: first line⏎last line" {
				t.Errorf("%s: job %s is %s: %q", does, k, j.State, j.Error)
			}
		}
		b.check(keys)
	}
}

// TestTail compares the ring with the plain thing.
func TestTail(t *testing.T) {
	long := strings.Repeat("ü", 2000)
	for _, tt := range []struct {
		name string
		say  []string
		want string
	}{
		{"nothing", nil, ""},
		{"blank", []string{"\n", " \r\n\n"}, ""},
		{"one", []string{"out of paper"}, "out of paper"},
		{"in pieces", []string{"out ", "of", " paper\nand ", "ink\n"}, "out of paper\nand ink"},
		{"escapes", []string{"\x1b]0;owned\a\x1b[2Jred\x1b[0m\ttab\x00"}, "red    tab·"},
		{"one long line", []string{long}, long[len(long)-1500:]},
		{"a line longer than the ring and a short one", []string{strings.Repeat("x", 5000) + "\nthe end\n"}, "the end"},
		{"exactly the ring", []string{strings.Repeat("x", 4095), "\n"}, strings.Repeat("x", 1500)},
		{"many", []string{strings.Repeat("a line of thirty-two characters\n", 1000)}, strings.TrimSuffix(strings.Repeat("a line of thirty-two characters\n", 10), "\n")},
	} {
		if got := worker.TailOf(tt.say...); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	// However the same text is cut into pieces, its end is the same.
	text := bytes.Repeat([]byte("0123456789\n"), 1700)
	for size := 1; size < 9000; size = size*2 + 1 {
		var pieces []string
		for p := range slices.Chunk(text, size) {
			pieces = append(pieces, string(p))
		}
		if got := worker.TailOf(pieces...); got != strings.TrimSuffix(strings.Repeat("0123456789\n", 10), "\n") {
			t.Errorf("in pieces of %d: %q", size, got)
		}
	}
}
