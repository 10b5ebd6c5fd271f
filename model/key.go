package model

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Key identifies a job: one or more column values. It is comparable and works as
// a map key. Keys are never ordered in Go: the engine's order of GUIDs and
// collated text is its own.
type Key struct{ packed string }

// Token is the fence of a claim. It is a type of its own, so that key and token
// cannot be swapped. The zero Token means that the row carries no token.
type Token struct{ packed string }

// KeyOf packs the values of the key columns in mapping order.
func KeyOf(vs ...Value) Key { return Key{pack(vs)} }

// TokenOf packs the value of the token column. A NULL gives the zero Token.
func TokenOf(vs ...Value) Token {
	for _, v := range vs {
		if v.IsNull() {
			return Token{}
		}
	}
	return Token{pack(vs)}
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.packed == "" }

// IsZero reports whether the row carries no token.
func (t Token) IsZero() bool { return t.packed == "" }

// Values gives the key's column values in mapping order.
func (k Key) Values() []Value { return unpack(k.packed) }

// Values gives the token's column values; none for the zero Token.
func (t Token) Values() []Value { return unpack(t.packed) }

// String is the key for eyes, flags and JSON; ParseKey is its inverse.
func (k Key) String() string { return join(k.Values()) }

// String is the token for eyes, flags and JSON, "none" for the zero Token;
// ParseToken is its inverse.
func (t Token) String() string {
	if t.IsZero() {
		return NoToken
	}
	s := join(t.Values())
	if strings.EqualFold(s, NoToken) {
		return `\` + s // a token that reads like none is one all the same
	}
	return s
}

// NoToken is how the absence of a token is written in flags and JSON.
const NoToken = "none"

// MarshalText lets a key stand in JSON as its text.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// MarshalText lets a token stand in JSON as its text.
func (t Token) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// ParseKey reads a key as String prints it: the column values separated by
// commas, a comma or backslash inside a value escaped by a backslash.
func ParseKey(cols []Column, s string) (Key, error) {
	vs, err := parse(cols, s)
	if err != nil {
		return Key{}, fmt.Errorf("key %s: %w", quote(s), err)
	}
	return KeyOf(vs...), nil
}

// ParseToken reads a token as String prints it, "none" being the zero Token.
func ParseToken(cols []Column, s string) (Token, error) {
	if strings.EqualFold(s, NoToken) {
		return Token{}, nil
	}
	vs, err := parse(cols, s)
	if err != nil {
		return Token{}, fmt.Errorf("token %s: %w", quote(s), err)
	}
	return TokenOf(vs...), nil
}

// quote quotes what was given, as much of it as a message of one line has room for.
func quote(s string) string { return strconv.Quote(brief(s)) }

func brief(s string) string {
	const room = 60
	n := 0
	for i := range s {
		if n++; n > room {
			return s[:i] + "…"
		}
	}
	return s
}

func parse(cols []Column, s string) ([]Value, error) {
	parts := split(s)
	if len(parts) != len(cols) {
		return nil, fmt.Errorf("it has %d parts, the queue's has %d", len(parts), len(cols))
	}
	vs := make([]Value, len(cols))
	for i, p := range parts {
		v, err := parseValue(cols[i].Type, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cols[i].Name, err)
		}
		vs[i] = v
	}
	return vs, nil
}

var (
	guidForm = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	hexForm  = regexp.MustCompile(`^0[xX]([0-9A-Fa-f]{2})*$`)
)

func parseValue(t Type, s string) (Value, error) {
	switch t {
	case Int:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return Value{}, errors.New("not a whole number")
		}
		return IntValue(n), nil
	case GUID:
		if !guidForm.MatchString(s) {
			return Value{}, errors.New("not a GUID such as 6F9619FF-8B86-D011-B42D-00C04FC964FF")
		}
		return GUIDValue(s), nil
	case Binary:
		if !hexForm.MatchString(s) {
			return Value{}, errors.New("not bytes such as 0x00A1")
		}
		return Value{Binary, "0x" + strings.ToUpper(s[2:])}, nil
	case Text, Time:
		return Value{t, s}, nil
	case Fraction:
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return Value{}, errors.New("not a number")
		}
		return Value{t, s}, nil
	case Opaque:
		return Value{}, errors.New("its type cannot be compared")
	case Null:
	}
	return Value{}, errors.New("its column has no known type")
}

// pack writes each value as type digit, length, colon, text: unambiguous and
// comparable byte by byte.
func pack(vs []Value) string {
	var b strings.Builder
	for _, v := range vs {
		b.WriteByte('0' + byte(v.Type))
		b.WriteString(strconv.Itoa(len(v.Text)))
		b.WriteByte(':')
		b.WriteString(v.Text)
	}
	return b.String()
}

func unpack(s string) []Value {
	var vs []Value
	for s != "" {
		head, rest, ok := strings.Cut(s[1:], ":")
		n, err := strconv.Atoi(head)
		if !ok || err != nil || n < 0 || n > len(rest) {
			return vs
		}
		vs = append(vs, Value{Type(s[0] - '0'), rest[:n]})
		s = rest[n:]
	}
	return vs
}

var escaper = strings.NewReplacer(`\`, `\\`, `,`, `\,`)

func join(vs []Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = escaper.Replace(v.String())
	}
	return strings.Join(parts, ",")
}

func split(s string) []string {
	var (
		parts []string
		b     strings.Builder
	)
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == ',':
			parts = append(parts, b.String())
			b.Reset()
		default:
			b.WriteByte(s[i])
		}
	}
	return append(parts, b.String())
}
