//go:build unix

package sqlite

import "golang.org/x/sys/unix"

// writable reports whether this process may write the file or folder, asked
// without opening it.
func writable(path string) error { return unix.Access(path, unix.W_OK) }
