package worker_test

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/leasetop/leasetop/internal/worker"
)

// The test binary is also the command that these tests run: what it does is its
// second argument. It needs no shell and no tool of the machine.
const childWord = "be-the-child"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == childWord {
		os.Exit(child(os.Args[2], os.Args[3:]))
	}
	if os.Getenv("GORACE") == "" { // a child with the race detector would wait a second before it ends
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	os.Exit(m.Run())
}

// child is the command.
func child(does string, args []string) int {
	switch does {
	case "nothing":
	case "fail":
		fmt.Fprintln(os.Stderr, "first \x1b[31mline\x1b[0m\n\nlast line")
		return 3
	case "flood":
		w := bufio.NewWriter(os.Stderr)
		for i := range 400_000 {
			fmt.Fprintf(w, "line %d of very many\n", i)
		}
		w.Flush()
		return 1
	case "sum": // of the payload
		data, err := io.ReadAll(os.Stdin)
		return say(args[0], fmt.Sprintf("%d %x %v", len(data), sha256.Sum256(data), err))
	case "environment":
		return say(args[0], strings.Join(os.Environ(), "\n"))
	case "die":
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	case "hang": // with a grandchild, both deaf to a polite end
		signal.Ignore(syscall.SIGTERM)
		if err := again("hold", args[0], "grandchild").Start(); err != nil {
			return 1
		}
		return hold(args[0], "child")
	case "leave": // a grandchild behind that holds standard error, once it has called
		left := again("hold", args[0], "grandchild")
		called, err := left.StdoutPipe()
		if err == nil {
			err = left.Start()
		}
		if err == nil {
			_, err = bufio.NewReader(called).ReadString('\n')
		}
		if err != nil {
			return 1
		}
	case "hold":
		signal.Ignore(syscall.SIGTERM)
		return hold(args[0], args[1])
	case "obey": // ends with 0 when it is asked to
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		go hold(args[0], "child")
		<-asked
	case "work": // is a worker itself, with a command that hangs
		x, err := worker.NewExec(worker.ExecOptions{Argv: self("hold", args[0], "command")})
		if err == nil {
			err = x.Handle(background(), claimOf("x"))
		}
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// self is the command line of a child of this binary.
func self(does string, args ...string) []string {
	return append([]string{os.Args[0], childWord, does}, args...)
}

func again(does string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], self(does, args...)[1:]...)
	cmd.Stderr = os.Stderr
	return cmd
}

// say tells a test a text.
func say(addr, text string) int {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return 1
	}
	defer c.Close()
	fmt.Fprint(c, text)
	return 0
}

// hold says a name and keeps the line open until the process ends.
func hold(addr, name string) int {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return 1
	}
	fmt.Fprintln(c, name)
	fmt.Println("called")
	_, _ = io.Copy(io.Discard, c)
	return 0
}
