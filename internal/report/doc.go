// Package report gives what leasetop knows in forms for other programs and for
// paper: JSON that is stable and documented, and plain text. It formats values of
// the model and finds out nothing by itself.
package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/leasetop/leasetop/model"
)

// WriteJSON writes v as indented JSON and a line end.
func WriteJSON(w io.Writer, v any) error { return writeJSON(w, v, "  ") }

// writeJSON writes v as JSON that is safe to look at in a terminal. A key or a token
// is given exactly, also one that holds what a terminal would obey or that reorders
// what follows: such characters are escaped, which is the same value to a program. HTML
// is left as it is.
func writeJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(readable(b.Bytes()))
	return err
}

// readable is JSON with each character that shows nothing of its own as \uXXXX. Outside
// its strings JSON has none but line ends.
func readable(data []byte) []byte {
	if !bytes.ContainsFunc(data, unseen) {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	for _, r := range string(data) {
		switch {
		case !unseen(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// unseen reports whether r is a control (ESC and its like, DEL, the C1 controls) or a
// format character, such as those that turn the writing around.
func unseen(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) }

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
