package sqlserver

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/tdstest"
)

// The tokens of job 10421, for tests of the whole command line.
const (
	TokenA = tokenA
	TokenB = tokenB
)

// BareServer answers as a healthy server with a bare table [dbo].[QueueDemo] does:
// job 10421 is as read gives it, and an act on it is answered by act.
func BareServer(t testing.TB, read func() (state, token string, lease any), act tdstest.Handler) tdstest.Handler {
	f := facts{profile: profile.Bare}
	return func(r tdstest.Request) tdstest.Reply {
		if a, ok := f.answer(t, r); ok {
			return a
		}
		if strings.Contains(r.Text, "UPDATE [dbo].[QueueDemo]") {
			return act(r)
		}
		state, token, lease := read()
		return tdstest.Reply{bareJob(state, token, lease)}
	}
}

// Param is the value of a request's parameter.
func Param(r tdstest.Request, name string) string {
	for _, p := range r.Params {
		if p.Name == name {
			s, _ := p.Value.(string)
			return s
		}
	}
	return ""
}
