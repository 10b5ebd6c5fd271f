package queue

import (
	"fmt"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/table"
)

// workingNote says in words what is remarkable about a job that is held.
func workingNote(r row) table.Cell {
	left, _ := r.Left(r.now)
	switch {
	case r.Corrupt() && r.Lease.IsZero():
		return table.Cell{Text: "corrupt: no lease, nothing can end it", Tone: themes.Bad}
	case r.Corrupt():
		return table.Cell{Text: "corrupt: no token, nothing can end it", Tone: themes.Bad}
	case r.Expired(r.now) && r.Exhausted():
		return table.Cell{Text: "expired on last try", Tone: r.severity(left)}
	case r.Expired(r.now):
		return table.Cell{Text: "expired, may be alive", Tone: r.severity(left)}
	case r.silent():
		return table.Cell{Text: "no beat, still leased", Tone: themes.Warn}
	}
	return table.Cell{Text: r.retry(), Tone: themes.Dim}
}

// readyNote says in words what is remarkable about a job that waits.
func readyNote(r row) table.Cell {
	if r.Exhausted() {
		return table.Cell{Text: "tries used up: nobody may claim it", Tone: themes.Bad}
	}
	return table.Cell{Text: r.retry(), Tone: themes.Dim}
}

// retry says that this is not the first attempt, and why.
func (r row) retry() string {
	before := r.Attempts.N
	if r.State == model.Working {
		before--
	}
	switch {
	case !r.Attempts.Known || before < 1:
		return ""
	case r.Error != "":
		return "retry: " + text.Clean(r.Error)
	case r.MaxAttempts.Known:
		return fmt.Sprintf("retry %d of %d", before, r.MaxAttempts.N-1)
	}
	return fmt.Sprintf("retry %d", before)
}
