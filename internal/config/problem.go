// Package config reads what the user wrote: the configuration file, its profiles
// and the names of tables and servers. It reports every mistake at once, each
// with its place, what is wrong with it and what was probably meant.
package config

import (
	"fmt"
	"sort"
	"strings"
)

// Problem is one mistake in a file.
type Problem struct {
	File      string
	Line, Col int // 1-based; 0: not known
	Text      string
	Cure      string
}

// Error is the mistake in one line, file:line:column first.
func (p Problem) Error() string {
	s := p.File
	if p.Line > 0 {
		s = fmt.Sprintf("%s:%d:%d", s, p.Line, p.Col)
	}
	s += ": " + p.Text
	if p.Cure != "" {
		s += "; " + p.Cure
	}
	return s
}

// Problems is every mistake of a file, in the order of its lines.
type Problems []Problem

// Error is one mistake a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// err gives the problems as an error, nil when there are none.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	sort.SliceStable(ps, func(i, j int) bool {
		if ps[i].Line != ps[j].Line {
			return ps[i].Line < ps[j].Line
		}
		return ps[i].Col < ps[j].Col
	})
	return ps
}

// Meant proposes the known word that is nearest to what was written, or lists
// the known words when none is near.
func Meant(word string, known []string) string {
	best, dist := "", len(word)/2+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < dist {
			best, dist = k, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("did you mean %q?", best)
	case len(known) == 0:
		return ""
	}
	return "known are " + strings.Join(known, ", ")
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
