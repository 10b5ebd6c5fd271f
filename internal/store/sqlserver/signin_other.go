//go:build !entra

package sqlserver

import (
	"context"

	"github.com/leasetop/leasetop/internal/dsn"
	"github.com/leasetop/leasetop/model"
)

// errNoEntra is the answer of a build that leaves out Microsoft Entra, whose
// libraries weigh 3 MB. The cure is another build and not another DSN.
var errNoEntra = &model.Fault{
	Class: model.FaultTarget, Text: "this build cannot sign in by Microsoft Entra (fedauth)",
	Cure: "take leasetop-entra from the release, or go install -tags entra github.com/leasetop/leasetop@latest",
}

func machineTokens(dsn.DSN) (tokenFunc, error) { return nil, errNoEntra }

func askPerson(context.Context, dsn.DSN, func(string)) (tokenFunc, error) { return nil, errNoEntra }
