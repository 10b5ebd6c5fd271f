package sqlite

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// busy reports whether another connection holds a lock that will be free again.
func busy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// Fault classifies an error of the driver.
func (d *Dialect) Fault(err error) *model.Fault {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return &model.Fault{Text: err.Error()}
	}
	f := &model.Fault{Code: e.Code(), Text: plain(e)}
	f.Class, f.Cure = class(e.Code())
	if f.Class == model.FaultTarget {
		f.Text = fmt.Sprintf("%s: %s", d.file.path, f.Text)
	}
	if e.Code() == sqlite3.SQLITE_ERROR && strings.HasPrefix(f.Text, "no such ") {
		f.Class, f.Cure = model.FaultReshaped, "the table has changed, or the mapping is not of this table"
	}
	return f
}

// Late reports whether a step that met the error may have been done all the same:
// when the disk fails under a commit, nobody knows what of it was written.
func (d *Dialect) Late(_ store.Stmt, err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_IOERR
}

// codeTail is the result code that the driver appends to its texts.
var codeTail = regexp.MustCompile(`\s*\(\d+\)(\s*\(SQLITE_\w+\))?$`)

// plain is the driver's text without its code and without the general words in
// front of the particular ones.
func plain(e *sqlite.Error) string {
	text := codeTail.ReplaceAllString(e.Error(), "")
	return strings.TrimPrefix(text, "SQL logic error: ")
}

// class gives an error's class and cure by SQLite's result code.
func class(code int) (model.FaultClass, string) {
	switch code {
	case sqlite3.SQLITE_BUSY_SNAPSHOT:
		return model.FaultRaced, "the next try may succeed"
	case sqlite3.SQLITE_READONLY_DBMOVED:
		return model.FaultTarget, "the file was moved or deleted: restart with its new path"
	}
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY:
		return model.FaultBusy, "another process holds the file's write lock; if it was stopped inside a transaction, end it"
	case sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_PROTOCOL:
		return model.FaultRaced, "the next try may succeed"
	case sqlite3.SQLITE_READONLY:
		return model.FaultReadOnly, "the file or its folder takes no writes: check their permissions"
	case sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return model.FaultDenied, "check the permissions of the file and its folder"
	case sqlite3.SQLITE_CANTOPEN:
		return model.FaultTarget, "check the path, and that this user may read the file and write its folder"
	case sqlite3.SQLITE_NOTADB:
		return model.FaultTarget, "the file is no SQLite database, or it is encrypted: name another"
	case sqlite3.SQLITE_CORRUPT:
		return model.FaultTarget, "stop its writers, run PRAGMA integrity_check on a copy, and restore a backup"
	case sqlite3.SQLITE_FULL:
		return model.FaultRefused, "the disk is full: make room; nothing was changed"
	case sqlite3.SQLITE_IOERR:
		return model.FaultTarget, "the disk or its file system failed: look at the system's log"
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG:
		return model.FaultRefused, ""
	case sqlite3.SQLITE_INTERRUPT:
		return model.FaultHung, ""
	}
	return model.FaultOther, ""
}
