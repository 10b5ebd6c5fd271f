package sqlserver

import (
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// all are the columns of a row source.
func (t rowset) all(alias string) []sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		parts[i] = within(alias, c)
	}
	return parts
}

// outs are the columns of a row source under the contract's names. What cannot be
// compared is left out of lists: it may be large, and tells no row from another.
func (t rowset) outs(alias string) sqltext.Part {
	parts := make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		p := readValue(c, within(alias, c))
		if c.Type == model.Opaque {
			p = null()
		}
		parts[i] = as(p, keyAlias(i))
	}
	return sqltext.List(comma, parts...)
}

// readValue is a column of any type as its exact text.
func readValue(c model.Column, p sqltext.Part) sqltext.Part {
	h := sqltext.Holes{"column": p}
	switch base := baseOf(c.Declared); {
	case base == "datetime" || base == "smalldatetime":
		return sqltext.Fill("CONVERT(varchar(33), {column}, 126)", h)
	case base == "money" || base == "smallmoney":
		return sqltext.Fill("CONVERT(varchar(60), {column}, 2)", h)
	case base == "float" || base == "real":
		return sqltext.Fill("LTRIM(RTRIM(CONVERT(varchar(60), {column}, 3)))", h)
	case base == "time":
		return sqltext.Fill("CONVERT(varchar(16), {column})", h)
	case base == "geography" || base == "geometry" || base == "hierarchyid":
		return sqltext.Fill("{column}.ToString()", h)
	case base == "image":
		return sqltext.Fill("CONVERT(varchar(max), CONVERT(varbinary(max), {column}), 1)", h)
	case c.Type == model.Opaque:
		return sqltext.Fill("CONVERT(nvarchar(max), {column})", h)
	}
	return read(c, p)
}

// givenValue is a parameter, or a value of text, as the value of a column.
func givenValue(c model.Column, arg sqltext.Part) sqltext.Part {
	h := sqltext.Holes{"type": sqltext.Declared(storedAs(c.Declared)), "arg": arg}
	switch base := baseOf(c.Declared); {
	case base == "datetime" || base == "smalldatetime": // ISO 8601 with a T, whatever the login's language is
		return sqltext.Fill("CAST({arg} AS {type})", h)
	case c.Type == model.Time:
		return sqltext.Fill("CONVERT({type}, {arg}, 126)", h)
	case c.Type == model.Binary:
		return sqltext.Fill("CONVERT({type}, {arg}, 1)", h)
	}
	return sqltext.Fill("CONVERT({type}, {arg})", h)
}

func baseOf(declared string) string {
	base, _, _ := strings.Cut(strings.ToLower(declared), "(")
	return strings.TrimSpace(base)
}

// storedAs is a type in which a value of the declared one can be kept: the server
// makes the value of a rowversion itself.
func storedAs(declared string) string {
	switch baseOf(declared) {
	case "rowversion", "timestamp":
		return "binary(8)"
	}
	return declared
}

// same is the condition that a row has the values of the parameters. Text is
// compared as it is stored: a collation takes more for equal than is. Columns that
// may be NULL are compared by INTERSECT, for which NULL is equal to NULL.
func (t rowset) same(alias string) sqltext.Part {
	var plain, mine, theirs []sqltext.Part
	for i, name := range store.KeyNames(len(t.m.Keys)) {
		c := t.m.Keys[i]
		column, value := t.within(alias, c), givenValue(c, sqltext.Arg(name))
		if c.Type == model.Text {
			column, value = exactly(column), exactly(value)
		}
		if c.Nullable {
			mine, theirs = append(mine, column), append(theirs, value)
			continue
		}
		plain = append(plain, sqltext.Fill("{column} = {value}", sqltext.Holes{"column": column, "value": value}))
	}
	if len(mine) > 0 {
		plain = append(plain, sqltext.Fill("EXISTS (SELECT {mine} INTERSECT SELECT {theirs})", sqltext.Holes{
			"mine": sqltext.List(", ", mine...), "theirs": sqltext.List(", ", theirs...),
		}))
	}
	return sqltext.List(and, plain...)
}

func exactly(p sqltext.Part) sqltext.Part {
	return sqltext.Fill("CONVERT(varbinary(max), {value})", sqltext.Holes{"value": p})
}
