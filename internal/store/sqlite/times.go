package sqlite

import (
	"strings"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// formTime is the entry of Caps.Form that says how the table writes a time that
// is text.
const formTime = "time"

// The forms of a time that is text.
const (
	formT      = "2006-01-02T15:04:05.000"
	formTZ     = "2006-01-02T15:04:05.000Z"
	formBlank  = "2006-01-02 15:04:05.000"
	formBlankZ = "2006-01-02 15:04:05.000Z"
)

// formOf reads the form from one of the table's own values; without one it is
// ISO 8601 with a T.
func formOf(sample string) string {
	z := strings.HasSuffix(sample, "Z")
	switch {
	case len(sample) > 10 && sample[10] == ' ' && z:
		return formBlankZ
	case len(sample) > 10 && sample[10] == ' ':
		return formBlank
	case z:
		return formTZ
	}
	return formT
}

// affinity is the rule by which SQLite reads a declared type.
func affinity(declared string) string {
	d := strings.ToUpper(declared)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(d, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("INT"):
		return "INTEGER"
	case has("CHAR", "CLOB", "TEXT"):
		return "TEXT"
	case d == "" || has("BLOB"):
		return "BLOB"
	case has("REAL", "FLOA", "DOUB"):
		return "REAL"
	}
	return "NUMERIC"
}

// millis reports whether the column of a role holds unix milliseconds, as all of
// our own do; otherwise it holds text.
func (t table) millis(r model.Role) bool {
	return t.whole(t.m.Column(r))
}

// whole is millis for a column.
func (t table) whole(c model.Column) bool {
	return t.c.Ours && !t.m.IsDestructive() || affinity(c.Declared) == "INTEGER"
}

// read is a time as it travels: the engine's own exact text. The cast keeps the
// driver from reading a column declared as DATETIME.
func (t table) read(r model.Role) sqltext.Part {
	col := t.col(r)
	if col.IsZero() || t.millis(r) {
		return col.Or(null())
	}
	return sqltext.Fill("CAST({column} AS TEXT)", sqltext.Holes{"column": col})
}

// ms is a time for comparing.
func (t table) ms(r model.Role) sqltext.Part {
	col := t.col(r)
	if col.IsZero() || t.millis(r) {
		return col
	}
	return sqltext.Fill("CAST(round(unixepoch({column}, 'subsec') * 1000) AS INTEGER)", sqltext.Holes{"column": col})
}

// write is a time in milliseconds as the column of a role holds it.
func (t table) write(r model.Role, ms sqltext.Part) sqltext.Part {
	h := sqltext.Holes{"ms": ms}
	switch {
	case t.millis(r):
		return ms
	case t.c.Form[formTime] == formTZ:
		return sqltext.Fill("strftime('%Y-%m-%dT%H:%M:%fZ', ({ms}) / 1000.0, 'unixepoch')", h)
	case t.c.Form[formTime] == formBlank:
		return sqltext.Fill("strftime('%Y-%m-%d %H:%M:%f', ({ms}) / 1000.0, 'unixepoch')", h)
	case t.c.Form[formTime] == formBlankZ:
		return sqltext.Fill("strftime('%Y-%m-%d %H:%M:%fZ', ({ms}) / 1000.0, 'unixepoch')", h)
	}
	return sqltext.Fill("strftime('%Y-%m-%dT%H:%M:%f', ({ms}) / 1000.0, 'unixepoch')", h)
}

// leaseBefore is the condition that a lease ended before a time in milliseconds.
func (t table) leaseBefore(ms sqltext.Part) sqltext.Part {
	return sqltext.Fill("{lease} < {ms}", sqltext.Holes{"lease": t.ms(model.RoleLease), "ms": ms})
}

// now is the runner's time of this statement, in milliseconds.
func now() sqltext.Part { return sqltext.Arg("now") }

// later is a time a parameter's milliseconds from now.
func later(arg string) sqltext.Part {
	return sqltext.Fill("@now + {ms}", sqltext.Holes{"ms": sqltext.Arg(arg)})
}
