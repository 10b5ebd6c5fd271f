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
)

// screen is a program in a pseudo-terminal and all that it has written there.
type screen struct {
	cmd   *exec.Cmd
	tty   *os.File
	temp  string
	ended chan error

	mu  sync.Mutex
	out bytes.Buffer
}

// startScreen runs the program as a person would, in a terminal of 80 columns.
func startScreen(t *testing.T, args ...string) *screen {
	t.Helper()
	s := &screen{cmd: exec.CommandContext(t.Context(), "leasetop", args...), temp: t.TempDir(), ended: make(chan error, 1)}
	home := t.TempDir()
	s.cmd.Env = append(os.Environ(), "TMPDIR="+s.temp, "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "TERM=xterm-256color", "GORACE="+noNap)
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
	t.Cleanup(func() { tty.Close() })
	return s
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// shows waits until the program has written something.
func (s *screen) shows(t *testing.T, want string) {
	t.Helper()
	tick, end := time.NewTicker(20*time.Millisecond), time.NewTimer(20*time.Second)
	defer tick.Stop()
	defer end.Stop()
	for !strings.Contains(s.text(), want) {
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
	case <-time.After(20 * time.Second):
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
