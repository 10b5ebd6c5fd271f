package scratch

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlserver"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// server is a SQL Server on which every statement finds one row. It keeps what it is
// told to make and to drop.
type server struct {
	*tdstest.Server
	babelfish any    // its version; nil: it is none
	onClaim   func() // called when somebody claims

	mu          sync.Mutex
	made, gone  []string
	made1, text string // the first name, and the whole statement that made it
}

var (
	makes = regexp.MustCompile(`CREATE TABLE \[dbo\]\.\[(\w+)\]`)
	drops = regexp.MustCompile(`DROP TABLE IF EXISTS \[dbo\]\.\[(\w+)\]`)
)

func newServer(t *testing.T) (*server, Place) {
	s := &server{onClaim: func() {}}
	s.Server = tdstest.New(t, func(r tdstest.Request) tdstest.Reply { return s.answer(t, r) })
	return s, Place{Schema: "dbo", Open: func(func() time.Time) (*store.DB, error) {
		return sqlserver.Open(tdstest.DSN, sqlserver.Options{Dialer: s.Dialer()})
	}}
}

// answer knows the statements by the columns that they ask for.
func (s *server) answer(t *testing.T, r tdstest.Request) tdstest.Reply {
	const now = "2026-03-01T12:00:00"
	s.note(r.Text)
	m := mappingOf(t, "x")
	if set, ok := tdstest.Catalog(r, &m, now); ok {
		return set
	}
	if slices.ContainsFunc(r.Params, func(p tdstest.Param) bool { return p.Name == "lease_ms" }) {
		s.onClaim()
	}
	return tdstest.Reply{tdstest.Rows(
		[]string{
			"now", "version", "babelfish", "database", "login", "rcsi", "level", "updateability", "object_id", "type", "rows", "insert", "delete",
			"history_id", "history_select", "history_insert", "history_delete", "braked", "key", "token", "lease", "attempts", "max_attempts", "payload",
		},
		[]any{
			now, "16.0.1", s.babelfish, "Shop", "ops", 1, 160, "READ_WRITE", 42, "U ", 9, 1, 1,
			43, 1, 1, 1, 0, 7, "9F3CA100-0000-4000-8000-000000000001", now, 1, 5, "{}",
		},
	)}
}

func (s *server) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range makes.FindAllStringSubmatch(text, -1) {
		s.made = append(s.made, m[1])
		if s.made1 == "" {
			s.made1, s.text = m[1], text
		}
	}
	for _, m := range drops.FindAllStringSubmatch(text, -1) {
		s.gone = append(s.gone, m[1])
	}
}

// leftOver are the tables that were made and not dropped.
func (s *server) leftOver() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.made), func(name string) bool { return slices.Contains(s.gone, name) })
}

// A drill on a server makes tables by the statement of the shipped schema, under names
// that say what they are, and drops them when it is stopped in the midst of a claim.
func TestADrillOnAServerDropsWhatItMade(t *testing.T) {
	s, place := newServer(t)
	lab, err := On(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	if e := lab.Engine(); e.Locking != LockingReal || e.Name != sqlserver.Engine || e.Clock {
		t.Errorf("the engine is %+v", e)
	}
	m := mappingOf(t, s.made1)
	m.Table.Schema, m.History.Schema, m.Brake.Schema = "dbo", "dbo", "dbo"
	shown, err := store.Schema(sqlserver.Dialect{}, &m)
	if err != nil || shown.Text != s.text {
		t.Errorf("made by\n%s\nwant, %v\n%s", s.text, err, shown.Text)
	}
	ctx, stop := context.WithCancel(t.Context())
	s.onClaim = stop
	_, err = drill.Run(ctx, lab, drill.Options{Claimers: 2, Jobs: 1, Only: []string{"claims-not-shared"}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	s.mu.Lock()
	made := slices.Clone(s.made)
	s.mu.Unlock()
	if len(made) != 6 { // three of the probe and three of the scene
		t.Errorf("made are %v", made)
	}
	for _, name := range made {
		if !store.IsScratch(model.Table{Name: name}) {
			t.Errorf("%s does not say that it is a scratch table", name)
		}
	}
	if left := s.leftOver(); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// A server on which nothing can be claimed is no place for a drill: it says why at
// once, and nothing is left there.
func TestAServerThatCannotClaim(t *testing.T) {
	s, place := newServer(t)
	s.babelfish = "4.3.0"
	_, err := On(t.Context(), place)
	var f *model.Fault
	if !errors.As(err, &f) || f.Op != OpFit || !strings.Contains(f.Text, "lock hints") || f.Cure == "" {
		t.Errorf("it says %v", err)
	}
	if len(s.made) != 3 || len(s.leftOver()) > 0 {
		t.Errorf("made are %v, left are %v", s.made, s.leftOver())
	}
}
