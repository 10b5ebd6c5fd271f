package cli

import (
	"cmp"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/store/sqlserver"
	"github.com/leasetop/leasetop/model"
)

// assumedMapping is the mapping of a table on no particular server, by a built-in
// profile.
func assumedMapping(name, table, engine string) (model.Mapping, error) {
	name = cmp.Or(name, config.DefaultProfile)
	t, err := config.ParseTable(table)
	if err != nil {
		return model.Mapping{}, &exit{exitUsage, err}
	}
	shapes, err := profile.Shapes()
	if err != nil {
		return model.Mapping{}, err
	}
	shape, ok := shapes[name]
	if !ok {
		return model.Mapping{}, usage("--profile: unknown profile %q; %s", name, config.Meant(name, profile.Names()))
	}
	m, err := config.Bind(engine, shape, name, "", t)
	if err != nil {
		return model.Mapping{}, &exit{exitUsage, err}
	}
	if engine == config.EngineSQLite && name != profile.Bare {
		embedded(&m)
	}
	return m, nil
}

// embedded declares the times as schema makes them there: whole milliseconds.
func embedded(m *model.Mapping) {
	for role, c := range m.Columns {
		if c.Type == model.Time {
			c.Declared = "INTEGER"
			m.Columns[role] = c
		}
	}
	for i, c := range m.Keys {
		if c.Type == model.Time {
			m.Keys[i].Declared = "INTEGER"
		}
	}
}

// dialect is an engine's statements without a server.
func dialect(engine string) (store.Dialect, error) {
	switch engine {
	case config.EngineSQLite:
		return sqlite.New(sqlite.Options{}), nil
	case config.EngineSQLServer:
		return sqlserver.Dialect{}, nil
	}
	return nil, usage("--engine cannot be %q; write sqlserver or sqlite", engine)
}
