package tape

import (
	"errors"
	"time"

	"github.com/leasetop/leasetop/model"
)

// run is a part of a list as it differs from the list before it: rows that stand
// as they stood there, and then rows that are new or have changed.
type run[T any] struct {
	From, N int // rows of the list before
	New     []T
}

// mostRows bounds a list that is read from a file: far more than a screen asks for.
const mostRows = 1 << 16

var errRows = errors.New("a list that cannot be")

// diff says how a list differs from the one before it. Rows are found again by
// their key.
func diff[T any, K comparable](old, list []T, key func(*T) K, same func(was, is *T) bool) []run[T] {
	index := make(map[K]int, len(old))
	for i := range old {
		index[key(&old[i])] = i
	}
	var out []run[T]
	for i := range list {
		at, ok := index[key(&list[i])]
		kept, last := ok && same(&old[at], &list[i]), len(out)-1
		switch {
		case kept && last >= 0 && len(out[last].New) == 0 && out[last].From+out[last].N == at:
			out[last].N++
		case kept:
			out = append(out, run[T]{From: at, N: 1})
		case last >= 0:
			out[last].New = append(out[last].New, list[i])
		default:
			out = append(out, run[T]{New: list[i : i+1 : i+1]})
		}
	}
	return out
}

// patch is the inverse of diff.
func patch[T any](old []T, runs []run[T]) ([]T, error) {
	n := 0
	for _, r := range runs {
		if r.From < 0 || r.N < 0 || r.From > len(old) || r.N > len(old)-r.From {
			return nil, errRows
		}
		if n += r.N + len(r.New); n > mostRows {
			return nil, errRows
		}
	}
	if n == 0 {
		return nil, nil
	}
	out := make([]T, 0, n)
	for _, r := range runs {
		out = append(append(out, old[r.From:r.From+r.N]...), r.New...)
	}
	return out, nil
}

// A list's ages grow with every poll although nothing happened. Where lists are
// compared and kept, an age is the moment at which it was nothing.

// slack is how far two readings of one such moment may lie apart: an engine rounds.
const slack = 2 * time.Millisecond

// begun makes ages into moments.
func begun(jobs []*model.Job, at time.Time) []model.Job {
	out := make([]model.Job, len(jobs))
	for i, j := range jobs {
		out[i] = *j
		for _, a := range []*model.Age{&out[i].Held, &out[i].Waiting} {
			if a.Known() {
				a.D = time.Duration(at.UnixNano()) - a.D
			}
		}
	}
	return out
}

// aged is the inverse of begun.
func aged(jobs []model.Job, at time.Time) []*model.Job {
	if len(jobs) == 0 {
		return nil
	}
	rows := make([]model.Job, len(jobs))
	out := make([]*model.Job, len(jobs))
	for i := range jobs {
		rows[i] = jobs[i]
		for _, a := range []*model.Age{&rows[i].Held, &rows[i].Waiting} {
			if a.Known() {
				a.D = time.Duration(at.UnixNano()) - a.D
			}
		}
		out[i] = &rows[i]
	}
	return out
}

func jobKey(j *model.Job) model.Key { return j.Key }

// sameJob reports whether nothing has happened to a job between two lists.
func sameJob(was, is *model.Job) bool {
	x := *is
	if (x.Held.D - was.Held.D).Abs() <= slack {
		x.Held.D = was.Held.D
	}
	if (x.Waiting.D - was.Waiting.D).Abs() <= slack {
		x.Waiting.D = was.Waiting.D
	}
	return x == *was
}

func eventKey(e *model.Event) model.Event { return *e }
func sameEvent(was, is *model.Event) bool { return *was == *is }
