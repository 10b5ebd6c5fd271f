//go:build !unix

package worker

import (
	"os"
	"os/exec"
	"time"
)

// group does nothing: this system has no process groups as Unix has. What the
// command started itself is out of reach, and goes on when the command is ended.
func group(*exec.Cmd) {}

// askToStop ends the command by force: there is no gentler way to ask a process
// without a console.
func askToStop(command *os.Process) error { return command.Kill() }

// endGroup does nothing.
func endGroup(*os.Process, time.Time) {}
