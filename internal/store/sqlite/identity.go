package sqlite

import (
	"database/sql/driver"
	"os"
)

// engine is what the driver's connection offers to database/sql.
type engine interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// bound is a connection that knows which file it has open. A file that was removed or
// replaced under its path lives on for whoever has it open: figures from it would be
// of a queue that nobody else sees, and an act on it would be told as applied.
type bound struct {
	engine
	path string
	file os.FileInfo
}

// bind ties a fresh connection to the file at the path. before is what lay there before
// it was opened, nil if nothing did: a file that changes places with another meanwhile
// is then taken for the wrong one of the two, which only opens it again.
func bind(conn driver.Conn, path string, before os.FileInfo) driver.Conn {
	e, ok := conn.(engine)
	if !ok {
		return conn
	}
	if before == nil {
		made, err := os.Stat(path)
		if err != nil {
			return conn // opened, and gone again: nothing tells it apart
		}
		before = made
	}
	return &bound{engine: e, path: path, file: before}
}

// Stands reports whether the path still names the file that is open. Where it names
// another, or none, the call opens what is there or says what is missing.
func (b *bound) Stands() bool {
	now, err := os.Stat(b.path)
	return err == nil && os.SameFile(b.file, now)
}
