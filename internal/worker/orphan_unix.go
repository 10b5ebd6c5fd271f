//go:build unix && !linux

package worker

import "syscall"

// endWithParent does nothing: this system offers no such bond. A command outlives
// a worker that is killed.
func endWithParent(*syscall.SysProcAttr) {}
