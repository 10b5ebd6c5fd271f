package tdstest

import "net"

// session is one connection.
type session struct {
	s    *Server
	c    net.Conn
	id   int
	in   chan message
	gone chan struct{} // closed when the client is

	w   writer // what is not sent yet of the reply in hand
	rpc bool   // the statement in hand came as a call
	err bool   // the last part of the reply was an error
}

func newSession(s *Server, c net.Conn) *session {
	return &session{s: s, c: c, in: make(chan message), gone: make(chan struct{})}
}

// run greets the client and answers until one of both leaves.
func (c *session) run() {
	defer c.c.Close() //nolint:errcheck // the client sees it
	if !c.greet() {
		return
	}
	go c.listen()
	for {
		m, ok := c.next()
		if !ok || !c.answer(m) {
			return
		}
	}
}

// greet takes PRELOGIN, TLS where it is wanted, and LOGIN7.
func (c *session) greet() bool {
	m, err := readMessage(c.c)
	if err != nil || m.kind != packPrelogin {
		return false
	}
	if c.s.isMute() {
		readMessage(c.c) //nolint:errcheck // until the client leaves
		return false
	}
	wish := byte(encryptNotSupported)
	if c.s.tls != nil {
		wish = encryptOn
	}
	if writeMessage(c.c, packReply, prelogin(wish)) != nil {
		return false
	}
	if c.s.tls != nil {
		secured, err := handshake(c.c, c.s.tls)
		if err != nil {
			return false
		}
		c.c = secured
	}
	if m, err = readMessage(c.c); err != nil || m.kind != packLogin {
		return false
	}
	l, err := parseLogin(m.body)
	if err != nil {
		c.s.t.Error(err)
		return false
	}
	if c.s.fed != nil {
		if l.Token, err = c.s.fed.token(c.c); err != nil {
			return false
		}
	}
	c.id = c.s.number()
	f := c.s.loggedIn(l)
	if f == nil {
		return writeMessage(c.c, packReply, welcome(l)) == nil
	}
	if f.Silent {
		readMessage(c.c) //nolint:errcheck // until the client leaves
		return false
	}
	c.w.error(Error{Number: f.Number, Class: 14, State: 1, Message: f.Message})
	c.w.done(tokenDone, doneError, 0)
	c.flush(true)
	return false
}

// listen hears the client while an answer is on its way.
func (c *session) listen() {
	defer close(c.gone)
	for {
		m, err := readMessage(c.c)
		if err != nil {
			return
		}
		select {
		case c.in <- m:
		case <-c.s.ended:
			return
		}
	}
}

func (c *session) next() (message, bool) {
	select {
	case m := <-c.in:
		return m, true
	case <-c.gone:
		return message{}, false
	}
}

// answer answers one message; false: the connection is over.
func (c *session) answer(m message) bool {
	if m.kind == packAttention {
		return c.acknowledge()
	}
	var (
		req Request
		err error
	)
	switch m.kind {
	case packBatch:
		req, err = parseBatch(m.body)
	case packRPC:
		req, err = parseRPC(m.body)
	case packTransact:
		req, err = parseTransaction(m.body)
	}
	if err != nil {
		c.s.t.Error(err)
		return false
	}
	req.Conn, req.Reset = c.id, m.status&resetConn != 0
	c.rpc, c.err = m.kind == packRPC, false
	c.s.received(req)
	for _, p := range c.s.handler(req) {
		if c.err {
			c.step(doneError|doneMore, 0) // the batch runs on
		}
		switch p.send(c) {
		case goOn:
		case answered:
			return true
		case over:
			return false
		}
	}
	if !c.err {
		c.w.transaction(req.Text)
	}
	return c.end()
}

// flow is what comes after a part of a reply.
type flow int

const (
	goOn     flow = iota
	answered      // the client cancelled and got its acknowledgement
	over          // the connection ends
)

// end is the end of a whole reply.
func (c *session) end() bool {
	status := uint16(0)
	if c.err {
		status = doneError
	}
	if c.rpc {
		c.w.u8(tokenReturnStatus)
		c.w.u32(0)
		c.w.done(tokenDoneProc, status, 0)
	} else {
		c.w.done(tokenDone, status, 0)
	}
	return c.flush(true)
}

// step is the end of one statement of a batch.
func (c *session) step(status uint16, rows int) {
	token := byte(tokenDone)
	if c.rpc {
		token = tokenDoneInProc
	}
	c.w.done(token, status, rows)
	c.err = false
}

// acknowledge answers a client that cancels.
func (c *session) acknowledge() bool {
	c.s.cancelled()
	c.w.done(tokenDone, doneAttn, 0)
	return c.flush(true)
}

// flush sends what was put together so far.
func (c *session) flush(last bool) bool {
	body := c.w.b
	c.w.b = nil
	if len(body) == 0 && !last {
		return true
	}
	ps := packets(packReply, body)
	if !last {
		ps[len(ps)-1][1] = 0
	}
	for _, p := range ps {
		if _, err := c.c.Write(p); err != nil {
			return false
		}
	}
	return true
}
