//go:build windows

package cli

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes a file for this process until it is closed or the process ends,
// however that comes about. ok is false when another process has it. What is locked
// is a byte far behind the end, so that the file can still be read.
func lockFile(f *os.File) (ok bool, err error) {
	far := windows.Overlapped{OffsetHigh: math.MaxInt32}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &far)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
