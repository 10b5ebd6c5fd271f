package actions

import (
	"fmt"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// effects are what will follow, in sentences for the dialog.
func effects(ask Ask, m *model.Mapping) []string {
	j := ask.Row
	var out []string
	switch ask.Action {
	case model.Reclaim, model.Force, model.Grant:
		out = append(out, "The job becomes ready under a new token; the next free worker claims it and it runs again.")
		if ask.Action == model.Grant {
			out = append(out, fmt.Sprintf("Its bound rises to %d: one attempt more.", j.Attempts.N+1))
		}
		out = append(append(out, holds(ask)...), repeats(j))
	case model.Extend:
		out = append(out,
			fmt.Sprintf("The lease runs to %s beyond the server's now; the token stays, so its worker goes on undisturbed.", text.Exact(ask.By)),
			"The worker's next heartbeat sets the lease anew: on this queue a heartbeat never shortens it, elsewhere it may.",
			"Should the worker be dead, nobody gets the job before that.")
	case model.DeadLetter:
		out = append(append(out, "The job becomes failed under a new token and is not claimed again until somebody requeues it."), holds(ask)...)
		if m.Has(model.RoleError) {
			out = append(out, "The reason becomes its diagnostic.")
		}
	case model.Requeue:
		out = append(out, "The job becomes ready at the tail of its priority and starts its attempts anew.", repeats(j))
		if j.Error != "" {
			out = append(out, "It failed with: "+j.Error)
		}
	case model.ActionNone:
	}
	if j.Attempts.Known && j.MaxAttempts.Known {
		out = append(out, fmt.Sprintf("%d of %d attempts are used.", j.Attempts.N, j.MaxAttempts.N))
	}
	if m.History.IsZero() {
		out = append(out, "The table keeps no history: only your journal records this act.")
	}
	return out
}

// holds says what becomes of a worker that may still be at it.
func holds(ask Ask) []string {
	j := ask.Row
	if j.State != model.Working {
		return nil
	}
	out := []string{nameOr(j.Worker, "its worker") + " may still be working: its completion will be refused from then on."}
	if left, ok := j.Left(ask.At); ok && left > 0 {
		out = append(out, fmt.Sprintf("Its lease would have run for another %s: this takes the job from a worker that says it is alive.", text.Exact(left)))
	}
	return out
}

func repeats(j *model.Job) string {
	if j.Operation == "" {
		return "What it did outside can happen twice: the table records no operation id to tell a repeat by."
	}
	return fmt.Sprintf("What it did outside can happen twice, unless that recognises operation %s.", j.Operation)
}
