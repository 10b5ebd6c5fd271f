//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/actions"
	"github.com/leasetop/leasetop/model"
)

// TestTheScreenResolvesEarlierActs holds that a screen finds out in the background
// what became of what an earlier session left unresolved, says it and closes the
// journal. One act had been applied when the session died, the statement of the other
// never left. What is said before that is known may be overtaken before it is drawn;
// TestAnEarlierSessionsActIsResolved of internal/uitest
// holds it.
func TestTheScreenResolvesEarlierActs(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	q, _ := expiredJobs(t, home, 2)
	file := filepath.Join(home, "orders.db")
	died := &journal{
		dir: filepath.Join(home, "leasetop", "journal"), servers: map[string]place{"orders": {name: file}},
		now: func() time.Time { return time.Now().Add(-time.Hour) },
	}
	for i := range 2 {
		key := model.KeyOf(model.IntValue(int64(i + 1)))
		job, _, err := q.Inspect(t.Context(), key)
		if err != nil || job == nil {
			t.Fatal(job, err)
		}
		intent := model.Intent{
			Action: model.Reclaim, Queue: "orders", Key: key, Seen: model.Seen{State: model.Working, Token: job.Token},
			ActionID: fmt.Sprintf("0197A22C-0000-7000-8000-00000000000%d", i+1), Actor: "anna", Reason: "stuck",
		}
		if err := died.Sent(model.Plan{Intent: intent, Mapping: q.Mapping()}, died.now()); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			continue
		}
		if changes, _, err := q.Apply(t.Context(), intent); err != nil || len(changes) != 1 {
			t.Fatal(changes, err)
		}
	}
	if err := died.close(); err != nil {
		t.Fatal(err)
	}

	s := startScreenIn(t, at(home), "--dsn", "sqlite:"+file, "--table", "orders")
	s.shows(t, "an earlier session's reclaim of job 1 in orders: applied")
	s.shows(t, "in orders: refused") // job 2, on the second line
	if _, err := s.tty.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	s.left(t)

	open, err := unresolved(died.dir, time.Now(), actions.Settle)
	if err != nil || len(open) != 0 {
		t.Errorf("unresolved: %v, %v", open, err)
	}
	files, err := filepath.Glob(filepath.Join(died.dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	for i, outcome := range []string{"applied", "refused"} {
		if want := fmt.Sprintf(`"action_id":"0197A22C-0000-7000-8000-00000000000%d","outcome":"%s"`, i+1, outcome); !strings.Contains(all.String(), want) {
			t.Errorf("%s is not in the journal:\n%s", want, all.String())
		}
	}
	if job, _, err := q.Inspect(t.Context(), model.KeyOf(model.IntValue(2))); err != nil || job.State != model.Working {
		t.Errorf("resolving changed a job: %+v, %v", job, err)
	}
}

// TestWhatRunsSaysHowToStopIt holds that a person who starts what goes on until it is
// stopped is told so, and is told of each job that it takes back.
func TestWhatRunsSaysHowToStopIt(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	expiredJobs(t, home, 1)
	s := startScreenIn(t, at(home), "recover", "--every", "200ms", "--dsn", "sqlite:"+filepath.Join(home, "orders.db"), "--table", "orders")
	s.shows(t, "recovering orders about every 200ms, and due jobs every second; ctrl+c ends it")
	s.shows(t, "msg=recovered")
	s.stopped(t)
	s = startScreenIn(t, at(home), "work", "--simulate", "--dsn", "sqlite:"+filepath.Join(home, "orders.db"), "--table", "orders")
	s.shows(t, "1 worker on orders; ctrl+c claims no more and lets the work in hand end")
	s.stopped(t)
}

// at is the environment of a user whose files lie there.
func at(home string) []string {
	return []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home}
}

// stopped presses ctrl+c and waits for the program to end well.
func (s *screen) stopped(t *testing.T) {
	t.Helper()
	if _, err := s.tty.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-s.ended:
		if err != nil {
			t.Errorf("it ended with %v:\n%s", err, s.text())
		}
	case <-time.After(2 * time.Minute):
		t.Fatalf("it goes on:\n%s", s.text())
	}
}
