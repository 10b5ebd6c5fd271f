//go:build unix

package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/leasetop/leasetop/internal/uitest"
)

// screen is a program in a pseudo-terminal, all that it has written there and the
// picture that this makes.
type screen struct {
	cmd     *exec.Cmd
	tty     *os.File
	temp    string
	ended   chan error
	picture *uitest.Terminal

	mu  sync.Mutex
	out bytes.Buffer
}

// startScreen runs the program as a person would, in a terminal of 80 columns.
func startScreen(t *testing.T, args ...string) *screen {
	t.Helper()
	return startScreenIn(t, nil, args...)
}

// startScreenIn runs it with an environment that tells of another terminal. Nobody
// answers what the program asks that terminal.
func startScreenIn(t *testing.T, env []string, args ...string) *screen {
	t.Helper()
	s := &screen{cmd: exec.CommandContext(t.Context(), "leasetop", args...), temp: t.TempDir(), ended: make(chan error, 1), picture: uitest.NewTerminal(80, 24, nil)}
	home := t.TempDir()
	s.cmd.Env = append(os.Environ(), "TMPDIR="+s.temp, "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "TERM=xterm-256color", "GORACE="+noNap)
	s.cmd.Env = append(s.cmd.Env, env...)
	tty, err := pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	s.tty = tty
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(s, tty) // it ends with an error when the program does
	}()
	go func() {
		err := s.cmd.Wait()
		<-read
		s.ended <- err
	}()
	t.Cleanup(func() { tty.Close(); s.picture.Close() })
	return s
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.picture.Write(p); err != nil {
		return 0, err
	}
	return s.out.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// has reports whether the program has written something, or its screen shows it: of
// words that took the place of others only the cells that differ are written.
func (s *screen) has(want string) bool {
	return strings.Contains(s.text(), want) || strings.Contains(s.picture.Screen(), want)
}

// shows waits until the program has written something, or its screen shows it.
func (s *screen) shows(t *testing.T, want string) {
	t.Helper()
	tick, end := time.NewTicker(20*time.Millisecond), time.NewTimer(2*time.Minute)
	defer tick.Stop()
	defer end.Stop()
	for !s.has(want) {
		select {
		case <-tick.C:
		case err := <-s.ended:
			t.Fatalf("it ended (%v) before it showed %q:\n%q", err, want, s.text())
		case <-end.C:
			t.Fatalf("it never showed %q:\n%q", want, s.text())
		}
	}
}

// left checks that the program ended well, gave the terminal back and left no file.
func (s *screen) left(t *testing.T) {
	t.Helper()
	select {
	case err := <-s.ended:
		if err != nil {
			t.Errorf("it ended with %v:\n%q", err, s.text())
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("it does not end")
	}
	for _, restored := range []string{"\x1b[?1049l", "\x1b[?25h"} {
		if !strings.Contains(s.text(), restored) {
			t.Errorf("the terminal is not as it was: %q is missing", restored)
		}
	}
	files, err := os.ReadDir(s.temp)
	if err != nil || len(files) > 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

func TestTrainingQueueInATerminal(t *testing.T) {
	for name, leave := range map[string]func(*screen) error{
		"q":       func(s *screen) error { _, err := s.tty.WriteString("q"); return err },
		"ctrl+c":  func(s *screen) error { _, err := s.tty.WriteString("\x03"); return err },
		"SIGTERM": func(s *screen) error { return s.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGHUP":  func(s *screen) error { return s.cmd.Process.Signal(syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startScreen(t)
			s.shows(t, "TRAINING")
			s.shows(t, "pick-0")
			if err := leave(s); err != nil {
				t.Fatal(err)
			}
			s.left(t)
		})
	}
}

// A file that was named and is none is an error, and no screen is opened.
func TestNamedFileIsMissing(t *testing.T) {
	s := startScreen(t, "--dsn", "sqlite:missing.db", "--table", "QueueDemo")
	err := <-s.ended
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitUsage {
		t.Errorf("it ended with %v, want exit %d", err, exitUsage)
	}
	if text := s.text(); strings.Contains(text, "\x1b[?1049h") || !strings.Contains(text, "there is no such file") {
		t.Errorf("it wrote %q", text)
	}
}
