package tdstest

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
)

// Login is what a client says of itself.
type Login struct {
	Host, User, Password, App, Server, Database string

	ReadOnly bool   // it means only to read: ApplicationIntent=ReadOnly
	Token    string // its access token, where the server federates
}

// Values of the option ENCRYPTION in a PRELOGIN.
const (
	encryptOn           = 1
	encryptNotSupported = 2
	optionVersion       = 0
	optionEncryption    = 1
	optionEnd           = 0xff
	typeFlags           = 26 // where LOGIN7 has them
	flagReadOnly        = 0x20
)

// prelogin is the server's answer to a PRELOGIN: its version, its wish, and that it
// takes access tokens.
func prelogin(encryption byte) []byte {
	const options = 3*5 + 1
	b := []byte{
		optionVersion, 0, options, 0, 6,
		optionEncryption, 0, options + 6, 0, 1,
		optionFedAuth, 0, options + 7, 0, 1,
		optionEnd,
		16, 0, 0x10, 0, 0, 0,
	}
	return append(b, encryption, 0)
}

// parseLogin reads a LOGIN7.
func parseLogin(b []byte) (Login, error) {
	const fixed = 94
	if len(b) < fixed {
		return Login{}, errors.New("tdstest: short LOGIN7")
	}
	bad := false
	field := func(at int) []byte {
		from := int(binary.LittleEndian.Uint16(b[at:]))
		to := from + 2*int(binary.LittleEndian.Uint16(b[at+2:]))
		if from > to || to > len(b) {
			bad = true
			return nil
		}
		return b[from:to]
	}
	password := append([]byte(nil), field(44)...)
	for i, c := range password {
		c ^= 0xa5
		password[i] = c<<4 | c>>4
	}
	l := Login{
		Host: fromUCS2(field(36)), User: fromUCS2(field(40)), Password: fromUCS2(password),
		App: fromUCS2(field(48)), Server: fromUCS2(field(52)), Database: fromUCS2(field(68)),
		ReadOnly: b[typeFlags]&flagReadOnly != 0,
	}
	if bad {
		return l, errors.New("tdstest: bad LOGIN7")
	}
	return l, nil
}

// welcome lets a login in.
func welcome(l Login) []byte {
	var w writer
	w.envChange(1, l.Database, "master")
	w.envChange(4, "4096", "4096")
	w.loginAck()
	w.done(tokenDone, 0, 0)
	return w.b
}

// handshake wraps TLS into PRELOGIN packets, as the protocol wants it, and gives
// the connection that is to be used from then on.
func handshake(c net.Conn, config *tls.Config) (net.Conn, error) {
	w := &wrapped{Conn: c}
	t := tls.Server(w, config)
	if err := t.Handshake(); err != nil {
		return nil, err
	}
	w.plain = true
	return t, nil
}

// wrapped is a connection whose bytes travel in PRELOGIN packets until plain.
type wrapped struct {
	net.Conn
	rest  []byte
	plain bool
}

// Read gives the bytes of PRELOGIN packets.
func (w *wrapped) Read(b []byte) (int, error) {
	if w.plain && len(w.rest) == 0 {
		return w.Conn.Read(b)
	}
	if len(w.rest) == 0 {
		m, err := readMessage(w.Conn)
		if err != nil {
			return 0, err
		}
		w.rest = m.body
	}
	n := copy(b, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// Write puts the bytes into PRELOGIN packets.
func (w *wrapped) Write(b []byte) (int, error) {
	if w.plain {
		return w.Conn.Write(b)
	}
	return len(b), writeMessage(w.Conn, packPrelogin, b)
}
