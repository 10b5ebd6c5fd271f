package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/charmbracelet/x/term"
)

// asker asks for a password at the terminal, where there is one: nothing that is
// typed is shown. It is nil where nobody could answer.
func (a *app) asker() func(context.Context, string) (string, error) {
	in, ok := a.In.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(in.Fd()) || !isTerminal(a.Err) {
		return nil
	}
	return func(ctx context.Context, prompt string) (string, error) { return readSecret(ctx, a, in.Fd(), prompt) }
}

// readSecret reads a line without showing it. When ctx ends first, the terminal is
// given back as it was.
func readSecret(ctx context.Context, a *app, fd uintptr, prompt string) (string, error) {
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	type answer struct {
		line []byte
		err  error
	}
	typed := make(chan answer, 1)
	go func() {
		line, err := term.ReadPassword(fd)
		typed <- answer{line, err}
	}()
	silent(fd, *before)
	fmt.Fprint(a.Err, prompt)
	select {
	case got := <-typed:
		fmt.Fprintln(a.Err)
		return string(got.line), got.err
	case <-ctx.Done():
		fmt.Fprintln(a.Err)
		return "", errors.Join(errors.New("nothing was typed"), term.Restore(fd, before))
	}
}

// silent waits until the terminal has stopped showing what is typed: nobody must be
// asked sooner. A terminal whose settings do not change in a second of looking showed
// nothing before; a process that stood still for a second has not looked.
func silent(fd uintptr, before term.State) {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for range 1000 {
		if now, err := term.GetState(fd); err != nil || *now != before {
			return
		}
		<-look.C
	}
}
