package cli

import (
	"path/filepath"

	"github.com/leasetop/leasetop/internal/config"
)

// place is a server as later processes are told of it, so that what one of them left
// unresolved is looked up, or gone on with, there and nowhere else. A name alone tells
// little: two files may call two servers alike.
type place struct {
	name    string // as it is configured; a file without a name: its whole path
	address string // host, port and database, or the whole path of the file
}

func placeOf(s *config.Server) place {
	p := place{name: s.Name, address: s.Target.String()}
	if s.Target.Engine != config.EngineSQLite {
		return p
	}
	// The same few words mean another file in another folder.
	path, err := filepath.Abs(s.Target.Path)
	if err != nil {
		return p
	}
	p.address = path
	if s.Name == s.Target.Path {
		p.name = path
	}
	return p
}

// is reports whether the server is the one that was written down. What was written
// before addresses were is told by the name.
func (p place) is(name, address string) bool {
	return name == p.name && (address == "" || address == p.address)
}

// String is the server for eyes.
func (p place) String() string {
	if p.name == p.address || p.address == "" {
		return p.name
	}
	return p.name + " (" + p.address + ")"
}
