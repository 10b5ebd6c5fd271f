package actions

import (
	"fmt"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// effects are what will follow, in sentences for the dialog.
func effects(ask Ask, m *model.Mapping) []string {
	if m.IsDestructive() {
		return rowEffects(ask, m)
	}
	j := ask.Row
	var out []string
	switch ask.Action {
	case model.Reclaim, model.Force, model.Grant:
		out = append(out, "The job becomes ready "+under(m)+"; the next free worker claims it and it runs again.")
		if ask.Action == model.Grant {
			out = append(out, fmt.Sprintf("Its bound rises to %d: one attempt more.", j.Attempts.N+1))
		}
		out = append(append(out, holds(ask, m)...), repeats(j))
	case model.Extend:
		out = append(out,
			fmt.Sprintf("The lease runs to %s beyond the server's now; the token stays, so its worker goes on undisturbed.", text.Exact(ask.By)),
			"The worker's next heartbeat sets the lease anew: on this queue a heartbeat never shortens it, elsewhere it may.",
			"Should the worker be dead, nobody gets the job before that.")
	case model.DeadLetter:
		out = append(append(out, "The job becomes failed "+under(m)+" and is not claimed again until somebody requeues it."), holds(ask, m)...)
		if m.Has(model.RoleError) {
			out = append(out, "The reason becomes its diagnostic.")
		}
	case model.Requeue:
		out = append(out, "The job becomes ready at the tail of its priority and starts its attempts anew.", repeats(j))
		if j.Error != "" {
			out = append(out, "It failed with: "+j.Error)
		}
	case model.PutBrake, model.FreeBrake, model.ActionNone:
	}
	if j.Attempts.Known && j.MaxAttempts.Known {
		out = append(out, fmt.Sprintf("%d of %d attempts are used.", j.Attempts.N, j.MaxAttempts.N))
	}
	if m.History.IsZero() {
		out = append(out, "The table keeps no history: only your journal records this act.")
	}
	return out
}

// setEffects are what will follow from an act on several jobs.
func setEffects(s *Set, m *model.Mapping) []string {
	var out []string
	fenced := "Workers may still be at them: their completions will be refused from then on."
	again := "What they did outside can happen twice: the table records no operation id to tell a repeat by."
	if m.Has(model.RoleOperation) {
		again = "What they did outside can happen twice, unless that recognises each job's operation id."
	}
	switch s.Action {
	case model.Reclaim, model.Force, model.Grant:
		out = append(out, "Each job becomes ready "+under(m)+"; the next free worker claims it and it runs again.")
		if s.Action == model.Grant {
			out = append(out, "Its bound rises: one attempt more.")
		}
		if s.Action == model.Force {
			fenced = "It is taken from a worker whose lease may still run: its completion will be refused from then on."
		}
		out = append(out, fenced, again)
	case model.Extend:
		by := s.By
		if by == 0 {
			by = m.UsualLease()
		}
		out = append(out, fmt.Sprintf("Each lease runs to %s beyond the server's now; the token stays, so its worker goes on undisturbed.", text.Exact(by)),
			"Should the worker be dead, nobody gets the job before that.")
	case model.DeadLetter:
		out = append(out, "Each job becomes failed "+under(m)+" and is not claimed again until somebody requeues it.", fenced)
		if m.Has(model.RoleError) {
			out = append(out, "The reason becomes its diagnostic.")
		}
	case model.Requeue:
		out = append(out, "Each job becomes ready at the tail of its priority and starts its attempts anew.", again)
	case model.PutBrake, model.FreeBrake, model.ActionNone: // those are of a queue, never of jobs
	}
	if m.History.IsZero() {
		out = append(out, "The table keeps no history: only the file of receipts records these acts.")
	}
	return out
}

// under says what an act makes of the token.
func under(m *model.Mapping) string {
	if m.Danger() != "" {
		return "and nothing fences the worker that has it"
	}
	switch how, _ := m.Column(model.RoleToken).Fence(); how {
	case model.FenceMade:
		return "under a new rowversion, which the server makes"
	case model.FenceCleared:
		return "and its token is cleared, which no completion matches"
	case model.FenceWritten, model.FenceNone:
	}
	return "under a new token"
}

// holds says what becomes of a worker that may still be at it.
func holds(ask Ask, m *model.Mapping) []string {
	j := ask.Row
	if j.State != model.Working {
		return nil
	}
	out := []string{nameOr(j.Worker, "its worker") + " may still be working: its completion will be refused from then on."}
	if m.Danger() != "" {
		out[0] = nameOr(j.Worker, "its worker") + " may still be working, and nothing will refuse its completion."
	}
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
