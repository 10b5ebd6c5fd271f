package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/model"
)

// ParseTable reads the name of a table by its parts: QueueDemo, dbo.QueueDemo,
// [my.table], dbo.[a]]b]. A dot or bracket inside a part wants brackets around
// it, a closing bracket inside them is doubled.
func ParseTable(s string) (model.Table, error) {
	parts, err := parseParts(s)
	if err != nil {
		return model.Table{}, fmt.Errorf("table %q: %w", s, err)
	}
	switch len(parts) {
	case 1:
		return model.Table{Name: parts[0]}, nil
	case 2:
		return model.Table{Schema: parts[0], Name: parts[1]}, nil
	}
	return model.Table{}, fmt.Errorf("table %q: it has %d parts; name the database in the DSN, and a name with dots as [a.b]", s, len(parts))
}

func parseParts(s string) ([]string, error) {
	var parts []string
	for {
		part, rest, err := nextPart(s)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if rest == "" {
			return parts, nil
		}
		if rest[0] != '.' {
			return nil, fmt.Errorf("a dot is missing before %q", rest)
		}
		s = rest[1:]
	}
}

// nextPart takes one part off the front of a name.
func nextPart(s string) (part, rest string, err error) {
	if !strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, '.')
		if end < 0 {
			end = len(s)
		}
		part, rest = s[:end], s[end:]
		return part, rest, checkPart(part, "[]\"'`;")
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != ']':
			b.WriteByte(s[i])
		case i+1 < len(s) && s[i+1] == ']':
			b.WriteByte(']')
			i++
		default:
			return b.String(), s[i+1:], checkPart(b.String(), "")
		}
	}
	return "", "", errors.New("a closing bracket is missing")
}

func checkPart(part, forbidden string) error {
	switch {
	case part == "":
		return errors.New("a part of it is empty")
	case len([]rune(part)) > 128:
		return errors.New("a part of it is longer than 128 characters")
	case strings.ContainsAny(part, forbidden):
		return fmt.Errorf("%q needs brackets around it", part)
	case strings.ContainsFunc(part, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return errors.New("it holds a control character")
	}
	return nil
}

// parseColumn reads a column as a name and its declared type: JobId bigint,
// [Job Id] numeric(18, 0).
func parseColumn(s string) (model.Column, error) {
	s = strings.TrimSpace(s)
	name, declared, err := cutColumn(s)
	if err != nil {
		return model.Column{}, err
	}
	declared = strings.TrimSpace(declared)
	if declared == "" {
		return model.Column{}, fmt.Errorf("column %q has no type; write it as the table declares it, such as JobId bigint", name)
	}
	word, _, _ := strings.Cut(declared, "(")
	word = strings.ToLower(strings.TrimSpace(word))
	t, known := columnTypes()[word]
	if !known {
		return model.Column{}, fmt.Errorf("column %q: unknown type %q; %s", name, declared, Meant(word, typeNames()))
	}
	return model.Column{Name: name, Type: t, Declared: declared}, nil
}

func cutColumn(s string) (name, declared string, err error) {
	if strings.HasPrefix(s, "[") {
		return nextPart(s)
	}
	name, declared, _ = strings.Cut(s, " ")
	return name, declared, checkPart(name, ".[]\"'`;(),")
}

// columnTypes are the declared types that a mapped column may have.
func columnTypes() map[string]model.Type {
	return map[string]model.Type{
		"bigint": model.Int, "int": model.Int, "integer": model.Int, "smallint": model.Int, "tinyint": model.Int, "bit": model.Int,
		"char": model.Text, "varchar": model.Text, "nchar": model.Text, "nvarchar": model.Text, "text": model.Text, "ntext": model.Text, "sysname": model.Text,
		"uniqueidentifier": model.GUID,
		"datetime2":        model.Time, "datetime": model.Time, "smalldatetime": model.Time, "datetimeoffset": model.Time,
		"binary": model.Binary, "varbinary": model.Binary, "rowversion": model.Binary, "timestamp": model.Binary,
		"decimal": model.Fraction, "numeric": model.Fraction, "money": model.Fraction, "smallmoney": model.Fraction, "float": model.Fraction, "real": model.Fraction,
		"date": model.Time, "xml": model.Opaque, "image": model.Opaque, "geography": model.Opaque, "geometry": model.Opaque, "sql_variant": model.Opaque,
	}
}

func typeNames() []string {
	return []string{
		"bigint", "int", "smallint", "tinyint", "bit", "char", "varchar", "nchar", "nvarchar", "text",
		"uniqueidentifier", "datetime2", "datetime", "datetimeoffset", "smalldatetime", "binary", "varbinary", "rowversion",
	}
}
