// Package profile holds the mappings that leasetop brings along, as files in the
// format in which a user writes his own.
package profile

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/model"
)

// The built-in profiles by name.
const (
	Lease = "lease" // the schema that leasetop ships
	Bare  = "bare"  // the five columns of the lease document

	Destructive = "destructive" // the three columns of the document on a table as a message queue
)

//go:embed *.yaml
var files embed.FS

// Names lists the built-in profiles, the shipped schema first.
func Names() []string { return []string{Lease, Bare, Destructive} }

// Shapes gives every built-in profile by name. They are read once, and nobody may
// change them.
func Shapes() (map[string]config.Shape, error) { return shapes() }

var shapes = sync.OnceValues(func() (map[string]config.Shape, error) {
	out := make(map[string]config.Shape, len(Names()))
	for _, name := range Names() {
		file := name + ".yaml"
		data, err := files.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("built-in profile %s: %w", name, err)
		}
		if out[name], err = config.ParseProfile(file, data); err != nil {
			return nil, fmt.Errorf("built-in profile: %w", err)
		}
	}
	return out, nil
})

// For binds a built-in profile to a table. An empty queue name is the table's
// last part.
func For(name, queue string, table model.Table) (model.Mapping, error) {
	shapes, err := Shapes()
	if err != nil {
		return model.Mapping{}, err
	}
	s, ok := shapes[name]
	if !ok {
		return model.Mapping{}, fmt.Errorf("unknown profile %q; %s", name, config.Meant(name, Names()))
	}
	if queue == "" {
		queue = strings.TrimSpace(table.Name)
	}
	return s.Mapping(name, queue, table)
}
