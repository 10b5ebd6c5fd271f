package model

import (
	"fmt"
	"strings"
)

// RowText is a row of a destructive queue for flags and eyes: name=value pairs
// separated by commas; a comma or backslash inside a value is escaped by a
// backslash, NULL is written as such and the text NULL as \NULL. ParseRow is its
// inverse.
func RowText(cols []Column, k Key) string {
	values := k.Values()
	parts := make([]string, 0, len(cols))
	for i, c := range cols {
		if i >= len(values) {
			break
		}
		text := escaper.Replace(values[i].Text)
		switch {
		case values[i].IsNull():
			text = "NULL"
		case text == "NULL":
			text = `\NULL`
		}
		parts = append(parts, c.Name+"="+text)
	}
	return strings.Join(parts, ",")
}

// ParseRow reads a row as RowText prints it. Every column must be there, in any
// order, because a row is all its values.
func ParseRow(cols []Column, s string) (Key, error) {
	given := map[string]string{}
	for _, part := range cut(s) {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return Key{}, fmt.Errorf("row %s: %s is no name=value", quote(s), quote(part))
		}
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := given[name]; twice {
			return Key{}, fmt.Errorf("row %s: the column %s is there twice", quote(s), brief(name))
		}
		given[name] = value
	}
	values := make([]Value, len(cols))
	for i, c := range cols {
		text, ok := given[strings.ToLower(c.Name)]
		if !ok {
			return Key{}, fmt.Errorf("row %s: the column %s is missing; a row is all its values", quote(s), c.Name)
		}
		delete(given, strings.ToLower(c.Name))
		if text == "NULL" {
			continue
		}
		v, err := parseValue(c.Type, unescape(text))
		if err != nil {
			return Key{}, fmt.Errorf("row %s: %s: %w", quote(s), c.Name, err)
		}
		values[i] = v
	}
	for name := range given {
		return Key{}, fmt.Errorf("row %s: the table has no column %s", quote(s), brief(name))
	}
	return KeyOf(values...), nil
}

// unescape takes the backslashes off that escaped a character.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// cut splits at commas that no backslash escapes and leaves the backslashes.
func cut(s string) []string {
	var (
		parts []string
		begin int
	)
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ',':
			parts, begin = append(parts, s[begin:i]), i+1
		}
	}
	return append(parts, s[begin:])
}
