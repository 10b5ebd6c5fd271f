package model

import (
	"strconv"
	"strings"
)

// Type is the kind of an engine value, coarse enough to choose how it travels.
type Type uint8

// The types that a mapped column can have. The zero Type is SQL's NULL.
const (
	Null     Type = iota
	Int           // any integer column; Text is its decimal form
	Text          // any character column
	GUID          // uniqueidentifier; Text is upper case, 8-4-4-4-12
	Time          // any date-time column; Text is the engine's own exact text
	Binary        // varbinary, rowversion; Text is 0x and upper-case hex
	Fraction      // decimal, money, float; Text is the engine's own exact text
	Opaque        // xml, text, image, geography: no value of it can be compared
)

var typeNames = [...]string{"null", "int", "text", "guid", "time", "binary", "number", "opaque"}

// String names the type.
func (t Type) String() string { return name(typeNames[:], t) }

// Value is one value of the database in the engine's own exact text, so that it
// can be compared, sent back and matched without any rounding or byte order of a
// driver. It is comparable; the zero Value is NULL.
type Value struct {
	Type Type
	Text string
}

// IntValue is an integer column's value.
func IntValue(n int64) Value { return Value{Int, strconv.FormatInt(n, 10)} }

// TextValue is a character column's value.
func TextValue(s string) Value { return Value{Text, s} }

// GUIDValue is a uniqueidentifier's value; the text is folded to upper case,
// because an embedded engine compares text with case.
func GUIDValue(s string) Value { return Value{GUID, strings.ToUpper(s)} }

// TimeValue is a date-time column's value as the engine printed it.
func TimeValue(s string) Value { return Value{Time, s} }

// IsNull reports whether the value is SQL's NULL.
func (v Value) IsNull() bool { return v.Type == Null }

// Int gives the number of an integer value; ok is false for anything else.
func (v Value) Int() (n int64, ok bool) {
	if v.Type != Int {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	return n, err == nil
}

// String is the value for eyes; NULL prints as such.
func (v Value) String() string {
	if v.IsNull() {
		return "NULL"
	}
	return v.Text
}

// name is the text of a small enum; out of range is "unknown" instead of a panic.
func name[T ~uint8](names []string, i T) string {
	if int(i) < len(names) {
		return names[i]
	}
	return "unknown"
}
