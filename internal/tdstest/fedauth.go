package tdstest

import (
	"encoding/binary"
	"net"
)

// packFedAuth is the packet in which a client sends its access token.
const packFedAuth = 8

// The server's word on where a token comes from.
const (
	tokenFedAuthInfo = 0xee
	infoSTS          = 1
	infoSPN          = 2
	optionFedAuth    = 6
)

// federation is what a server says that signs in by access tokens.
type federation struct{ sts, spn string }

// Federate makes the server ask for an access token: by sts it names the token
// service, by spn what the token is to be for. It must be called before the first
// connection.
func (s *Server) Federate(sts, spn string) {
	s.fed = &federation{sts, spn}
}

// token asks the client for its access token and reads it.
func (f *federation) token(c net.Conn) (string, error) {
	sts, spn := ucs2(f.sts), ucs2(f.spn)
	const header = 4 + 2*9 // the number of entries, and two of them
	le := binary.LittleEndian
	info := le.AppendUint32(nil, 2)
	for _, e := range []struct {
		id   byte
		text []byte
		at   int
	}{{infoSTS, sts, header}, {infoSPN, spn, header + len(sts)}} {
		info = append(info, e.id)
		info = le.AppendUint32(info, uint32(len(e.text)))
		info = le.AppendUint32(info, uint32(e.at))
	}
	info = append(append(info, sts...), spn...)
	reply := append(le.AppendUint32([]byte{tokenFedAuthInfo}, uint32(len(info))), info...)
	if err := writeMessage(c, packReply, reply); err != nil {
		return "", err
	}
	m, err := readMessage(c)
	if err != nil || m.kind != packFedAuth || len(m.body) < 8 {
		return "", err
	}
	size := int(le.Uint32(m.body[4:]))
	return fromUCS2(m.body[8:min(8+size, len(m.body))]), nil
}
