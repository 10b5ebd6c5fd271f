// Package report gives what leasetop knows in forms for other programs and for
// paper: JSON that is stable and documented, and plain text. It formats values of
// the model and finds out nothing by itself.
package report

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/leasetop/leasetop/model"
)

// WriteJSON writes v as indented JSON and a line end. What terminals would obey
// was removed where it was read; HTML is left as it is.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// stamp is a time in RFC 3339, UTC, with milliseconds.
func stamp(t time.Time) string { return scaled(t, 3) }

func scaled(t time.Time, digits int) string {
	layout := "2006-01-02T15:04:05"
	if digits > 0 {
		layout += "." + strings.Repeat("0", digits)
	}
	return t.UTC().Format(layout + "Z")
}

// instant is a column's time at the column's own scale; nil where there is none.
// A time that nobody could read is given as the engine printed it.
func instant(i model.Instant, c model.Column) *string {
	switch {
	case i.IsZero():
		return nil
	case i.At.IsZero():
		return &i.Raw.Text
	}
	s := scaled(i.At, scale(c.Declared))
	return &s
}

// scale is how many digits of a second a declared type keeps.
func scale(declared string) int {
	name, rest, ok := strings.Cut(strings.ToLower(declared), "(")
	if ok {
		if n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(rest, ")"))); err == nil {
			return n
		}
	}
	switch strings.TrimSpace(name) {
	case "datetime2", "datetimeoffset":
		return 7
	case "smalldatetime":
		return 0
	}
	return 3
}

// told is a text, nil where there is none.
func told(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func keyText(k model.Key) *string {
	if k.IsZero() {
		return nil
	}
	return told(k.String())
}

func tokenText(t model.Token) *string {
	if t.IsZero() {
		return nil
	}
	return told(t.String())
}

func number(n model.Number) *int64 {
	if !n.Known {
		return nil
	}
	return &n.N
}
