package worker

import (
	"runtime"
	"syscall"
)

// endWithParent lets the kernel end the command when this process is killed and
// can no longer beat for it. It reaches the command itself and not what that
// started.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// stayOnThread keeps the goroutine on its thread until the returned func is
// called: the kernel means the death of the thread that started the command.
func stayOnThread() func() {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
