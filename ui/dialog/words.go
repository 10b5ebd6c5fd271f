package dialog

import (
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
	"github.com/leasetop/leasetop/ui/kit"
)

// verb is the word on the button.
func verb(a model.Action) string {
	switch a {
	case model.Reclaim:
		return "Reclaim"
	case model.Force:
		return "Force"
	case model.Extend:
		return "Extend"
	case model.DeadLetter:
		return "Dead-letter"
	case model.Requeue:
		return "Requeue"
	case model.Grant:
		return "Grant one more"
	case model.PutBrake:
		return "Brake"
	case model.FreeBrake:
		return "Release"
	case model.ActionNone:
	}
	return "Send"
}

// named says an act on a job, at most the cells of the key. "reclaim 3" is what the
// keys say of three jobs that are marked, so that one is called a job.
func named(a model.Action, k model.Key, cells int) string {
	if a.OnQueue() {
		return a.String()
	}
	key := text.Cut(text.Clean(k.String()), cells)
	if a == model.Grant {
		return "grant job " + key + " one more attempt"
	}
	return a.String() + " job " + key
}

// left says that a job is not in the list any more that has the jobs of its state.
func left(s model.State) string {
	switch s {
	case model.Working:
		return "the job is no longer being worked on: it ended, or somebody took it back"
	case model.Ready:
		return "the job is no longer ready: a worker claimed it, or somebody acted on it"
	case model.Failed:
		return "the job is no longer a dead letter: somebody requeued or removed it"
	case model.Scheduled, model.Done, model.StateUnknown:
	}
	return ""
}

// live reports whether the act takes the job from a worker whose lease still runs.
func live(ask kit.Ask) bool {
	if ask.Action != model.Force && ask.Action != model.DeadLetter {
		return false
	}
	left, ok := ask.Job.Left(ask.At)
	return ok && ask.Job.State == model.Working && left >= 0
}
