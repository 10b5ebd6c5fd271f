package cli

import (
	"errors"
	"os"
)

// unfinished lists the runs that have something left to do or to find out, the
// oldest first. What cannot be read is in the error; the rest is listed all the
// same.
func unfinished(dir string) ([]*run, error) {
	files, err := journals(dir)
	if err != nil {
		return nil, err
	}
	var (
		out  []*run
		errs []error
	)
	for _, path := range files { // their names begin with a time, so they are in order
		r, err := readRun(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if _, unsure, left := r.counts(); unsure+left == 0 {
			continue
		}
		if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
			free, lockErr := lockFile(f)
			r.running = lockErr == nil && !free
			errs = append(errs, f.Close())
		}
		out = append(out, r)
	}
	return out, errors.Join(errs...)
}
