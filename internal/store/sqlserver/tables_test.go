package sqlserver

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
)

// tables are those that the cases of a bench work in. A table is emptied and taken
// again, and dropped only when all cases are over: Babelfish's views of columns and
// indexes look into every table there is, and fail, or take the whole server down,
// where one of them is being dropped.
type tables struct {
	mu   sync.Mutex
	made []string
	free map[string][]string // by shape
}

// take gives a table of a shape that nobody works in, or the name of one to be made.
func (s *tables) take(t testing.TB, shape string) (name string, found bool) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if free := s.free[shape]; len(free) > 0 {
		name, found, s.free[shape] = free[len(free)-1], true, free[:len(free)-1]
	} else {
		name = fmt.Sprintf("leasetop_%d_%d", os.Getpid(), len(s.made)+1)
		s.made = append(s.made, name)
	}
	t.Cleanup(func() {
		if t.Failed() {
			return // nobody knows what was left behind in it
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.free == nil {
			s.free = map[string][]string{}
		}
		s.free[shape] = append(s.free[shape], name)
	})
	return name, found
}

// companions are what a table's name is followed by in the tables that belong to it.
func companions() []string { return []string{"", "_History", "_Control", "_Dead"} }

// newBench is a bench on the server of a DSN, whose tables go with the test.
func newBench(t *testing.T, dsn string) *bench {
	t.Helper()
	raw := rawDB(t, dsn)
	b := &bench{dsn: dsn, raw: raw, db: openDB(t, dsn)}
	t.Cleanup(func() {
		b.tables.mu.Lock()
		defer b.tables.mu.Unlock()
		for _, name := range b.tables.made {
			b.drop(t, name)
		}
	})
	b.caps = b.look(t)
	t.Logf("%s %s", b.caps.Engine, b.caps.Version)
	return b
}

// drop drops a table and those that belong to it.
func (b *bench) drop(t testing.TB, name string) {
	t.Helper()
	for _, c := range companions() {
		if _, err := b.raw.ExecContext(context.Background(), "DROP TABLE IF EXISTS dbo."+quote(name+c)); err != nil {
			t.Errorf("%s is left behind: %v", name+c, err)
		}
	}
}
