package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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
		if finished(path) {
			continue
		}
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

// longestEnd is more than the last line of a finished run has.
const longestEnd = 1 << 10

// finished reports whether the last line of a record says that nothing is left to do or
// to find out. Records stay for good, and a screen must not wait until all of them are read.
func finished(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return false
	}
	tail := make([]byte, min(size, longestEnd))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return false
	}
	line, whole := bytes.CutSuffix(tail, []byte{'\n'})
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	var e ending
	return whole && json.Unmarshal(line, &e) == nil && e.Event == "end" && e.Left == 0 && e.Unknown == 0
}
