package cli

import (
	"context"
	"errors"
	"io"
)

// errStopped is why nothing more is read.
var errStopped = errors.New("stopped before its end")

// reading is an input that the end of ctx cuts off: at a pipe or a terminal it may be
// that nothing comes, and then a first ctrl+c would do nothing.
type reading struct {
	ctx  context.Context
	from io.Reader
}

// Read leaves the read that it was waiting for behind when ctx ends; the process ends too.
func (r reading) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	own := make([]byte, min(len(p), 1<<16)) // p is the caller's again once this returns
	ended := make(chan result, 1)
	go func() {
		n, err := r.from.Read(own)
		ended <- result{n, err}
	}()
	select {
	case got := <-ended:
		return copy(p, own[:got.n]), got.err
	case <-r.ctx.Done():
		return 0, errStopped
	}
}
