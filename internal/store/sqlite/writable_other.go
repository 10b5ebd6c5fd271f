//go:build !unix

package sqlite

import (
	"io/fs"
	"os"
)

// writable reports whether this process may write the file or folder, asked
// without opening it.
func writable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fs.ErrPermission
	}
	return nil
}
