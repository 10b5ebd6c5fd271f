package sqlserver

import (
	"context"
	"database/sql/driver"
	"net"
	"sync"
	"sync/atomic"

	mssql "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/msdsn"
)

// connector makes connections that can be thrown away while the driver still reads
// from them. The driver's own Close gives the connection's buffer back for reuse
// first and closes the socket then: what a reader that is still at work finds in
// the buffer, or puts there, is another connection's.
type connector struct {
	*mssql.Connector // what the settings make; it dials nothing itself
	cfg              msdsn.Config
	sign             maker
	dialer           Dialer // nil: the network
}

// Connect opens a connection and keeps hold of its socket.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	t := &tap{dialer: c.dialer, plain: net.Dialer{KeepAlive: c.cfg.KeepAlive}}
	inner, err := c.sign(c.cfg)
	if err != nil {
		return nil, err
	}
	inner.Dialer = t
	if c.dialer != nil {
		inner.Dialer = hostDialer{t, c.cfg.Host}
	}
	got, err := inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	mc, ok := got.(*mssql.Conn)
	if !ok {
		return got, nil
	}
	return &conn{Conn: mc, tap: t}, nil
}

// tap is a dialer that remembers what it opened: more than one socket where a name
// has several addresses.
type tap struct {
	dialer Dialer
	plain  net.Dialer

	mu   sync.Mutex
	open []net.Conn
}

// DialContext opens a socket.
func (t *tap) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	dial := t.plain.DialContext
	if t.dialer != nil {
		dial = t.dialer.DialContext
	}
	c, err := dial(ctx, network, addr)
	if err == nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.open = append(t.open, c)
	}
	return c, err
}

func (t *tap) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.open {
		c.Close() //nolint:errcheck // the driver has closed the others already
	}
}

// hostDialer tells the driver to leave the name of the host to the dialer.
type hostDialer struct {
	*tap
	host string
}

// HostName is the server's name, unresolved.
func (d hostDialer) HostName() string { return d.host }

// conn is a connection of the driver with its sockets.
type conn struct {
	*mssql.Conn
	tap       *tap
	discarded atomic.Bool
}

// Discard ends whatever waits for the server, and makes Close leave the driver's
// buffer to the reader that may still use it.
func (c *conn) Discard() {
	c.discarded.Store(true)
	c.tap.close()
}

// Close ends the connection.
func (c *conn) Close() error {
	if c.discarded.Load() {
		return nil
	}
	return c.Conn.Close()
}
