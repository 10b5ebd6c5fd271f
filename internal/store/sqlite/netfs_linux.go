package sqlite

import "golang.org/x/sys/unix"

// networked reports whether a folder lies on a file system whose locks cannot be
// trusted between machines or guests, and its name. A folder that cannot be asked
// is left to the engine.
func networked(folder string) (name string, yes bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return "", false
	}
	name, yes = networkTypes()[uint32(s.Type)] //nolint:gosec // the magic number is 32 bits wide on every system
	return name, yes
}

func networkTypes() map[uint32]string {
	return map[uint32]string{
		unix.NFS_SUPER_MAGIC:  "NFS",
		unix.SMB_SUPER_MAGIC:  "SMB",
		unix.CIFS_SUPER_MAGIC: "CIFS",
		unix.SMB2_SUPER_MAGIC: "SMB",
		unix.V9FS_MAGIC:       "9P",
		unix.FUSE_SUPER_MAGIC: "FUSE",
	}
}
