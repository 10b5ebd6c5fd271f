package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/leasetop/leasetop/model"
)

// call runs the handler and sends its error. A panic, and a handler that ends its
// goroutine, are errors too, so that one job cannot take the process with it.
func call(ctx context.Context, h Handler, c model.Claim, result chan<- error) {
	err := errors.New("the handler ended its goroutine")
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v%s", v, panicked())
		}
		result <- err
	}()
	err = h(ctx, c)
}

// panicked names the place that panicked: the first frame above the runtime's own.
func panicked() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	deep := false
	for {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime."):
			deep = true
		case deep:
			return fmt.Sprintf(" in %s, line %d", f.Function[strings.LastIndexByte(f.Function, '/')+1:], f.Line)
		}
		if !more {
			return ""
		}
	}
}
