package cli

import (
	"fmt"
	"os"
	"os/user"

	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/model"
)

func (a *app) printPlan(p model.Plan, asJSON bool) error {
	if asJSON {
		return report.WriteJSON(a.Out, report.FromPlan(p))
	}
	return report.PlainPlan(a.Out, p)
}

func (a *app) printReceipt(r model.Receipt, m *model.Mapping, asJSON bool) error {
	var err error
	if asJSON {
		err = report.WriteJSON(a.Out, report.FromReceipt(r, m))
	} else {
		err = report.PlainReceipt(a.Out, r, m)
	}
	code := outcomeCode(r.Outcome)
	if err != nil { // what became of the act decides all the same: a script must not act again
		return &exit{code, fmt.Errorf("%s (the receipt could not be written: %w)", r.Message, err)}
	}
	return silently(code)
}

// outcomeCode tells scripts what became of an act.
func outcomeCode(o model.Outcome) int {
	switch o {
	case model.Applied:
		return 0
	case model.OutcomeUnknown:
		return exitUnknown
	case model.Changed, model.Gone, model.Refused:
	}
	return exitNot
}

// actor is who acts, as the machine knows him; the server records its login too.
func actor() string {
	name := "unknown"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		name += "@" + host
	}
	return name
}
