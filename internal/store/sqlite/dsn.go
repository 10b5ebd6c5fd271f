package sqlite

import (
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// Synchronous is how far a commit is written before it is believed.
type Synchronous string

// The levels. Normal survives the death of every process; Full survives the loss
// of power too and costs three quarters of the claims a second.
const (
	Normal Synchronous = "NORMAL"
	Full   Synchronous = "FULL"
)

// Options say which file is opened and how.
type Options struct {
	Path        string           // as the user named it; relative to the working folder
	Create      bool             // make the file if it is missing; its journal becomes a WAL, so that readers and writers do not wait for each other
	Now         func() time.Time // the server's clock; nil: this machine's
	Synchronous Synchronous      // empty: Normal
}

// file is a database file and how its connections are set up.
type file struct {
	path   string // as the user named it
	create bool
	sync   Synchronous
}

func (o Options) file() file {
	f := file{path: o.Path, create: o.Create, sync: o.Synchronous}
	if f.sync == "" {
		f.sync = Normal
	}
	return f
}

// dsn is the connection string of a writer or a reader. It is always a file URL
// with an escaped path: in a bare path a "#", "?" or "%" opens another file, and
// the mode is ignored.
//
// Writers wait for the write lock in Go (busy_timeout 0), which is fairer, can be
// cancelled and follows a test's clock. Readers wait in the engine, which only
// happens while another process recovers the file or switches its journal.
func (f file) dsn(writer bool) (string, error) {
	abs, err := filepath.Abs(f.path)
	if err != nil {
		return "", err
	}
	path := filepath.ToSlash(abs)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive
	}
	q := url.Values{"_dqs": {"0"}, "_error_rc": {"1"}, "mode": {"rw"}}
	if f.create && writer {
		q.Set("mode", "rwc")
	}
	pragmas := []string{"synchronous(" + string(f.sync) + ")", "journal_size_limit(67108864)", "foreign_keys(1)"}
	if writer {
		q.Set("_busy_timeout", "0")
		if f.create {
			pragmas = append([]string{"journal_mode(WAL)"}, pragmas...)
		}
	} else {
		q.Set("_busy_timeout", "1000")
		q.Set("_query_only", "1")
	}
	q["_pragma"] = pragmas
	u := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	return u.String(), nil
}
