//go:build unix

package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// leasetop runs the program without a terminal and gives what it said and its code.
func leasetop(t *testing.T, args ...string) (out, told string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "leasetop", args...)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "GORACE="+noNap)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// TestRecordAndReplay records the training queue from the start and opens the file:
// in a terminal, as text, as JSON, and damaged.
func TestRecordAndReplay(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "morning.leasetop")
	s := startScreen(t, "--record", file)
	s.shows(t, "REC")
	s.shows(t, "pick-0")
	if _, err := s.tty.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	s.left(t)

	if out, told, code := leasetop(t, "replay", file); code != 0 || !strings.Contains(out, "Recorded from ") || !strings.Contains(out, "training") || told != "" {
		t.Errorf("replay without a terminal: %d %q %q", code, out, told)
	}
	if out, _, code := leasetop(t, "replay", file, "--json"); code != 0 || !strings.Contains(out, `"name": "training"`) {
		t.Errorf("replay --json: %d %q", code, out)
	}
	if out, told, code := leasetop(t, "replay", file, "--at", "-0s"); code != 0 || !strings.Contains(out, "; this is ") {
		t.Errorf("replay --at its end: %d %q %q", code, out, told)
	}
	for _, c := range []struct {
		args []string
		told string
		code int
	}{
		{[]string{"replay", file, "--at", "noon"}, `--at cannot be "noon"`, exitUsage},
		{[]string{"replay", file, "--at", "1h"}, "it has looks from", exitUsage},
		{[]string{"replay", file, "--at", "2001-01-01T00:00:00Z"}, "it has looks from", exitUsage},
		{[]string{"replay", file + "x"}, "there is no such file", exitUsage},
		{[]string{"replay"}, "FILE is missing", exitUsage},
		{[]string{"replay", os.Args[0]}, "it is no recording of leasetop", exitFailed},
		{[]string{"--record", file}, "is there already: a recording overwrites nothing", exitUsage},
	} {
		if _, told, code := leasetop(t, c.args...); code != c.code || !strings.Contains(told, c.told) {
			t.Errorf("%v: %d %q, want %d %q", c.args, code, told, c.code, c.told)
		}
	}

	if out, _, _ := leasetop(t, "replay", file); !strings.Contains(out, ", without payloads; this is ") {
		t.Errorf("replay does not say that there are no payloads: %q", out)
	}

	again := startScreen(t, "replay", file)
	again.shows(t, "REPLAY")
	again.shows(t, "TRAINING")
	again.shows(t, "shipping") // both queues are on the first screen, whichever was looked at first
	again.shows(t, "QUEUE")
	if _, err := again.tty.WriteString(" q"); err != nil {
		t.Fatal(err)
	}
	again.left(t)
}

// TestRecordPayloads holds that what v reads is in a recording when that was asked
// for, that the recording says so, and that without a screen it is said that there
// will be none.
func TestRecordPayloads(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "night.leasetop")
	s := startScreen(t, "--record", file, "--record-payloads")
	s.shows(t, "pick-0")
	for _, key := range []string{"\r", "v"} {
		if _, err := s.tty.WriteString(key); err != nil {
			t.Fatal(err)
		}
		if key == "\r" {
			s.shows(t, "ClaimToken")
		}
	}
	s.shows(t, "kept for looking back")
	if _, err := s.tty.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	s.left(t)
	if out, told, code := leasetop(t, "replay", file); code != 0 || !strings.Contains(out, ", with 1 payload; this is ") {
		t.Errorf("replay: %d %q %q", code, out, told)
	}
	head, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(head[:bytes.IndexByte(head, '\n')], []byte(`"payloads":true`)) {
		t.Errorf("its first line does not say that it has payloads: %v", err)
	}
}
