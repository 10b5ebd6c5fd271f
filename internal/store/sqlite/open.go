package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// Open makes a DB of a file. Nothing is opened before the first call.
//
// The process must not open the file, or the -wal and -shm files beside it, by
// other means: on systems without Linux's file description locks, closing them
// would drop the engine's own locks.
func Open(o Options) (*store.DB, error) {
	d := New(o)
	if o.Path == "" {
		return nil, d.file.fault("no file is named", "name one, as in sqlite:queue.db")
	}
	// Process-wide switches of the driver. Where the system lacks these locks, or
	// the process has opened a file before, the usual ones serve.
	if _, err := sqlite.OFDLocking(true); err != nil && !errors.Is(err, sqlite.ErrOFDLockingUnavailable) && !errors.Is(err, sqlite.ErrOFDLockingTooLate) {
		return nil, d.file.fault(err.Error(), "")
	}
	sqlite.StrictPragmas(true)
	write := func() (*sql.DB, error) { return d.file.pool(true, 1) }
	return store.Open(d, store.Pools{
		Read: func() (*sql.DB, error) { return d.file.pool(false, readers) },
		Work: write, Control: write,
	}), nil
}

// readers is how many statements of the watcher may read at once.
const readers = 2

func (f file) pool(writer bool, conns int) (*sql.DB, error) {
	dsn, err := f.dsn(writer)
	if err != nil {
		return nil, err
	}
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector{Connector: c, file: f, writer: writer})
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// connector opens connections, after a look at what the path names and whether
// the file system can be trusted with locks.
type connector struct {
	driver.Connector
	file   file
	writer bool
}

// Connect opens one connection. Several processes that open a new file at once
// meet each other's lock while the journal is set up, whatever the busy timeout:
// it tries again until the deadline.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := c.file.check(c.writer); err != nil {
		return nil, err
	}
	for {
		before, err := os.Stat(c.file.path)
		if err != nil {
			before = nil
		}
		conn, err := c.Connector.Connect(ctx)
		switch {
		case err == nil:
			return bind(conn, c.file.path, before), nil
		case !busy(err):
			return nil, err
		}
		t := time.NewTimer(time.Duration(rand.Int64N(int64(2*time.Millisecond)) + 1)) //nolint:gosec // spreads waiters, guards nothing
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return nil, ctx.Err()
		}
	}
}

// check looks at the path without opening it.
func (f file) check(writer bool) error {
	abs, err := filepath.Abs(f.path)
	if err != nil {
		return f.fault(err.Error(), "")
	}
	if name, ok := networked(filepath.Dir(abs)); ok {
		return f.fault(fmt.Sprintf("it lies on a network file system (%s), where locks between machines fail and the file is lost sooner or later", name),
			"put it on a local disk, or use a server")
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.create && writer:
		return f.checkFolder(filepath.Dir(abs))
	case errors.Is(err, fs.ErrNotExist):
		return f.fault("there is no such file", "check the path, or make a queue there with leasetop schema --apply")
	case err != nil:
		return f.fault(err.Error(), "")
	case info.IsDir():
		return f.fault("it is a folder", "name the database file in it")
	}
	return nil
}

func (f file) checkFolder(folder string) error {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return f.fault("there is no such folder", "make the folder first")
	}
	return nil
}

// fault is trouble with the file itself.
func (f file) fault(what, cure string) *model.Fault {
	return &model.Fault{Class: model.FaultTarget, Text: fmt.Sprintf("%s: %s", f.path, what), Cure: cure}
}
