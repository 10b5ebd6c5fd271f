package model

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Fence says how an operator's act replaces the token of a claim, so that the old
// worker's completion is refused.
type Fence uint8

// The ways. The zero Fence is none: no act on such a table is offered.
const (
	FenceNone    Fence = iota // nothing that the column can hold would tell the act from a claim
	FenceWritten              // the act's id, in the form of the column: finding it there proves the act
	FenceMade                 // the server makes a new one at every change of the row (rowversion); nothing is written
	FenceCleared              // a time: NULL, which no worker's completion matches, as on a row that was never claimed
)

// What an act's id takes.
const (
	idBytes   = 16
	idLetters = 36
)

// Fence is how an act replaces a token of the column and, where it cannot, why.
func (c Column) Fence() (how Fence, why string) {
	base, width := c.base()
	no := func(why string) (Fence, string) {
		return FenceNone, fmt.Sprintf("the token column %s is %s: %s", c.Name, c.Declared, why)
	}
	switch c.Type {
	case GUID:
		return FenceWritten, ""
	case Time:
		return FenceCleared, ""
	case Binary:
		switch {
		case base == "rowversion", base == "timestamp":
			return FenceMade, ""
		case width < idBytes:
			return no("an act's id has 16 bytes and does not fit, so no act could give it a token of its own")
		}
		return FenceWritten, ""
	case Text:
		switch {
		case c.incomparable():
			return no("the server cannot compare it, so no statement could match a claim")
		case width < idLetters:
			return no("an act's id has 36 characters and does not fit, so no act could give it a token of its own")
		}
		return FenceWritten, ""
	case Int:
		if base == "bigint" || base == "integer" {
			return FenceWritten, ""
		}
		return no("it is too narrow for a number that tells an act from every claim; bigint is wide enough")
	case Fraction, Opaque, Null:
	}
	return no("no act could give it a token of its own")
}

// NewToken is the token that an act writes: its id as a GUID or as text; its sixteen
// bytes in the order in which the id is read, filled with zeros up to the width of a
// binary(n); or, in a bigint, the number of its last 62 bits, which is positive, chosen
// by chance and leaves room for those who count on from it. It is zero where the act
// writes none.
func (c Column) NewToken(actionID string) Token {
	if how, _ := c.Fence(); how != FenceWritten {
		return Token{}
	}
	digits := strings.ToUpper(strings.ReplaceAll(actionID, "-", ""))
	switch c.Type {
	case Binary:
		if base, width := c.base(); base == "binary" && width > idBytes {
			digits += strings.Repeat("00", width-idBytes)
		}
		return TokenOf(Value{Binary, "0x" + digits})
	case Int:
		id, err := hex.DecodeString(digits)
		if err != nil || len(id) != idBytes {
			return Token{}
		}
		return TokenOf(IntValue(int64(binary.BigEndian.Uint64(id[8:]) & (1<<62 - 1)))) //nolint:gosec // 62 bits
	case Text:
		return TokenOf(TextValue(strings.ToUpper(actionID)))
	case GUID, Time, Fraction, Opaque, Null:
	}
	return TokenOf(GUIDValue(actionID))
}

// base is a declared type without its width, and the width; a type without one is as
// wide as can be.
func (c Column) base() (base string, width int) {
	const widest = 1 << 30
	base, rest, _ := strings.Cut(strings.ToLower(c.Declared), "(")
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(rest, ")")))
	if err != nil {
		n = widest
	}
	return strings.TrimSpace(base), n
}

// Exclusive reports whether no two claims can carry the same token of the column by
// chance, as a count or a time can.
func (c Column) Exclusive() bool { return c.Type != Int && c.Type != Time }

// TokenIsLease reports whether one column is both, so that each heartbeat replaces the
// token.
func (m *Mapping) TokenIsLease() bool {
	return m.Has(RoleToken) && m.Column(RoleToken).Name == m.Column(RoleLease).Name
}

// Extendable is why no later lease can be given while the token stays, empty where it
// can.
func (m *Mapping) Extendable() (why string) {
	token := m.Column(RoleToken)
	switch how, _ := token.Fence(); {
	case m.TokenIsLease():
		return fmt.Sprintf("%s is the lease and the token in one: a later lease would take the job from its worker", token.Name)
	case how == FenceMade:
		return fmt.Sprintf("%s is a rowversion, which every change of the row replaces: a later lease would take the job from its worker", token.Name)
	}
	return ""
}

// Scale is how finely a column of times tells them apart; a type that is none of the
// server's tells milliseconds.
func (c Column) Scale() time.Duration {
	base, width := c.base()
	switch base {
	case "datetime":
		return time.Second / 300
	case "smalldatetime":
		return time.Minute
	case "date":
		return 24 * time.Hour
	case "datetime2", "datetimeoffset":
		scale := time.Second
		for range min(width, 7) {
			scale /= 10
		}
		return scale
	}
	return time.Millisecond
}

// Danger is what can follow from an act on this queue, which is then only printed for
// somebody who knows that the worker is gone, and never sent; empty where acts are safe.
func (m *Mapping) Danger() string {
	const twice = "a worker that is still at it completes or removes the job that another one holds by then"
	switch how, why := m.Column(RoleToken).Fence(); {
	case m.Family == Unfenced:
		return "the queue is unfenced: a completion names no token, so " + twice
	case m.Family == Fenced && m.Has(RoleToken) && how == FenceNone:
		return why + ", so the token stays, and " + twice
	}
	return ""
}

// TellsClaims reports whether a statement can match a row's token.
func (m *Mapping) TellsClaims() bool {
	c := m.Column(RoleToken)
	return m.Has(RoleToken) && !c.incomparable()
}

// incomparable reports whether the server compares no value of the column.
func (c Column) incomparable() bool {
	base, _ := c.base()
	return c.Type == Opaque || c.Type == Null || c.Type == Text && (base == "text" || base == "ntext" || base == "xml")
}
