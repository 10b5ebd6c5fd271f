//go:build !unix

package scratch

import "os"

// lives reports whether a process of this machine is there.
func lives(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	return p.Release() == nil
}
