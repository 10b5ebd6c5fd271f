package storetest

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/leasetop/leasetop/internal/store"
)

// Caught runs the cases of the contract that are about an operation, on a table of
// a shape, and names the first that fails, empty when none does. It is for tests
// that break a statement on purpose: a guard whose absence no case notices is held
// by nothing.
func Caught(t *testing.T, b Bench, shape Shape, op store.Op) string {
	t.Helper()
	for _, cases := range [][]testCase{controlCases(), actCases(), nothingCases(), holdCases(), endCases()} {
		for _, c := range cases {
			if !slices.Contains(c.needs, op) || c.lease && shape.Profile != "lease" {
				continue
			}
			if why := attempt(t, b, shape, c); why != "" {
				return c.name + ": " + why
			}
		}
	}
	return ""
}

// attempt runs a case and says how it failed first, empty when it did not.
func attempt(t *testing.T, b Bench, shape Shape, c testCase) string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() { // a case that gives up ends its goroutine
		defer close(done)
		c.run(newEnv(r, b, shape))
	}()
	<-done
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.first
}

// recorder is a TB whose failures are noted and fail nothing.
type recorder struct {
	testing.TB
	mu    sync.Mutex
	first string
}

func (r *recorder) note(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first == "" {
		r.first = s
	}
}

// Errorf notes a failure.
func (r *recorder) Errorf(format string, args ...any) { r.note(fmt.Sprintf(format, args...)) }

// Error notes a failure.
func (r *recorder) Error(args ...any) { r.note(fmt.Sprint(args...)) }

// Fatalf notes a failure and ends the case.
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// Fatal notes a failure and ends the case.
func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

// Fail notes a failure.
func (r *recorder) Fail() { r.note("failed") }

// FailNow notes a failure and ends the case.
func (r *recorder) FailNow() {
	r.Fail()
	runtime.Goexit()
}
