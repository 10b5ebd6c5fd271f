// Package config reads what the user wrote: the configuration file, its profiles
// and the names of tables and servers. It reports every mistake at once, each
// with its place, what is wrong with it and what was probably meant.
package config

import (
	"fmt"
	"sort"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
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
func Meant(word string, known []string) string { return text.Meant(word, known) }
