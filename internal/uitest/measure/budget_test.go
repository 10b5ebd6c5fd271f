//go:build soak && (linux || darwin)

package measure

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/uitest"
)

const table = "QueueDemo"

// queue makes a file with a queue in it and gives the arguments that name it.
func queue(t *testing.T) []string {
	t.Helper()
	args := []string{"--dsn", "sqlite:" + filepath.Join(t.TempDir(), "queue.db"), "--table", table}
	run(t, append([]string{"schema", "--apply"}, args...)...)
	return args
}

// busy is a queue on which another process works: twenty leases at any time, each
// that lasts a while.
func busy(t *testing.T) []string {
	t.Helper()
	args := queue(t)
	run(t, append([]string{"enqueue", table, "--count", "2000"}, args...)...)
	background(t, append([]string{"work", table, "--simulate", "--workers", "20", "--mean", "20m", "--lease", "5m", "--grace", "0s"}, args...)...)
	return args
}

// selected is the line of the cursor, 0 for none.
func selected(screen string) int {
	for i, l := range strings.Split(screen, "\n") {
		if strings.Contains(l, "▸") {
			return i + 1
		}
	}
	return 0
}

// listed reports whether the figures and the first rows are there.
func listed(screen string) bool { return strings.Contains(screen, "READY") && selected(screen) > 0 }

// quiet waits until nothing has been written for a while, so that what is measured
// next is not taken for a poll's.
func (p *process) quiet() {
	for time.Since(time.Unix(0, p.last.Load())) < 60*time.Millisecond {
		<-time.After(10 * time.Millisecond)
	}
}

// keys presses two keys in turn and gives the milliseconds from each to its effect
// on the screen, sorted, and the bytes that it wrote.
func (p *process) keys(n int, turn [2]string, effect func(screen string) any) (took []float64, bytes float64) {
	p.t.Helper()
	written := 0
	for i := range n {
		p.quiet()
		<-time.After(time.Duration(i*7%33) * time.Millisecond) // not in step with the frames
		before, count := effect(p.term.Screen()), p.term.Written()
		began := time.Now()
		p.press(turn[i%2])
		at := p.await(5*time.Second, "an effect of the key", func(s string) bool { return effect(s) != before })
		took = append(took, ms(at.Sub(began)))
		written += p.term.Written() - count
	}
	slices.Sort(took)
	return took, float64(written) / float64(n)
}

func share(sorted []float64, part float64) float64 { return sorted[int(float64(len(sorted)-1)*part)] }

func latency(t *testing.T, when string, took []float64) {
	t.Helper()
	uitest.Budget{What: "key to screen, median, " + when, Unit: "ms", Got: share(took, 0.5), Most: 25, Slack: 1.5, Beside: "half a frame is 16.7; " + load()}.Check(t)
	uitest.Budget{What: "key to screen, 95 of 100, " + when, Unit: "ms", Got: share(took, 0.95), Most: 40, Slack: 1.5}.Check(t)
}

func TestBudgetKeys(t *testing.T) {
	p := start(t, append([]string{"--poll", "1s"}, busy(t)...)...)
	p.await(10*time.Second, "twenty leases", func(s string) bool { return strings.Count(s, "▕") >= 20 })
	p.press("down")
	took, bytes := p.keys(200, [2]string{"down", "up"}, func(s string) any { return selected(s) })
	latency(t, "queue at work", took)
	uitest.Budget{What: "wire, cursor key", Unit: "bytes", Got: bytes, Most: 250, Slack: 1.1, Beside: "asynq dash 1,500 to 3,000, pg_activity 2,770"}.Check(t)
	p.quit()
}

// TestBudgetKeysWhileTheServerHangs watches a server that takes the connection and
// never says a word.
func TestBudgetKeysWhileTheServerHangs(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("LEASETOP_PASSWORD", "not-needed")
	p := start(t, "--dsn", "sqlserver://watcher@"+l.Addr().String()+"?database=q", "--table", "dbo."+table, "--poll", "1s")
	p.await(10*time.Second, "a frame before the first answer", func(s string) bool { return strings.Contains(s, table) })
	uitest.Budget{What: "first frame of a server that never answers", Unit: "ms", Got: ms(p.first.Sub(p.began)), Most: 60, Slack: 1.5}.Check(t)
	took, _ := p.keys(100, [2]string{"p", "p"}, func(s string) any { return strings.Contains(s, "FROZEN") })
	latency(t, "server hangs", took)
	gone, _ := p.quit()
	uitest.Budget{What: "q gives the shell back, server hangs", Unit: "ms", Got: ms(gone), Most: 200}.Check(t)
}

func TestBudgetFirstScreen(t *testing.T) {
	args := busy(t)
	var firsts, fulls, used, empty []float64
	for range 9 {
		began := time.Now()
		run(t, "version")
		empty = append(empty, ms(time.Since(began)))
		p := start(t, append([]string{"--poll", "1s"}, args...)...)
		at := p.await(10*time.Second, "figures and rows", listed)
		firsts = append(firsts, ms(p.first.Sub(p.began)))
		fulls = append(fulls, ms(at.Sub(p.began)))
		_, usage := p.quit()
		used = append(used, 1000*cpu(usage))
	}
	for _, figures := range [][]float64{firsts, fulls, used, empty} {
		slices.Sort(figures)
	}
	uitest.Budget{
		What: "first full screen, median of 9", Unit: "ms", Got: share(fulls, 0.5), Most: 60, Slack: 1.5,
		Beside: fmt.Sprintf("first byte %.0f; leasetop version takes %.0f here; %s; asynq dash 16, pg_activity 530", share(firsts, 0.5), share(empty, 0.5), load()),
	}.Check(t)
	uitest.Budget{What: "processor from start to quit, median of 9", Unit: "ms", Got: share(used, 0.5)}.Check(t)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// load is how busy the machine is beside the measurement, without which no time
// can be read.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "load not known"
	}
	one, _, _ := strings.Cut(string(b), " ")
	return fmt.Sprintf("load %s on %d cores", one, runtime.NumCPU())
}

func TestBudgetMinute(t *testing.T) {
	p := start(t, append([]string{"--poll", "1s"}, busy(t)...)...)
	p.await(10*time.Second, "figures and rows", listed)
	before := p.term.Written()
	<-time.After(time.Minute - time.Since(p.began))
	bytes := float64(p.term.Written()-before) / 60
	took, usage := p.quit()
	uitest.Budget{What: "wire, twenty leases, 120x40, polls of 1 s", Unit: "bytes/s", Got: bytes, Most: 450, Slack: 1.1, Beside: "htop 690, asynq dash 1,450, pg_activity 2,580"}.Check(t)
	uitest.Budget{What: "processor, one minute, start included", Unit: "s", Got: cpu(usage), Most: 0.8, Slack: 1.5, Beside: "asynq dash 0.14, htop 0.3, pg_activity 0.76"}.Check(t)
	uitest.Budget{What: "memory, after a minute", Unit: "MB", Got: resident(usage), Most: 64}.Check(t)
	uitest.Budget{What: "q gives the shell back", Unit: "ms", Got: ms(took), Most: 200}.Check(t)
}
