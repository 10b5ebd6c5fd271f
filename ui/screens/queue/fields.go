package queue

import (
	"fmt"
	"math"
	"strconv"
	"time"

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
	return recorded(m,
		needed{model.RoleKey, field{table.Column{Title: "JOB", Width: keyWidth(keys)}, jobCell}},
		needed{model.RoleAttempts, field{table.Column{Title: "TRY", Width: 5, Right: true, Rank: 3}, tryCell}},
		needed{model.RoleWorker, field{table.Column{Title: "WORKER", Width: workerWidth(width), Rank: 4}, workerCell}},
		needed{model.RoleToken, field{table.Column{Title: "TOKEN", Width: 7, Rank: 7}, tokenCell}},
		needed{model.RoleState, field{table.Column{Title: "HELD", Width: ageWidth, Right: true, Rank: 5}, heldCell}},
		needed{model.RoleLease, field{table.Column{Title: "LEASE", Width: barCells + 2 + ageWidth, Rank: 1}, leaseCell}},
		needed{model.RoleHeartbeat, field{table.Column{Title: "BEAT", Width: 6, Right: true, Rank: 6}, beatCell}},
		needed{model.RoleState, field{table.Column{Title: "NOTE", Width: noteLeast, Grow: true, Rank: 2}, workingNote}},
	)
}

// ready are the columns of the ready list, as far as the table has them.
func ready(m *model.Mapping, keys, _ int) []field {
	return recorded(m,
		needed{model.RoleKey, field{table.Column{Title: "JOB", Width: keyWidth(keys)}, jobCell}},
		needed{model.RolePriority, field{table.Column{Title: "PRIO", Width: 5, Right: true, Rank: 4}, priorityCell}},
		needed{model.RoleState, field{table.Column{Title: "WAITING", Width: ageWidth, Right: true, Rank: 1}, waitingCell}},
		needed{model.RoleAttempts, field{table.Column{Title: "TRY", Width: 5, Right: true, Rank: 3}, tryCell}},
		needed{model.RoleEnqueued, field{table.Column{Title: "SINCE", Width: ageWidth, Right: true, Rank: 5}, enqueuedCell}},
		needed{model.RoleState, field{table.Column{Title: "NOTE", Width: noteLeast, Grow: true, Rank: 2}, readyNote}},
	)
}

// failed are the columns of the dead letters, as far as the table has them.
func failed(m *model.Mapping, keys, width int) []field {
	return recorded(m,
		needed{model.RoleKey, field{table.Column{Title: "JOB", Width: keyWidth(keys)}, jobCell}},
		needed{model.RolePriority, field{table.Column{Title: "PRIO", Width: 5, Right: true, Rank: 5}, priorityCell}},
		needed{model.RoleAttempts, field{table.Column{Title: "TRY", Width: 5, Right: true, Rank: 3}, tryCell}},
		needed{model.RoleWorker, field{table.Column{Title: "WORKER", Width: workerWidth(width), Rank: 4}, workerCell}},
		needed{model.RoleEnded, field{table.Column{Title: "FAILED", Width: ageWidth, Right: true, Rank: 1}, failedCell}},
		needed{model.RoleError, field{table.Column{Title: "ERROR", Width: errorLeast, Grow: true, Rank: 2}, errorCell}},
	)
}

// workerWidth gives names the room that a wide screen has.
func workerWidth(width int) int { return min(max(12, width/7), 24) }

func keyWidth(seen int) int { return min(max(keyLeast, seen), keyMost) }

func jobCell(r row) table.Cell {
	return table.Cell{Text: keyText(r.Job), Tone: themes.Strong, Weight: keyWeight(r.Key)}
}

// keyWeight sorts keys of one whole number as numbers; others sort as text.
func keyWeight(k model.Key) float64 {
	vs := k.Values()
	if len(vs) != 1 || vs[0].Type != model.Int {
		return 0
	}
	n, _ := strconv.ParseFloat(vs[0].Text, 64) // a key is the column's exact text
	return n
}

func tryCell(r row) table.Cell {
	switch {
	case !r.Attempts.Known:
		return unknown()
	case !r.MaxAttempts.Known:
		return table.Cell{Text: text.Grouped(r.Attempts.N), Weight: float64(r.Attempts.N)}
	}
	c := table.Cell{Text: fmt.Sprintf("%d/%d", r.Attempts.N, r.MaxAttempts.N), Weight: float64(r.Attempts.N)}
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
	token := text.Clean(r.Token.String())
	return table.Cell{Text: glance(r.Token, token), Tone: themes.Dim, Full: token}
}

// glance is the part of a token that differs: its end, where it is a count, a time or
// what the server counts.
func glance(t model.Token, token string) string {
	if vs := t.Values(); len(vs) == 1 && vs[0].Type != model.GUID && vs[0].Type != model.Text && len(token) > 7 {
		return "…" + token[len(token)-6:]
	}
	return text.Cut(token, 7)
}

func heldCell(r row) table.Cell    { return aged(r.Held) }
func waitingCell(r row) table.Cell { return aged(r.Waiting) }

func aged(a model.Age) table.Cell {
	if !a.Known() {
		return unknown()
	}
	return table.Cell{Text: text.Age(a), Weight: a.D.Seconds()}
}

// ago is how long ago something was.
func (r row) ago(t time.Time, tone themes.Token) table.Cell {
	if t.IsZero() {
		return unknown()
	}
	d := r.now.Sub(t)
	return table.Cell{Text: text.Short(d), Tone: tone, Weight: d.Seconds()}
}

func priorityCell(r row) table.Cell {
	if !r.Priority.Known {
		return unknown()
	}
	return table.Cell{Text: text.Grouped(r.Priority.N), Weight: float64(r.Priority.N)}
}

func enqueuedCell(r row) table.Cell { return r.ago(r.Enqueued.At, themes.Dim) }
func failedCell(r row) table.Cell   { return r.ago(r.Ended.At, themes.Plain) }

func errorCell(r row) table.Cell {
	if r.Error == "" {
		return table.Cell{Text: "no reason recorded", Tone: themes.Dim}
	}
	return table.Cell{Text: text.Clean(r.Error)}
}

func beatCell(r row) table.Cell {
	if r.Beat.At.IsZero() {
		return table.Cell{Text: "none", Tone: themes.Dim, Weight: math.Inf(1)}
	}
	c := r.ago(r.Beat.At, themes.Plain)
	if r.silent() {
		c.Tone = themes.Warn
	}
	return c
}

func unknown() table.Cell {
	return table.Cell{Text: text.Unknown, Tone: themes.Dim, Weight: math.Inf(-1)}
}
