// Package storetest is the contract of a store as one suite that every dialect
// must pass. A case makes its rows by plain INSERT, past every statement under
// test, and names the operations that it needs, so that it can be skipped with
// its reason where a server cannot run them.
package storetest

import (
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// Bench is what a dialect's test brings: a server to stand on.
type Bench interface {
	// Shapes lists the tables that the dialect can make.
	Shapes() []Shape
	// Can reports whether this server can run an operation and, if not, why.
	Can(op store.Op) (ok bool, why string)
	// Stand gives a database of its own, which goes with the test.
	Stand(t testing.TB) Stand
}

// Stand is one database to make tables in.
type Stand interface {
	// Open opens the database once more, as another process would.
	Open(t testing.TB) *store.DB
	// Dialect is the dialect of the database.
	Dialect() store.Dialect
	// Make makes an empty table and gives its mapping, as a user would write it.
	Make(t testing.TB, s Shape) model.Mapping
	// Insert adds a row by plain INSERT and gives its key, as the bound mapping m types it.
	Insert(t testing.TB, m *model.Mapping, s Seed) model.Key
	// Clear empties a table and its history.
	Clear(t testing.TB, m *model.Mapping)
	// Advance lets time pass for a table: it moves the clock, or every time in the table back.
	Advance(t testing.TB, m *model.Mapping, d time.Duration)
	// Slack is how far the server's clock may run by itself during a case; zero: it stands still.
	Slack() time.Duration
	// Columns names the result's columns of a statement, in order.
	Columns(t testing.TB, s store.Stmt) []string
}

// Shape is a kind of table.
type Shape struct {
	Name    string // of the subtest, such as "bare, text key"
	Profile string // "lease" or "bare"
	Key     model.Type
	Variant string // what else the dialect varies, for itself
}

// Seed is a row to insert. The zero Seed is a ready job without anything else.
type Seed struct {
	Key         model.Value    // zero: the next one
	State       model.State    // zero: ready
	Token       string         // empty: NULL
	Lease       *time.Duration // from now, nil: NULL
	Available   time.Duration  // from now; of tables that have it
	Priority    model.Number   // zero: 100
	Attempts    int64
	MaxAttempts model.Number // zero: 5
	TotalClaims int64
	Claimed     time.Duration // ago; zero: NULL; of tables that have it
	Worker      string
	Error       string
	Payload     string // empty: "{}"
}

// testCase is one promise of the contract.
type testCase struct {
	name  string
	needs []store.Op
	lease bool // only tables of the shipped schema can keep it
	run   func(e *env)
}

// Run holds a dialect to the contract.
func Run(t *testing.T, b Bench) {
	groups := []struct {
		name  string
		cases []testCase
	}{
		{"claim", claimCases()},
		{"hold", holdCases()},
		{"end", endCases()},
		{"recover", recoverCases()},
		{"control", controlCases()},
		{"acts", actCases()},
		{"acts on others", nothingCases()},
		{"pulse", pulseCases()},
		{"page", pageCases()},
		{"lists", listCases()},
		{"told", toldCases()},
		{"brake", brakeCases()},
		{"purge", purgeCases()},
		{"text", textCases()},
		{"together", togetherCases()},
		{"statements", statementCases()},
		{"health", healthCases()},
		{"model", modelCases()},
	}
	for _, shape := range b.Shapes() {
		t.Run(shape.Name, func(t *testing.T) {
			for _, g := range groups {
				for _, c := range g.cases {
					if c.lease && shape.Profile != "lease" {
						continue
					}
					t.Run(g.name+"/"+c.name, func(t *testing.T) {
						t.Parallel()
						skipUnless(t, b, c.needs)
						c.run(newEnv(t, b, shape))
					})
				}
			}
		})
	}
}

// skipUnless skips a case that this server cannot run.
func skipUnless(t *testing.T, b Bench, needs []store.Op) {
	t.Helper()
	for _, op := range needs {
		if ok, why := b.Can(op); !ok {
			t.Skipf("%s: %s", op, why)
		}
	}
}
