//go:build unix

package cli

import (
	"strings"
	"testing"
)

// A password that is found nowhere is asked for at the terminal before any screen
// opens, and nobody sees what is typed.
func TestPasswordIsAskedFor(t *testing.T) {
	t.Setenv("LEASETOP_PASSWORD", "")
	s := startScreen(t, "--dsn", "sqlserver://ops@127.0.0.1:1?database=Shop", "--table", "QueueDemo")
	s.shows(t, "password of ops on 127.0.0.1:1/Shop: ")
	if strings.Contains(s.text(), "\x1b[?1049h") {
		t.Error("the screen is open already")
	}
	if _, err := s.tty.WriteString("hunter2\r"); err != nil {
		t.Fatal(err)
	}
	s.shows(t, "127.0.0.1:1/Shop")
	s.shows(t, "\x1b[?1049h")
	if _, err := s.tty.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	s.left(t)
	if strings.Contains(s.text(), "hunter2") {
		t.Errorf("it shows what was typed: %q", s.text())
	}
}

// The question can be left by ctrl+c, and the terminal shows again what is typed.
func TestQuestionCanBeLeft(t *testing.T) {
	t.Setenv("LEASETOP_PASSWORD", "")
	s := startScreen(t, "--dsn", "sqlserver://ops@127.0.0.1:1?database=Shop", "--table", "QueueDemo")
	s.shows(t, "password of ops")
	if _, err := s.tty.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if err := <-s.ended; err == nil {
		t.Error("it ended as if all were well")
	}
	if !strings.Contains(s.text(), "nothing was typed") {
		t.Errorf("it says %q", s.text())
	}
}
