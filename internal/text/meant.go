package text

import (
	"fmt"
	"strings"
)

// Meant proposes the known word that is nearest to what was written, or lists
// the known words when none is near.
func Meant(word string, known []string) string {
	best := Nearest(word, known)
	switch {
	case best != "":
		return fmt.Sprintf("did you mean %q?", best)
	case len(known) == 0:
		return ""
	}
	return "known are " + strings.Join(known, ", ")
}

// Nearest is the known word that is nearest to what was written, whatever the case;
// empty when more than half of it would have to change.
func Nearest(word string, known []string) string {
	best, dist := "", len(word)/2+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < dist {
			best, dist = k, d
		}
	}
	return best
}

// distance is the number of edits between two words, a swap of neighbours
// counting as one.
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
