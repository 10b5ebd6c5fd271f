package scratch

import (
	"os"
	"strings"
)

// machine names what the ids of processes are counted by: this boot of this machine,
// and the container. Containers of one machine share its boot and often a host's
// name, and each has a process 1. Empty: it is not known.
func machine() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	pids, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + " " + pids
}
