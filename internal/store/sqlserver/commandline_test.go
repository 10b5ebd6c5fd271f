package sqlserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/adrg/xdg"

	"github.com/leasetop/leasetop/internal/cli"
	"github.com/leasetop/leasetop/internal/store/sqlserver"
	"github.com/leasetop/leasetop/internal/tdstest"
)

// leasetop runs a command line against a server, with a state directory of its own.
func leasetop(ctx context.Context, t *testing.T, s *tdstest.Server, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := map[string]string{"LEASETOP_DSN": fmt.Sprintf("sqlserver://sa:x@%s?database=Shop&encrypt=disable", s.Listen())}
	w := cli.World{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Getenv: func(k string) string { return env[k] }}
	code = cli.Run(ctx, w, append(args, "--profile", "bare", "--control", "--dev"))
	return code, stdout.String(), stderr.String()
}

// stateHome gives the command line a state directory of its own.
func stateHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	return dir
}

// TestExitCodesOfALostReply cuts the reply of a reclaim, before or after the
// statement took effect: the exit code is 4 as long as nobody can say which, and
// never 0 without a proof.
func TestExitCodesOfALostReply(t *testing.T) {
	const over = "2026-03-01T11:58:00"
	for name, tc := range map[string]struct {
		after   func(action string) (state, token string, lease any) // the row as it is afterwards
		code    int
		outcome string
		says    string
	}{
		"the row carries the act's id": {func(id string) (string, string, any) { return "R", id, nil }, 0, "applied", "act's id"},
		"the row has moved on":         {func(string) (string, string, any) { return "W", sqlserver.TokenB, over }, 4, "unknown", "for good"},
		"the row is as it was":         {func(string) (string, string, any) { return "W", sqlserver.TokenA, over }, 4, "unknown", "may still take effect"},
	} {
		t.Run(name, func(t *testing.T) {
			home := stateHome(t)
			var sent atomic.Pointer[string]
			var looks atomic.Int64
			// It would look for longer than a test wants to wait: ctrl+c ends that, not the act.
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := tdstest.New(t, sqlserver.BareServer(t, func() (string, string, any) {
				if id := sent.Load(); id != nil {
					if looks.Add(1) == 2 {
						cancel()
					}
					return tc.after(*id)
				}
				return "W", sqlserver.TokenA, over
			}, func(r tdstest.Request) tdstest.Reply {
				id := sqlserver.Param(r, "action")
				if sent.Swap(&id) != nil {
					t.Error("it was sent twice")
				}
				return tdstest.Reply{tdstest.Hangup{}}
			}))
			code, out, errs := leasetop(ctx, t, s, "reclaim", "dbo.QueueDemo", "10421", "--token", sqlserver.TokenA, "--table", "dbo.QueueDemo", "--json")
			var got struct{ Outcome, Message string }
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatalf("%v: %q, standard error %q", err, out, errs)
			}
			if code != tc.code || got.Outcome != tc.outcome || !strings.Contains(got.Message, tc.says) {
				t.Errorf("exit %d, %s %q; want %d, %s with %q\n%s", code, got.Outcome, got.Message, tc.code, tc.outcome, tc.says, errs)
			}
			journal := read(t, filepath.Join(home, "leasetop", "journal", "*.jsonl"))
			if !strings.Contains(journal, `"event":"sent"`) || !strings.Contains(journal, *sent.Load()) {
				t.Errorf("the journal has not what was sent:\n%s", journal)
			}
		})
	}
}

// TestExitCodesOfACutList cuts a reply in the middle of a list: exit 4, and the file
// of receipts knows what was sent without one.
func TestExitCodesOfACutList(t *testing.T) {
	home := stateHome(t)
	list := filepath.Join(home, "list")
	if err := os.WriteFile(list, []byte("10421 "+sqlserver.TokenA+"\n10422 "+sqlserver.TokenA+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var sends atomic.Int64
	s := tdstest.New(t, sqlserver.BareServer(t, func() (string, string, any) {
		if sends.Load() > 0 {
			return "W", sqlserver.TokenB, "2026-03-01T11:58:00"
		}
		return "W", sqlserver.TokenA, "2026-03-01T11:58:00"
	}, func(tdstest.Request) tdstest.Reply {
		sends.Add(1)
		return tdstest.Reply{tdstest.Hangup{}}
	}))
	code, out, errs := leasetop(t.Context(), t, s, "reclaim", "dbo.QueueDemo", "--from", list, "--table", "dbo.QueueDemo", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 4 || len(lines) != 2 || !strings.Contains(lines[1], `"unknown":1,"left":1`) || sends.Load() != 1 {
		t.Fatalf("exit %d, %d sent:\n%s%s", code, sends.Load(), out, errs)
	}
	if rec := read(t, filepath.Join(home, "leasetop", "bulk", "*.jsonl")); strings.Count(rec, `"event":"sent"`) != 1 || !strings.Contains(rec, `"final":true`) {
		t.Errorf("the receipts:\n%s", rec)
	}
}

// TestExitCodeOfAServerThatIsAway is 1: nothing could be asked, nothing was sent.
func TestExitCodeOfAServerThatIsAway(t *testing.T) {
	stateHome(t)
	s := tdstest.New(t, func(tdstest.Request) tdstest.Reply { return tdstest.Reply{tdstest.Hangup{}} })
	code, out, _ := leasetop(t.Context(), t, s, "reclaim", "dbo.QueueDemo", "10421", "--token", sqlserver.TokenA, "--table", "dbo.QueueDemo")
	if code != 1 || out != "" {
		t.Errorf("exit %d, %q", code, out)
	}
}

func read(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
