package config

import (
	"fmt"
	"io"
	"os"
)

// fileMost bounds what is read of a file that a user names: one that never ends,
// or is something else altogether, must not take the machine's memory.
const fileMost = 4 << 20

// readBounded reads a file that may be no larger than fileMost.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(f, fileMost+1))
	if err == nil && len(data) > fileMost {
		return nil, fmt.Errorf("it is larger than %d MiB", fileMost>>20)
	}
	return data, err
}
