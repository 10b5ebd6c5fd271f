package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/model"
)

// The exit codes. Those of an act tell scripts what became of it.
const (
	exitFailed  = 1
	exitUsage   = 2
	exitNot     = 3 // an act that was not applied: changed, gone or refused
	exitUnknown = 4 // an act of which nobody can say whether it was applied
)

// exit is an error with the code that the process ends with. Without a text it
// only sets the code: everything was said already.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// usage is a mistake of the one who typed or configured.
func usage(format string, args ...any) error {
	return &exit{exitUsage, fmt.Errorf(format, args...)}
}

// silently ends with a code after everything was said.
func silently(code int) error {
	if code == 0 {
		return nil
	}
	return &exit{code: code}
}

func exitCode(err error) int {
	var e *exit
	var f *model.Fault
	var ps config.Problems
	switch {
	case errors.As(err, &e):
		return e.code
	case errors.As(err, &ps), errors.As(err, &f) && f.Class == model.FaultTarget:
		return exitUsage
	}
	return exitFailed
}

// exactly is cobra.ExactArgs with our words and exit code.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return usage("%s is missing; %s", names[len(args)], cmd.UseLine())
		}
		if len(args) > len(names) {
			return usage("%q is one argument too many; %s", args[len(names)], cmd.UseLine())
		}
		return nil
	}
}

// atMostOne allows one argument or none: the name of a queue that is left out is
// that of the only one there is.
func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage("%q is one argument too many; %s", args[1], cmd.UseLine())
	}
	return nil
}

// queueOf is the queue that the arguments name, empty where they name none.
func queueOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
