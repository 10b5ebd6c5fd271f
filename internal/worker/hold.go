package worker

import "github.com/leasetop/leasetop/model"

// Hold says whether a claim still stands after a step. The zero Hold claims
// nothing.
type Hold uint8

// The holds.
const (
	Unknown   Hold = iota // the row cannot be read: it may be either
	Held                  // the token stands: the step matched it, or a re-read found it working
	Confirmed             // the step had been applied and only its reply was lost
	Lost                  // the claim is gone: somebody else decides about the job now
)

// String names the hold.
func (h Hold) String() string {
	switch h {
	case Held:
		return "held"
	case Confirmed:
		return "confirmed"
	case Lost:
		return "lost"
	case Unknown:
	}
	return "unknown"
}

// judge says what became of a claim whose step captured no row or had no reply,
// from the row as it is now. mine is the claim's token; next is the replacement
// that the step would have written, empty for a step that keeps the token. A nil
// job without an error is a row that is gone.
//
// Only two things prove that the step was applied: the row is done and carries my
// token, which no one else can write, or it carries the replacement that I made.
func judge(job *model.Job, err error, mine model.Token, next string) Hold {
	switch {
	case err != nil:
		return Unknown
	case job == nil || job.Token.IsZero() || mine.IsZero():
		return Lost
	case next != "" && job.Token.String() == next:
		return Confirmed
	case job.Token != mine:
		return Lost
	case job.State == model.Done:
		return Confirmed
	case job.State == model.Working:
		return Held
	}
	return Lost
}
