package sqlite

import (
	"fmt"
	"slices"
	"strings"
)

// near says which of the names was probably meant, or which there are.
func near(wanted string, names []string, there string) string {
	best, least := "", len(wanted)/2+1
	for _, n := range names {
		if d := distance(strings.ToLower(wanted), strings.ToLower(n)); d < least {
			best, least = n, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("perhaps %s is meant", best)
	case len(names) == 0:
		return there + " none"
	case len(names) > 8:
		return fmt.Sprintf("%s %s and %d more", there, strings.Join(names[:8], ", "), len(names)-8)
	}
	return fmt.Sprintf("%s %s", there, strings.Join(names, ", "))
}

// distance is how many letters must change to make one name of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = slices.Min([]int{cost, row[j] + 1, row[j+1] + 1})
		}
	}
	return row[len(b)]
}
