package table

import (
	"strings"
)

// Filter is what the rows of a list must have. The zero Filter lets all through.
//
// A filter is terms separated by blanks, and a row must meet all of them. A term
// is text that one of the row's cells contains, or column:text where that column
// must; "!" before it turns it around, and double quotes hold text with blanks
// together. Case does not count. A column is named by the beginning of its title;
// a term whose first part names none is text, colon and all.
type Filter struct{ terms []term }

type term struct {
	column int // -1: any
	want   string
	not    bool
}

// ParseFilter reads a filter for a list of these columns.
func ParseFilter(s string, columns []Column) Filter {
	var f Filter
	for _, word := range words(strings.ToLower(s)) {
		t := term{column: -1}
		if rest, ok := strings.CutPrefix(word, "!"); ok {
			t.not, word = true, rest
		}
		if name, rest, ok := strings.Cut(word, ":"); ok && !strings.HasPrefix(word, `"`) {
			if i := column(columns, name); i >= 0 {
				t.column, word = i, rest
			}
		}
		if t.want = strings.ReplaceAll(word, `"`, ""); t.want != "" {
			f.terms = append(f.terms, t)
		}
	}
	return f
}

// words are the parts between blanks that no quotes hold together.
func words(s string) []string {
	quoted := false
	return strings.FieldsFunc(s, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && r == ' '
	})
}

// column finds the column whose title begins with a name in lower case.
func column(columns []Column, name string) int {
	if name == "" {
		return -1
	}
	for i, c := range columns {
		if strings.HasPrefix(strings.ToLower(c.Title), name) {
			return i
		}
	}
	return -1
}

// IsZero reports whether the filter lets all through.
func (f Filter) IsZero() bool { return len(f.terms) == 0 }

// Match reports whether a row with these cells meets the filter.
func (f Filter) Match(cells []Cell) bool {
	for _, t := range f.terms {
		if t.meets(cells) == t.not {
			return false
		}
	}
	return true
}

func (t term) meets(cells []Cell) bool {
	for i, c := range cells {
		if (t.column < 0 || t.column == i) && strings.Contains(strings.ToLower(c.whole()), t.want) {
			return true
		}
	}
	return false
}

// whole is a cell's text, as far as it is known.
func (c Cell) whole() string {
	if c.Full != "" {
		return c.Full
	}
	if len(c.Runs) == 0 {
		return c.Text
	}
	var b strings.Builder
	for _, r := range c.Runs {
		b.WriteString(r.Text)
	}
	return b.String()
}
