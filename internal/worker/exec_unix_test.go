//go:build unix

package worker_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/worker"
	"github.com/leasetop/leasetop/model"
)

// over waits until the process at the other end of a line has ended.
func over(t *testing.T, c net.Conn) {
	t.Helper()
	_, err := io.Copy(io.Discard, c)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("a process of the attempt goes on after its end")
	}
}

// named waits until a process has said who it is.
func named(t *testing.T, c net.Conn) string {
	t.Helper()
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// TestExecSignal tells a command that was killed by somebody else.
func TestExecSignal(t *testing.T) {
	err := command(t, "die").Handle(t.Context(), claimOf("x"))
	if got := fmt.Sprint(err); got != "signal: killed, and nothing on standard error" {
		t.Error(got)
	}
}

// TestExecTreeEnds ends a command and what it started, although both ignore the
// request and hold the pipes open.
func TestExecTreeEnds(t *testing.T) {
	for _, cause := range []error{worker.ErrLost, worker.ErrDrain} {
		e := listen(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		c := claimOf("x")
		c.Granted = 4 * time.Second // a grace of a fifth of a second
		result := make(chan error, 1)
		go func() { result <- command(t, "hang", e.addr()).Handle(ctx, c) }()
		first, second := e.next(), e.next()
		if a, b := named(t, first), named(t, second); a == b {
			t.Fatalf("both are the %s", a)
		}
		cancel(cause)
		if err := <-result; !errors.Is(err, cause) {
			t.Errorf("the handler says %v, want %v", err, cause)
		}
		over(t, first)
		over(t, second)
	}
}

// TestExecLeavesNothing ends what a command left running when it ended by itself.
func TestExecLeavesNothing(t *testing.T) {
	e := listen(t)
	c := claimOf("x")
	c.Granted = 40 * time.Second // two seconds for the pipe that the grandchild holds
	result := make(chan error, 1)
	go func() { result <- command(t, "leave", e.addr()).Handle(t.Context(), c) }()
	line := e.next()
	if err := <-result; err != nil {
		t.Errorf("a command that ended with 0 fails: %v", err)
	}
	over(t, line)
}

// TestExecObeys does not believe the status 0 of a command that was told to stop.
func TestExecObeys(t *testing.T) {
	e := listen(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	result := make(chan error, 1)
	go func() { result <- command(t, "obey", e.addr()).Handle(ctx, claimOf("x")) }()
	named(t, e.next())
	cancel(worker.ErrDrain)
	if err := <-result; !errors.Is(err, worker.ErrDrain) {
		t.Errorf("the handler says %v, want %v", err, worker.ErrDrain)
	}
}

// TestExecLost takes a job away from its worker: its command ends, and nothing is
// recorded by it.
func TestExecLost(t *testing.T) {
	b := newBench(t)
	key := b.enqueue(1)[0]
	var claims atomic.Int32
	q := &tamper{Queue: b, claim: func(ctx context.Context, token, name string, n int, lease time.Duration) ([]model.Claim, error) {
		if claims.Add(1) > 1 {
			return nil, nil
		}
		return b.Claim(ctx, token, name, n, lease)
	}}
	e := listen(t)
	r := b.start(q, command(t, "hang", e.addr()).Handle, worker.Options{Lease: 20 * time.Second, Beat: 20 * time.Millisecond, Alone: true})
	first, second := e.next(), e.next()
	other := guid(7, 7)
	if changes, err := b.Release(t.Context(), key, b.job(key).Token, other); err != nil || len(changes) != 1 {
		t.Fatal(changes, err)
	}
	over(t, first)
	over(t, second)
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	if j := b.job(key); j.State != model.Ready || j.Token.String() != other || j.Error != "" {
		t.Errorf("the job is %s with the token %s: %q", j.State, j.Token, j.Error)
	}
	if n := len(b.of(worker.EventLost)); n != 1 {
		t.Errorf("%d losses were told, want one", n)
	}
}

// TestExecDrained gives a job back whose command had to be stopped.
func TestExecDrained(t *testing.T) {
	b := newBench(t)
	key := b.enqueue(1)[0]
	e := listen(t)
	r := b.start(b, command(t, "hang", e.addr()).Handle, worker.Options{Lease: 20 * time.Second, Grace: -1, Stop: 2 * time.Minute})
	first, second := e.next(), e.next()
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	over(t, first)
	over(t, second)
	if j := b.job(key); j.State != model.Ready || j.Attempts.N != 0 {
		t.Errorf("the job is %s after %d attempts, want ready and none", j.State, j.Attempts.N)
	}
}

// TestExecGone removes the command while workers run: no attempt is burnt, what was
// claimed is given back, and the pool says why it ends.
func TestExecGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "command")
	if err := os.Symlink(os.Args[0], path); err != nil {
		t.Fatal(err)
	}
	x, err := worker.NewExec(worker.ExecOptions{Argv: append([]string{path}, self("nothing")[1:]...)})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Handle(t.Context(), claimOf("x")); err != nil {
		t.Fatal("while it is there: ", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	keys := b.enqueue(3)
	err = worker.New(b, x.Handle, worker.Options{Batch: 2, Lease: time.Minute, Events: b.note}).Run(t.Context())
	if !errors.Is(err, worker.ErrUnable) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the pool ends with %v", err)
	}
	for _, k := range keys {
		if j := b.job(k); j.State != model.Ready || j.Attempts.N != 0 {
			t.Errorf("job %s is %s after %d attempts, want ready and none", k, j.State, j.Attempts.N)
		}
	}
}

// TestExecWithoutItsWorker kills a worker: on Linux its command does not outlive it.
func TestExecWithoutItsWorker(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no such bond on " + runtime.GOOS)
	}
	e := listen(t)
	w := again("work", e.addr())
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	line := e.next()
	if who := named(t, line); who != "command" {
		t.Fatal(who)
	}
	if err := w.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = w.Wait()
	over(t, line)
}
