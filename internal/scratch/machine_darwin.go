package scratch

import "syscall"

// machine names what the ids of processes are counted by: this boot of this machine.
// Empty: it is not known.
func machine() string {
	boot, err := syscall.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return boot
}
