//go:build unix

package worker

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// groupLook is how often a group that was asked to stop is looked at.
const groupLook = 10 * time.Millisecond

// group makes the command the leader of a process group of its own. A terminal's
// interrupt then reaches this process alone, which drains.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

// askToStop tells the whole group.
func askToStop(leader *os.Process) error {
	return syscall.Kill(-leader.Pid, syscall.SIGTERM)
}

// endGroup ends what is left of a group whose leader has ended, by force after the
// deadline. Its number cannot become another's while a member is left.
func endGroup(leader *os.Process, deadline time.Time) {
	for time.Now().Before(deadline) {
		if syscall.Kill(-leader.Pid, 0) != nil {
			return // all of it has ended
		}
		<-time.After(groupLook)
	}
	_ = syscall.Kill(-leader.Pid, syscall.SIGKILL) // mostly there is no such group any more
}
