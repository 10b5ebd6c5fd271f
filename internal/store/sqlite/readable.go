package sqlite

import (
	"errors"
	"io"
	"os"
)

// header is what every database begins with; an empty file is one too.
const header = "SQLite format 3\x00"

// Readable makes sure, in well under a millisecond, that a path names a file that
// can be read and is a database. What only the engine finds out, such as a torn
// page, it does not see. It opens the file for a moment by other means than the
// engine, so that it is for the time before the first call of Open's DB.
func Readable(path string) error {
	f := Options{Path: path}.file()
	if err := f.check(false); err != nil {
		return err
	}
	r, err := os.Open(path) //nolint:gosec // the user names it
	if err != nil {
		return f.fault("it cannot be read", "check that this user may read the file")
	}
	defer r.Close() //nolint:errcheck // nothing was written
	begin := make([]byte, len(header))
	n, err := io.ReadFull(r, begin)
	if n == 0 && errors.Is(err, io.EOF) {
		return nil
	}
	if string(begin[:n]) != header {
		return f.fault("file is not a database", "the file is no SQLite database, or it is encrypted: name another")
	}
	return nil
}
