package worker

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/leasetop/leasetop/model"
)

// The variables that tell a command its job. Those that a queue does not know are
// absent.
const (
	varQueue       = "LEASETOP_QUEUE"
	varKey         = "LEASETOP_KEY"
	varAttempt     = "LEASETOP_ATTEMPT"
	varMaxAttempts = "LEASETOP_MAX_ATTEMPTS"
	varToken       = "LEASETOP_TOKEN"
	varOperation   = "LEASETOP_OPERATION" // the same at every attempt: what makes a repeat harmless
)

// inherited is this process's environment less what is withheld, and less what
// another worker further up may have said of its own job.
func inherited(withhold []string) []string {
	withhold = append([]string{varQueue, varKey, varAttempt, varMaxAttempts, varToken, varOperation}, withhold...)
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		// Names differ by more than case, except on Windows; too little is harmless.
		return name != "" && slices.ContainsFunc(withhold, func(w string) bool { return strings.EqualFold(w, name) })
	})
}

// jobVars are the variables that tell the job. A value that no environment can
// hold is the job's own failure and not the command's.
func jobVars(queue string, c model.Claim) ([]string, error) {
	var out []string
	for _, v := range []struct{ name, value string }{
		{varQueue, queue},
		{varKey, c.Key.String()},
		{varAttempt, number(c.Attempts)},
		{varMaxAttempts, number(c.MaxAttempts)},
		{varToken, c.Token.String()},
		{varOperation, c.Operation},
	} {
		if strings.ContainsRune(v.value, 0) {
			return nil, fmt.Errorf("%s would hold a zero byte, which no environment can", v.name)
		}
		if v.value != "" {
			out = append(out, v.name+"="+v.value)
		}
	}
	return out, nil
}

// number is a figure in digits, empty when it is not known.
func number(n model.Number) string {
	if !n.Known {
		return ""
	}
	return strconv.FormatInt(n.N, 10)
}
