//go:build unix

package scratch

import (
	"errors"
	"syscall"
)

// lives reports whether a process of this machine is there.
func lives(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
