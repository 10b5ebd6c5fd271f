package cli

import (
	"os"
	"time"

	"github.com/leasetop/leasetop/model"
)

// journalAge is how long what is resolved is kept.
const journalAge = 30 * 24 * time.Hour

// prune removes the journals of processes that have ended, whose acts are all
// resolved and that nobody has written to for 30 days. A later process's word on an
// earlier one's act goes only together with that act. What cannot be removed stays:
// it costs nothing but its place.
func prune(dir string, now time.Time) {
	files, err := journals(dir)
	if err != nil {
		return
	}
	acts := map[string][]string{} // by file: the ids of its acts
	var resolved = map[string]bool{}
	for _, f := range files {
		lines, err := readJournal(f)
		if err != nil {
			return // what is not known to be resolved may be
		}
		for _, e := range lines {
			acts[f] = append(acts[f], e.ActionID)
			if e.Event == "done" && (e.Final || e.Outcome != model.OutcomeUnknown.String()) {
				resolved[e.ActionID] = true
			}
		}
	}
	old := map[string]bool{}
	for _, f := range files {
		old[f] = ended(f, now)
	}
	for changed := true; changed; { // until no file that goes shares an act with one that stays
		changed = false
		stays := map[string]bool{}
		for _, f := range files {
			for _, id := range acts[f] {
				stays[id] = stays[id] || !old[f] || !resolved[id]
			}
		}
		for _, f := range files {
			for _, id := range acts[f] {
				if old[f] && stays[id] {
					old[f], changed = false, true
				}
			}
		}
	}
	for _, f := range files {
		if old[f] {
			_ = os.Remove(f)
		}
	}
}

// ended reports whether a journal is old and its process is gone.
func ended(path string, now time.Time) bool {
	info, err := os.Stat(path)
	if err != nil || now.Sub(info.ModTime()) < journalAge {
		return false
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	free, err := lockFile(f)
	return f.Close() == nil && err == nil && free
}
