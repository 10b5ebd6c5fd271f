package tdstest

import (
	"encoding/binary"
	"io"
	"net"
)

// Types of packets.
const (
	packBatch     = 1
	packRPC       = 3
	packReply     = 4
	packAttention = 6
	packTransact  = 14
	packLogin     = 16
	packPrelogin  = 18
)

const (
	headerSize = 8
	packetSize = 4096
	lastPacket = 1
	resetConn  = 8 // the pool gave the connection to another user
)

// message is what the client sent in one or more packets.
type message struct {
	kind   byte
	status byte // of the first packet
	body   []byte
}

// readMessage reads packets up to the last one of a message.
func readMessage(r io.Reader) (message, error) {
	var m message
	for first := true; ; first = false {
		var h [headerSize]byte
		if _, err := io.ReadFull(r, h[:]); err != nil {
			return m, err
		}
		if first {
			m.kind, m.status = h[0], h[1]
		}
		size := int(binary.BigEndian.Uint16(h[2:])) - headerSize
		if size < 0 {
			return m, io.ErrUnexpectedEOF
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(r, body); err != nil {
			return m, err
		}
		m.body = append(m.body, body...)
		if h[1]&lastPacket != 0 {
			return m, nil
		}
	}
}

// packets cuts a message into packets.
func packets(kind byte, body []byte) [][]byte {
	var out [][]byte
	for id := byte(1); ; id++ {
		n := min(len(body), packetSize-headerSize)
		p := make([]byte, headerSize, headerSize+n)
		p[0], p[6] = kind, id
		binary.BigEndian.PutUint16(p[2:], uint16(headerSize+n)) //nolint:gosec // at most packetSize
		p = append(p, body[:n]...)
		body = body[n:]
		if len(body) == 0 {
			p[1] = lastPacket
			return append(out, p)
		}
		out = append(out, p)
	}
}

func writeMessage(c net.Conn, kind byte, body []byte) error {
	for _, p := range packets(kind, body) {
		if _, err := c.Write(p); err != nil {
			return err
		}
	}
	return nil
}
