// Package tdstest is a TDS 7.4 server for tests. The real go-mssqldb connects to
// it, over a pipe that works in a synctest bubble or over loopback; it answers by
// script and misbehaves on order: error numbers in every place of a reply, a
// connection that ends before or after the statement, half a packet, silence,
// slow rows. It runs no T-SQL: it shows what was sent, to the letter.
package tdstest

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"testing"
)

// Handler answers a request. It is called from the goroutine of the connection.
type Handler func(Request) Reply

// Server is a TDS server. Its methods are safe for use by several goroutines.
type Server struct {
	t       testing.TB
	handler Handler
	tls     *tls.Config
	fed     *federation

	mu         sync.Mutex
	conns      map[net.Conn]struct{}
	logins     []Login
	requests   []Request
	attentions int
	login      func(Login) *LoginFault
	numbered   int
	mute       bool
	ended      chan struct{}
	running    sync.WaitGroup
}

// New starts a server that answers by the handler. It ends with the test.
func New(t testing.TB, h Handler) *Server {
	t.Helper()
	s := &Server{t: t, handler: h, conns: map[net.Conn]struct{}{}, ended: make(chan struct{})}
	t.Cleanup(s.Close)
	return s
}

// OnLogin decides about every login; nil lets it in.
func (s *Server) OnLogin(f func(Login) *LoginFault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.login = f
}

// Mute makes the server accept new connections and say nothing on them, as a
// machine does whose process hangs.
func (s *Server) Mute(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mute = on
}

func (s *Server) isMute() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mute
}

// LoginFault is how a login fails: with an error, or with silence.
type LoginFault struct {
	Number  int32
	Message string
	Silent  bool // no answer at all, for ever
}

// DSN names the server for a Dialer, without encryption.
const DSN = "sqlserver://sa:secret-Pw1@tdstest:1433?database=Shop&encrypt=disable"

// Dialer connects over a pipe within this process, whatever the address.
func (s *Server) Dialer() Dialer { return Dialer{s} }

// Dialer is a dialer of the driver that reaches a Server without a network.
type Dialer struct{ s *Server }

// HostName is the name under which the driver asks for the server.
func (Dialer) HostName() string { return "tdstest" }

// DialContext gives one end of a new connection.
func (d Dialer) DialContext(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	if !d.s.serve(ours) {
		return nil, errors.New("tdstest: the server is closed")
	}
	return theirs, nil
}

// Listen serves on loopback too and gives its address, host:port.
func (s *Server) Listen() string {
	s.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { l.Close() }) //nolint:errcheck // the test is over
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.serve(c)
		}
	}()
	return l.Addr().String()
}

// serve answers a connection in a goroutine of its own; false: the server is closed.
func (s *Server) serve(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isOver() {
		c.Close() //nolint:errcheck // nobody is there
		return false
	}
	s.conns[c] = struct{}{}
	s.running.Go(func() {
		newSession(s, c).run()
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
	})
	return true
}

// Drop ends every connection that is open now, as a restart of the server does.
func (s *Server) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close() //nolint:errcheck // that is the purpose
	}
}

// Close ends every connection and waits for their goroutines.
func (s *Server) Close() {
	s.mu.Lock()
	if s.isOver() {
		s.mu.Unlock()
		return
	}
	close(s.ended)
	for c := range s.conns {
		c.Close() //nolint:errcheck // that is the purpose
	}
	s.mu.Unlock()
	s.running.Wait()
}

func (s *Server) isOver() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// number gives the next connection its number.
func (s *Server) number() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numbered++
	return s.numbered
}

// Logins are the logins so far, refused ones included.
func (s *Server) Logins() []Login {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Login(nil), s.logins...)
}

// Requests are the statements received so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Forget drops what was recorded, for a test that runs for hours.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.logins = nil, nil
}

// Count is how many statements were received so far.
func (s *Server) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// Open is how many connections are open now.
func (s *Server) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// Attentions is how many statements the client cancelled.
func (s *Server) Attentions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attentions
}

func (s *Server) received(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

func (s *Server) loggedIn(l Login) *LoginFault {
	s.mu.Lock()
	s.logins = append(s.logins, l)
	f := s.login
	s.mu.Unlock()
	if f == nil {
		return nil
	}
	return f(l)
}

func (s *Server) cancelled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attentions++
}
