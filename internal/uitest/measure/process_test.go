//go:build soak && (linux || darwin)

package measure

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/leasetop/leasetop/internal/uitest"
)

// build makes the binary once, as a release does.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "leasetop-measure")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "leasetop")
	cmd := exec.Command(filepath.Join("..", "..", "..", ".ci", "build"), bin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return bin, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if bin, err := build(); err == nil {
		_ = os.RemoveAll(filepath.Dir(bin))
	}
	os.Exit(code)
}

func binary(t *testing.T) string {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// run runs the binary to its end and gives what it printed.
func run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(binary(t), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("leasetop %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// background runs the binary beside the test until the test ends.
func background(t *testing.T, args ...string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(binary(t), args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Logf("leasetop %s: %v\n%s", strings.Join(args, " "), err, out.String())
		}
	})
}

// process is the program in a pseudo-terminal with an emulator behind it.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	pty   *os.File
	term  *uitest.Terminal
	began time.Time
	first time.Time     // of the first byte
	last  atomic.Int64  // when the last bytes came, in nanoseconds
	news  chan struct{} // bytes came
	ended chan error
}

// start starts the program in a terminal of 120 by 40 cells, as over SSH.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(binary(t), args...), news: make(chan struct{}, 1), ended: make(chan error, 1)}
	p.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "LEASETOP_DSN=", "XDG_STATE_HOME="+t.TempDir())
	f, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(f, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	p.pty, p.term = f, uitest.NewTerminal(120, 40, f)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.began = time.Now()
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	go p.read()
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.pty.Close()
		_ = p.term.Close()
	})
	return p
}

// questions are modes that the emulator does not know and modern terminals do.
var questions = map[string]string{"\x1b[?2026$p": "\x1b[?2026;2$y"}

func (p *process) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := p.pty.Read(buf)
		if n > 0 {
			now := time.Now()
			if p.first.IsZero() {
				p.first = now
			}
			_, _ = p.term.Write(buf[:n])
			p.last.Store(now.UnixNano())
			for q, a := range questions {
				if bytes.Contains(buf[:n], []byte(q)) {
					_, _ = io.WriteString(p.pty, a)
				}
			}
			select {
			case p.news <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// press sends a key as a terminal does.
func (p *process) press(key string) {
	p.t.Helper()
	b, err := uitest.Encode(key)
	if err == nil {
		_, err = p.pty.Write(b)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// await waits until the screen satisfies the condition and gives the time at which
// the bytes came that made it so.
func (p *process) await(limit time.Duration, what string, holds func(screen string) bool) time.Time {
	p.t.Helper()
	deadline := time.After(limit)
	for {
		if holds(p.term.Screen()) {
			return time.Unix(0, p.last.Load())
		}
		select {
		case <-p.news:
		case err := <-p.ended:
			p.t.Fatalf("the program ended (%v) before: %s\n%s", err, what, p.term.Screen())
		case <-deadline:
			p.t.Fatalf("not within %v: %s\n%s", limit, what, p.term.Screen())
		}
	}
}

// quit presses q and gives how long the program took to end, and what it used.
func (p *process) quit() (took time.Duration, usage *syscall.Rusage) {
	p.t.Helper()
	began := time.Now()
	p.press("q")
	select {
	case err := <-p.ended:
		if err != nil {
			p.t.Errorf("the program ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		p.t.Fatal("q does not end the program")
	}
	took = time.Since(began)
	usage, ok := p.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		p.t.Fatal(errors.New("the system tells no usage"))
	}
	return took, usage
}

// cpu is the processor time that was used, in seconds.
func cpu(u *syscall.Rusage) float64 {
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// resident is the most memory that was resident, in MB.
func resident(u *syscall.Rusage) float64 {
	if runtime.GOOS == "darwin" {
		return float64(u.Maxrss) / 1e6
	}
	return float64(u.Maxrss) / 1e3
}
