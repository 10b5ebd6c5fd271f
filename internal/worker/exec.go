package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/leasetop/leasetop/model"
)

// maxExecGrace is the longest time between the request to stop and the end by
// force. It is shorter than DefaultStop, so that a drain can still give the job back.
const maxExecGrace = 3 * time.Second

// ExecOptions say which command works on the jobs of a queue.
type ExecOptions struct {
	Queue    string   // told to the command
	Argv     []string // the command and its arguments, as they are: no shell reads them
	Withhold []string // names of environment variables that are not handed down
	Out      *os.File // the command's standard output, written without a detour; nil: discarded
}

// Exec runs a command of its own for each job. The payload is its standard input;
// its environment is this process's, less what is withheld, and names the job (see
// jobVars). Status 0 completes the job. Any other end fails the attempt with the
// status and the last lines of standard error.
//
// Where the system has process groups the command begins one. When the handler's
// context ends, the group is asked to stop and after a grace ended by force; it
// then counts as stopped whatever its status says, since many programs end with 0
// when they are asked to. The group ends with its command in any case: nothing
// works on a job whose attempt has ended. Without process groups only the command
// itself is ended, by force and at once.
type Exec struct {
	path string
	env  []string
	o    ExecOptions
}

// NewExec looks the command up, once, so that a name that is wrong costs no
// attempt.
func NewExec(o ExecOptions) (*Exec, error) {
	if len(o.Argv) == 0 || o.Argv[0] == "" {
		return nil, errors.New("no command is named")
	}
	path, err := exec.LookPath(o.Argv[0])
	if err != nil {
		return nil, err
	}
	return &Exec{path: path, env: inherited(o.Withhold), o: o}, nil
}

// Handle is the Handler. A command that cannot be started any more is ErrUnable.
func (x *Exec) Handle(ctx context.Context, c model.Claim) error {
	job, err := jobVars(x.o.Queue, c)
	if err != nil {
		return err
	}
	defer stayOnThread()()
	a := x.attempt(ctx, c, job)
	if err := a.cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("%w: the command cannot be started any more: %w", ErrUnable, err)
	}
	return a.await(ctx)
}

// attempt is one run of the command.
type attempt struct {
	cmd  *exec.Cmd
	said tail                      // the end of its standard error
	told atomic.Pointer[time.Time] // when it was asked to stop; nil: it was not
}

func (x *Exec) attempt(ctx context.Context, c model.Claim, job []string) *attempt {
	a := &attempt{cmd: exec.CommandContext(ctx, x.path)} //nolint:gosec // the user's own command, and no shell
	a.cmd.Args = x.o.Argv
	a.cmd.Env = slices.Concat(x.env, job)
	a.cmd.Stdin = strings.NewReader(c.Payload)
	a.cmd.Stderr = &a.said
	if x.o.Out != nil { // a nil file in the interface would not be nil
		a.cmd.Stdout = x.o.Out
	}
	group(a.cmd)
	a.cmd.Cancel = func() error {
		now := time.Now()
		a.told.Store(&now)
		return askToStop(a.cmd.Process)
	}
	// After this long the command is ended by force, and pipes that something else
	// still holds are no longer waited for.
	a.cmd.WaitDelay = execGrace(c.Granted)
	return a
}

// await waits until the command and its group have ended, and judges the end.
func (a *attempt) await(ctx context.Context) error {
	err := a.cmd.Wait()
	if told := a.told.Load(); told != nil {
		endGroup(a.cmd.Process, told.Add(a.cmd.WaitDelay))
		return context.Cause(ctx)
	}
	endGroup(a.cmd.Process, time.Time{})
	switch state := a.cmd.ProcessState; {
	case state == nil:
		return fmt.Errorf("how the command ended is not known: %w", err)
	case state.Success():
		return nil
	default:
		return failure(state, a.said.text())
	}
}

// failure is the diagnostic of a command that did not end with 0.
func failure(s *os.ProcessState, said string) error {
	if said == "" {
		return fmt.Errorf("%s, and nothing on standard error", s)
	}
	return fmt.Errorf("%s: %s", s, said)
}

// execGrace is how long a command may take to stop. A worker fences itself a tenth
// of the lease before the lease's end; by then nothing may run any more.
func execGrace(lease time.Duration) time.Duration {
	return min(cmp.Or(lease/20, maxExecGrace), maxExecGrace)
}
