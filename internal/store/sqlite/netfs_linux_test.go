package sqlite

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestNetworked holds which file systems are refused. None of them can be mounted
// here; what they answer is the kernel's own constant.
func TestNetworked(t *testing.T) {
	for _, magic := range []int64{unix.NFS_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.V9FS_MAGIC, unix.FUSE_SUPER_MAGIC} {
		if networkTypes()[uint32(magic)] == "" {
			t.Errorf("the file system %#x is trusted", magic)
		}
	}
	for _, magic := range []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC} {
		if name := networkTypes()[uint32(magic)]; name != "" {
			t.Errorf("a local file system is taken for %s", name)
		}
	}
	if name, yes := networked(t.TempDir()); yes {
		t.Errorf("the folder of the tests lies on %s", name)
	}
	if _, yes := networked("/no/such/folder"); yes {
		t.Error("a folder that is not there is networked")
	}
}
