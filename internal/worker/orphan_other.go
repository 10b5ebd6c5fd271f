//go:build !linux

package worker

// stayOnThread does nothing: only Linux binds a command to a thread.
func stayOnThread() func() { return func() {} }
