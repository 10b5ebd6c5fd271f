package sqlserver

import (
	"context"
	"database/sql"
	"net"
	"time"

	mssql "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/leasetop/leasetop/internal/store"
)

// Dialer opens the connection to a server by its host's name.
type Dialer interface {
	DialContext(ctx context.Context, network, addr string) (net.Conn, error)
}

// Options is what beside the DSN decides how a server is opened.
type Options struct {
	AppName string // what a DBA sees in program_name; empty: leasetop
	Version string // put behind it
	// Password is used where the DSN names none, so that none has to stand on a
	// command line.
	Password string
	// Identity is who a person signed in as, where the DSN wants that.
	Identity *Identity
	// Dialer replaces the network, for tests and tunnels; nil: the network.
	Dialer Dialer
	// Workers bounds the connections for workers' steps; 0: 16.
	Workers int
	// Now is this process's clock, which only the skew is taken from; nil:
	// time.Now.
	Now func() time.Time
}

// Bounds of the pools. Two statements of the watcher may be in flight on one
// server, and one act of an operator.
const (
	readers  = 2
	workers  = 16
	controls = 1
	helds    = 64              // dequeues in a transaction, a connection each for the length of the work
	idle     = 5 * time.Minute // shorter than a firewall's patience
)

// Open makes a server of a DSN in one of its three forms: URL, ADO or odbc. It
// opens no connection. A DSN that cannot be read is a *model.Fault of class
// FaultTarget, with no secret in it.
func Open(dsn string, o Options) (*store.DB, error) {
	cfg, sign, err := parse(dsn, o)
	if err != nil {
		return nil, err
	}
	d := Dialect{encrypted: encrypted(cfg), now: o.Now}
	if d.now == nil {
		d.now = time.Now
	}
	work := o.Workers
	if work <= 0 {
		work = workers
	}
	return store.Open(d, store.Pools{
		Read:    pool(cfg, sign, o.Dialer, readers, false),
		Work:    pool(cfg, sign, o.Dialer, work, true),
		Control: pool(cfg, sign, o.Dialer, controls, true),
		Held:    pool(cfg, sign, o.Dialer, helds, true),
	}), nil
}

// pool gives a fresh pool at each call. A statement that changes something is
// never sent again by the driver.
func pool(cfg msdsn.Config, sign maker, dialer Dialer, conns int, once bool) func() (*sql.DB, error) {
	return func() (*sql.DB, error) {
		mine := cfg
		if once {
			mine.DisableRetry = true
		}
		db := sql.OpenDB(&connector{Connector: mssql.NewConnectorConfig(mine), cfg: mine, sign: sign, dialer: dialer})
		db.SetMaxOpenConns(conns)
		db.SetMaxIdleConns(conns)
		db.SetConnMaxIdleTime(idle)
		return db, nil
	}
}
