package tdstest

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf16"
)

// Request is one statement as it arrived.
type Request struct {
	Conn   int     // which connection of the server, counted from 1
	Text   string  // the statement
	Params []Param // nil: a plain batch
	Reset  bool    // the pool gave the connection to another user before it
}

// Param is a parameter as it arrived: Declared is the type in the declaration of
// sp_executesql, Value is nil, int64, float64, bool, string or []byte.
type Param struct {
	Name     string
	Declared string
	Value    any
}

// Param finds a parameter's value by name; nil where it is NULL or absent.
func (r Request) Param(name string) any {
	for _, p := range r.Params {
		if p.Name == name {
			return p.Value
		}
	}
	return nil
}

// parseBatch reads a plain batch.
func parseBatch(b []byte) (Request, error) {
	r := reader{b: b}
	r.headers()
	return Request{Text: fromUCS2(r.rest())}, r.err
}

// executeSQL is the number of sp_executesql.
const executeSQL = 10

// parseRPC reads a call of sp_executesql.
func parseRPC(b []byte) (Request, error) {
	r := reader{b: b}
	r.headers()
	if r.u16() != math.MaxUint16 || r.u16() != executeSQL {
		return Request{}, fmt.Errorf("tdstest: only sp_executesql is known")
	}
	r.u16() // option flags
	var params []Param
	for len(r.b) > 0 && r.err == nil {
		params = append(params, r.param())
	}
	if r.err != nil || len(params) < 2 {
		return Request{}, fmt.Errorf("tdstest: bad RPC: %w", r.err)
	}
	text, _ := params[0].Value.(string)
	declared, _ := params[1].Value.(string)
	req := Request{Text: text, Params: params[2:]}
	for i, d := range declarations(declared) {
		if i < len(req.Params) {
			req.Params[i].Declared = d
		}
	}
	return req, nil
}

// declarations cuts "@a bigint,@b varchar(36)" into types; no comma of ours stands
// within a type.
func declarations(s string) []string {
	var out []string
	depth, from := 0, 0
	cut := func(to int) {
		part := s[from:to]
		for i := range part {
			if part[i] == ' ' {
				out = append(out, part[i+1:])
				break
			}
		}
		from = to + 1
	}
	for i := range s {
		switch {
		case s[i] == '(':
			depth++
		case s[i] == ')':
			depth--
		case s[i] == ',' && depth == 0:
			cut(i)
		}
	}
	if s != "" {
		cut(len(s))
	}
	return out
}

// reader takes a message apart; after an error it gives zeros.
type reader struct {
	b   []byte
	err error
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.b, r.err = nil, fmt.Errorf("%d bytes are missing", n-len(r.b))
		return make([]byte, max(n, 0)&0xffff)
	}
	p := r.b[:n]
	r.b = r.b[n:]
	return p
}

func (r *reader) rest() []byte { return r.take(len(r.b)) }
func (r *reader) u8() byte     { return r.take(1)[0] }
func (r *reader) u16() uint16  { return binary.LittleEndian.Uint16(r.take(2)) }
func (r *reader) u32() uint32  { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) u64() uint64  { return binary.LittleEndian.Uint64(r.take(8)) }

// headers skips ALL_HEADERS.
func (r *reader) headers() { r.take(int(r.u32()) - 4) }

// Types of parameters.
const (
	typeNull     = 0x1f
	typeIntN     = 0x26
	typeBitN     = 0x68
	typeFloatN   = 0x6d
	typeVarBin   = 0xa5
	typeVarChar  = 0xa7
	typeNVarChar = 0xe7
	collation    = 5
)

func (r *reader) param() Param {
	name := fromUCS2(r.take(2 * int(r.u8())))
	if name != "" && name[0] == '@' {
		name = name[1:]
	}
	r.u8() // status
	return Param{Name: name, Value: r.value()}
}

func (r *reader) value() any {
	switch kind := r.u8(); kind {
	case typeNull:
		return nil
	case typeIntN, typeBitN, typeFloatN:
		r.u8()
		return number(kind, r.take(int(r.u8())))
	case typeVarChar, typeNVarChar:
		size := r.u16()
		r.take(collation)
		b, null := r.bytes(size)
		switch {
		case null:
			return nil
		case kind == typeNVarChar:
			return fromUCS2(b)
		}
		return string(b)
	case typeVarBin:
		b, null := r.bytes(r.u16())
		if null {
			return nil
		}
		return b
	default:
		r.err = fmt.Errorf("parameter type 0x%02x is not known here", kind)
	}
	return nil
}

func number(kind byte, b []byte) any {
	if len(b) == 0 {
		return nil
	}
	var n uint64
	for i, c := range b {
		n |= uint64(c) << (8 * i)
	}
	switch {
	case kind == typeBitN:
		return n != 0
	case kind == typeFloatN && len(b) == 8:
		return math.Float64frombits(n)
	}
	shift := 64 - 8*len(b)
	return int64(n<<shift) >> shift //nolint:gosec // the sign is wanted
}

// bytes reads a value of a declared size, or one in parts where that is the
// largest there is.
func (r *reader) bytes(declared uint16) (b []byte, null bool) {
	if declared != math.MaxUint16 {
		n := r.u16()
		if n == math.MaxUint16 {
			return nil, true
		}
		return r.take(int(n)), false
	}
	if r.u64() == math.MaxUint64 {
		return nil, true
	}
	for {
		n := r.u32()
		if n == 0 || r.err != nil {
			return b, false
		}
		b = append(b, r.take(int(n))...)
	}
}

func fromUCS2(b []byte) string {
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(u))
}

func ucs2(s string) []byte {
	u := utf16.Encode([]rune(s))
	b := make([]byte, 0, 2*len(u))
	for _, c := range u {
		b = binary.LittleEndian.AppendUint16(b, c)
	}
	return b
}
