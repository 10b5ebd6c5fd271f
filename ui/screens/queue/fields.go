package queue

import (
	"fmt"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/themes"
	"github.com/leasetop/leasetop/ui/table"
)

// Widths of columns, in cells.
const (
	keyLeast, keyMost = 7, 20
	ageWidth          = 7 // "≥ 4m15s"
	barCells          = 6 // of a lease's bar, without its ends
	noteLeast         = 21
	errorLeast        = 36
)

// working are the columns of the working list, as far as the table has them.
func working(m *model.Mapping, keys, width int) []field {
	all := []struct {
		role model.Role
		field
	}{
		{model.RoleKey, field{table.Column{Title: "JOB", Width: keyWidth(keys)}, jobCell}},
		{model.RoleAttempts, field{table.Column{Title: "TRY", Width: 5, Right: true, Rank: 3}, tryCell}},
		{model.RoleWorker, field{table.Column{Title: "WORKER", Width: workerWidth(width), Rank: 4}, workerCell}},
		{model.RoleToken, field{table.Column{Title: "TOKEN", Width: 7, Rank: 7}, tokenCell}},
		{model.RoleState, field{table.Column{Title: "HELD", Width: ageWidth, Right: true, Rank: 5}, heldCell}},
		{model.RoleLease, field{table.Column{Title: "LEASE", Width: barCells + 2 + ageWidth, Rank: 1}, leaseCell}},
		{model.RoleHeartbeat, field{table.Column{Title: "BEAT", Width: 6, Right: true, Rank: 6}, beatCell}},
		{model.RoleState, field{table.Column{Title: "NOTE", Width: noteLeast, Grow: true, Rank: 2}, workingNote}},
	}
	var out []field
	for _, f := range all {
		if m.Has(f.role) {
			out = append(out, f.field)
		}
	}
	return out
}

// ready are the columns of the ready list, as far as the table has them.
func ready(m *model.Mapping, keys, _ int) []field {
	all := []struct {
		role model.Role
		field
	}{
		{model.RoleKey, field{table.Column{Title: "JOB", Width: keyWidth(keys)}, jobCell}},
		{model.RolePriority, field{table.Column{Title: "PRIO", Width: 5, Right: true, Rank: 4}, priorityCell}},
		{model.RoleState, field{table.Column{Title: "WAITING", Width: ageWidth, Right: true, Rank: 1}, waitingCell}},
		{model.RoleAttempts, field{table.Column{Title: "TRY", Width: 5, Right: true, Rank: 3}, tryCell}},
		{model.RoleEnqueued, field{table.Column{Title: "SINCE", Width: ageWidth, Right: true, Rank: 5}, enqueuedCell}},
		{model.RoleState, field{table.Column{Title: "NOTE", Width: noteLeast, Grow: true, Rank: 2}, readyNote}},
	}
	var out []field
	for _, f := range all {
		if m.Has(f.role) {
			out = append(out, f.field)
		}
	}
	return out
}

// failed are the columns of the dead letters, as far as the table has them.
func failed(m *model.Mapping, keys, width int) []field {
	all := []struct {
		role model.Role
		field
	}{
		{model.RoleKey, field{table.Column{Title: "JOB", Width: keyWidth(keys)}, jobCell}},
		{model.RolePriority, field{table.Column{Title: "PRIO", Width: 5, Right: true, Rank: 5}, priorityCell}},
		{model.RoleAttempts, field{table.Column{Title: "TRY", Width: 5, Right: true, Rank: 3}, tryCell}},
		{model.RoleWorker, field{table.Column{Title: "WORKER", Width: workerWidth(width), Rank: 4}, workerCell}},
		{model.RoleEnded, field{table.Column{Title: "FAILED", Width: ageWidth, Right: true, Rank: 1}, failedCell}},
		{model.RoleError, field{table.Column{Title: "ERROR", Width: errorLeast, Grow: true, Rank: 2}, errorCell}},
	}
	var out []field
	for _, f := range all {
		if m.Has(f.role) {
			out = append(out, f.field)
		}
	}
	return out
}

// workerWidth gives names the room that a wide screen has.
func workerWidth(width int) int { return min(max(12, width/7), 24) }

func keyWidth(seen int) int { return min(max(keyLeast, seen), keyMost) }

func jobCell(r row) table.Cell { return table.Cell{Text: keyText(r.Job), Tone: themes.Strong} }

func tryCell(r row) table.Cell {
	switch {
	case !r.Attempts.Known:
		return unknown()
	case !r.MaxAttempts.Known:
		return table.Cell{Text: text.Grouped(r.Attempts.N)}
	}
	c := table.Cell{Text: fmt.Sprintf("%d/%d", r.Attempts.N, r.MaxAttempts.N)}
	if r.Exhausted() && r.State == model.Ready {
		c.Tone = themes.Bad
	}
	return c
}

func workerCell(r row) table.Cell {
	if r.Worker == "" {
		return unknown()
	}
	return table.Cell{Text: text.Clean(r.Worker)}
}

// tokenCell shows as much of a token as tells two apart at a glance.
func tokenCell(r row) table.Cell {
	if r.Token.IsZero() {
		return table.Cell{Text: model.NoToken, Tone: themes.Bad}
	}
	return table.Cell{Text: text.Cut(text.Clean(r.Token.String()), 7), Tone: themes.Dim}
}

func heldCell(r row) table.Cell    { return table.Cell{Text: text.Age(r.Held)} }
func waitingCell(r row) table.Cell { return table.Cell{Text: text.Age(r.Waiting)} }

func priorityCell(r row) table.Cell {
	if !r.Priority.Known {
		return unknown()
	}
	return table.Cell{Text: text.Grouped(r.Priority.N)}
}

func enqueuedCell(r row) table.Cell {
	if r.Enqueued.At.IsZero() {
		return unknown()
	}
	return table.Cell{Text: text.Short(r.now.Sub(r.Enqueued.At)), Tone: themes.Dim}
}

func failedCell(r row) table.Cell {
	if r.Ended.At.IsZero() {
		return unknown()
	}
	return table.Cell{Text: text.Short(r.now.Sub(r.Ended.At))}
}

func errorCell(r row) table.Cell {
	if r.Error == "" {
		return table.Cell{Text: "no reason recorded", Tone: themes.Dim}
	}
	return table.Cell{Text: text.Clean(r.Error)}
}

func beatCell(r row) table.Cell {
	if r.Beat.At.IsZero() {
		return table.Cell{Text: "none", Tone: themes.Dim}
	}
	since := r.now.Sub(r.Beat.At)
	c := table.Cell{Text: text.Short(since)}
	if r.silent() {
		c.Tone = themes.Warn
	}
	return c
}

func unknown() table.Cell { return table.Cell{Text: text.Unknown, Tone: themes.Dim} }
