package tdstest

import (
	"reflect"
	"sync"
	"testing"
)

// Step is one exchange of a Script. An empty Text expects any statement, and nil
// Params any parameters.
type Step struct {
	Text   string
	Params []Param
	Reply  Reply
}

// Script answers by steps in their order. A request that is not the expected one
// and a step that no request reached fail the test.
func Script(t testing.TB, steps ...Step) Handler {
	var (
		mu   sync.Mutex
		next int
	)
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		if next < len(steps) {
			t.Errorf("%d of %d steps were not reached; the next is %q", len(steps)-next, len(steps), steps[next].Text)
		}
	})
	return func(r Request) Reply {
		mu.Lock()
		defer mu.Unlock()
		if next >= len(steps) {
			t.Errorf("a statement after the end of the script:\n%s", r.Text)
			return Reply{Error{Number: 50001, Message: "the script is over"}}
		}
		s := steps[next]
		next++
		if s.Text != "" && s.Text != r.Text {
			t.Errorf("step %d got\n%s\nwant\n%s", next, r.Text, s.Text)
		}
		if s.Params != nil && !reflect.DeepEqual(s.Params, r.Params) {
			t.Errorf("step %d got the parameters\n%v\nwant\n%v", next, r.Params, s.Params)
		}
		return s.Reply
	}
}
