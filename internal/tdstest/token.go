package tdstest

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Tokens of a reply.
const (
	tokenReturnStatus = 0x79
	tokenColumns      = 0x81
	tokenError        = 0xaa
	tokenLoginAck     = 0xad
	tokenRow          = 0xd1
	tokenEnvChange    = 0xe3
	tokenDone         = 0xfd
	tokenDoneProc     = 0xfe
	tokenDoneInProc   = 0xff
)

// Bits of a DONE.
const (
	doneMore  = 0x01
	doneError = 0x02
	doneCount = 0x10
	doneAttn  = 0x20
)

// writer puts tokens together.
type writer struct{ b []byte }

func (w *writer) u8(v byte)    { w.b = append(w.b, v) }
func (w *writer) u16(v uint16) { w.b = binary.LittleEndian.AppendUint16(w.b, v) }
func (w *writer) u32(v uint32) { w.b = binary.LittleEndian.AppendUint32(w.b, v) }
func (w *writer) u64(v uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, v) }

// short is a text with its length in one byte.
func (w *writer) short(s string) {
	u := ucs2(s)
	w.u8(byte(len(u) / 2)) //nolint:gosec // names of tests are short
	w.b = append(w.b, u...)
}

// long is a text with its length in two bytes.
func (w *writer) long(s string) {
	u := ucs2(s)
	w.u16(uint16(len(u) / 2)) //nolint:gosec // messages of tests are short
	w.b = append(w.b, u...)
}

// sized puts a length of two bytes before what f writes.
func (w *writer) sized(f func(*writer)) {
	var in writer
	f(&in)
	w.u16(uint16(len(in.b))) //nolint:gosec // tokens of tests are short
	w.b = append(w.b, in.b...)
}

func (w *writer) envChange(kind byte, to, from string) {
	w.u8(tokenEnvChange)
	w.sized(func(in *writer) {
		in.u8(kind)
		in.short(to)
		in.short(from)
	})
}

func (w *writer) loginAck() {
	w.u8(tokenLoginAck)
	w.sized(func(in *writer) {
		in.u8(1)
		in.b = binary.BigEndian.AppendUint32(in.b, 0x74000004)
		in.short("tdstest")
		in.b = append(in.b, 16, 0, 0x10, 0)
	})
}

func (w *writer) error(e Error) {
	if e.Class == 0 {
		e.Class = 16
	}
	w.u8(tokenError)
	w.sized(func(in *writer) {
		in.u32(uint32(e.Number)) //nolint:gosec // the same bits
		in.u8(e.State)
		in.u8(e.Class)
		in.long(e.Message)
		in.short("TDSTEST")
		in.short("")
		in.u32(uint32(e.Line)) //nolint:gosec // the same bits
	})
}

func (w *writer) done(token byte, status uint16, rows int) {
	w.u8(token)
	w.u16(status)
	w.u16(0xc1)
	w.u64(uint64(rows)) //nolint:gosec // never negative
}

// kindOf is the type of a column: that of its first value that is not NULL.
func kindOf(rows [][]any, column int) byte {
	for _, r := range rows {
		switch r[column].(type) {
		case nil:
			continue
		case int, int64:
			return typeIntN
		case []byte:
			return typeVarBin
		}
		break
	}
	return typeNVarChar
}

// columns describes a result set: whole numbers as bigint, text as nvarchar(max).
func (w *writer) columns(s Set) []byte {
	kinds := make([]byte, len(s.Columns))
	w.u8(tokenColumns)
	w.u16(uint16(len(s.Columns))) //nolint:gosec // a few dozen
	for i, name := range s.Columns {
		kinds[i] = kindOf(s.Rows, i)
		w.u32(0)
		w.u16(0x09) // nullable, updatable
		w.u8(kinds[i])
		switch kinds[i] {
		case typeIntN:
			w.u8(8)
		case typeVarBin:
			w.u16(math.MaxUint16)
		default:
			w.u16(math.MaxUint16)
			w.b = append(w.b, 0x09, 0x04, 0xd0, 0x00, 0x34)
		}
		w.short(name)
	}
	return kinds
}

func (w *writer) row(kinds []byte, values []any) error {
	w.u8(tokenRow)
	for i, v := range values {
		if err := w.value(kinds[i], v); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) value(kind byte, v any) error {
	switch v := v.(type) {
	case nil:
		if kind == typeIntN {
			w.u8(0)
			return nil
		}
		w.u64(math.MaxUint64)
	case int:
		return w.value(kind, int64(v))
	case int64:
		w.u8(8)
		w.u64(uint64(v)) //nolint:gosec // the same bits
	case string:
		w.parts(ucs2(v))
	case []byte:
		w.parts(v)
	default:
		return fmt.Errorf("tdstest: a column cannot hold a %T", v)
	}
	return nil
}

// parts is a value of any length.
func (w *writer) parts(b []byte) {
	w.u64(uint64(len(b)))
	if len(b) > 0 {
		w.u32(uint32(len(b))) //nolint:gosec // a few megabytes
		w.b = append(w.b, b...)
	}
	w.u32(0)
}
