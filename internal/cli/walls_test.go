package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/leasetop/leasetop/"

// wall says what a room must never reach, directly or through another package.
// A name that ends in a slash means that package and everything below it.
type wall struct {
	room  string
	never []string
}

// walls are the house rules: who may know whom.
func walls() []wall {
	// Not database/sql/driver: an id's own package names its interfaces.
	stores := []string{module + "internal/store/", "database/sql"}
	quiet := slices.Concat(stores, []string{"charm.land/", module + "ui/", module + "internal/cli"})
	return []wall{
		{room: "model", never: []string{module}},
		{room: "poller", never: quiet},
		{room: "actions", never: quiet},
		{room: "internal/tape", never: quiet},
		{room: "internal/diagnose", never: quiet},
		{room: "internal/worker", never: quiet},
		{room: "internal/drill", never: quiet},
		{room: "internal/text", never: quiet},
		{room: "internal/config", never: quiet},
		{room: "internal/profile", never: quiet},
		{room: "internal/report", never: quiet},
		{room: "ui", never: slices.Concat(stores, []string{"modernc.org/", "github.com/microsoft/", module + "internal/cli"})},
		{room: "themes", never: slices.Concat(stores, []string{module + "ui/", module + "model", module + "internal/cli"})},
		{room: "internal/store", never: []string{"charm.land/", module + "ui/", module + "poller", module + "actions", module + "internal/cli"}},
	}
}

// pkg is one package of the import graph. Deps is everything it reaches.
type pkg struct {
	path    string
	imports []string
	deps    []string
}

// breaches lists where the graph goes through a wall.
func breaches(graph []pkg, walls []wall) []string {
	var out []string
	for _, p := range graph {
		for _, w := range walls {
			if !within(p.path, module+w.room) {
				continue
			}
			for _, dep := range p.deps {
				if forbidden(dep, w) {
					out = append(out, strings.TrimPrefix(p.path, module)+" reaches "+dep)
				}
			}
		}
	}
	return append(out, screensThatMeet(graph)...)
}

func forbidden(dep string, w wall) bool {
	return slices.ContainsFunc(w.never, func(n string) bool {
		below := strings.HasSuffix(n, "/") && within(dep, strings.TrimSuffix(n, "/"))
		return (dep == n || below) && !within(dep, module+w.room)
	})
}

// screensThatMeet lists screens that import each other: what they share belongs
// into ui/kit.
func screensThatMeet(graph []pkg) []string {
	var out []string
	const screens = module + "ui/screens"
	for _, p := range graph {
		for _, i := range p.imports {
			if strings.HasPrefix(p.path, screens+"/") && strings.HasPrefix(i, screens+"/") {
				out = append(out, strings.TrimPrefix(p.path, module)+" imports screen "+strings.TrimPrefix(i, module))
			}
		}
	}
	return out
}

func within(path, room string) bool { return path == room || strings.HasPrefix(path, room+"/") }

// graph is the import graph of the module as the Go command sees it.
func graph(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f",
		`{{.ImportPath}}|{{join .Imports " "}}|{{join .Deps " "}}`, module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var ps []pkg
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		ps = append(ps, pkg{parts[0], strings.Fields(parts[1]), strings.Fields(parts[2])})
	}
	return ps
}

func TestWallsStand(t *testing.T) {
	g := graph(t)
	for _, b := range breaches(g, walls()) {
		t.Error(b)
	}
	for _, w := range walls() {
		if !slices.ContainsFunc(g, func(p pkg) bool { return within(p.path, module+w.room) }) {
			t.Errorf("there is no room %s: its wall guards nothing", w.room)
		}
	}
}

// A wall that cannot fail is none: each of these planted imports must be found.
func TestPlantedImportsAreFound(t *testing.T) {
	for _, c := range []struct {
		planted pkg
		want    string
	}{
		{pkg{path: module + "model", deps: []string{"fmt", module + "internal/text"}}, "model reaches " + module + "internal/text"},
		{pkg{path: module + "poller", deps: []string{"context", "database/sql"}}, "poller reaches database/sql"},
		{pkg{path: module + "poller", deps: []string{module + "internal/store"}}, "poller reaches " + module + "internal/store"},
		{pkg{path: module + "actions", deps: []string{module + "internal/store/sqlite"}}, "actions reaches " + module + "internal/store/sqlite"},
		{pkg{path: module + "internal/worker", deps: []string{"charm.land/bubbletea/v2"}}, "internal/worker reaches charm.land/bubbletea/v2"},
		{pkg{path: module + "ui/screens/queue", deps: []string{"modernc.org/sqlite"}}, "ui/screens/queue reaches modernc.org/sqlite"},
		{pkg{path: module + "internal/store/sqlserver", deps: []string{module + "ui/kit"}}, "internal/store/sqlserver reaches " + module + "ui/kit"},
		{pkg{path: module + "ui/screens/job", imports: []string{module + "ui/screens/queue"}}, "ui/screens/job imports screen ui/screens/queue"},
	} {
		if got := breaches([]pkg{c.planted}, walls()); !slices.Equal(got, []string{c.want}) {
			t.Errorf("found %q, want %q", got, c.want)
		}
	}
	for _, fine := range []pkg{
		{path: module + "modeller", deps: []string{"database/sql"}},
		{path: module + "model", deps: []string{"fmt", "strings"}},
		{path: module + "actions", deps: []string{"database/sql/driver"}},
		{path: module + "internal/store/sqlite", deps: []string{module + "internal/store", "database/sql", module + "model"}},
		{path: module + "ui/screens/job", imports: []string{module + "ui/kit"}, deps: []string{module + "ui/kit", module + "model"}},
	} {
		if got := breaches([]pkg{fine}, walls()); len(got) > 0 {
			t.Errorf("%s is refused: %q", fine.path, got)
		}
	}
}
