package queue

import (
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/table"
)

// repeaters are the columns of the jobs that are tried again, as far as the table
// has them.
func repeaters(m *model.Mapping, keys, width int) []field {
	return recorded(m,
		needed{model.RoleKey, field{table.Column{Title: "JOB", Width: keyWidth(keys)}, jobCell}},
		needed{model.RoleAttempts, field{table.Column{Title: "TRY", Width: 5, Right: true, Rank: 2}, tryCell}},
		needed{model.RoleTotalClaims, field{table.Column{Title: "CLAIMS", Width: 6, Right: true, Rank: 6}, claimsCell}},
		needed{model.RoleState, field{table.Column{Title: "NOW", Width: 12, Rank: 3}, nowCell}},
		needed{model.RoleWorker, field{table.Column{Title: "WORKER", Width: workerWidth(width), Rank: 5}, workerCell}},
		needed{model.RoleClaimed, field{table.Column{Title: "CLAIMED", Width: ageWidth, Right: true, Rank: 4}, claimedCell}},
		needed{model.RoleError, field{table.Column{Title: "ERROR", Width: noteLeast, Grow: true, Rank: 1}, errorCell}},
	)
}

func claimsCell(r row) table.Cell {
	if !r.TotalClaims.Known {
		return unknown()
	}
	return table.Cell{Text: text.Grouped(r.TotalClaims.N), Weight: float64(r.TotalClaims.N)}
}

func claimedCell(r row) table.Cell { return r.ago(r.Claimed.At, themes.Dim) }

// nowCell is where a job stands that was tried before.
func nowCell(r row) table.Cell {
	left := r.Available.At.Sub(r.now)
	switch {
	case r.Expired(r.now):
		return table.Cell{Text: "expired", Tone: themes.Warn}
	case r.State == model.Scheduled && !r.Available.At.IsZero() && left > 0:
		return table.Cell{Text: "due in " + text.Short(left), Tone: themes.Dim, Weight: left.Seconds()}
	case r.State == model.Ready && r.Exhausted():
		return table.Cell{Text: "used up", Tone: themes.Bad}
	}
	return table.Cell{Text: r.State.String()}
}
