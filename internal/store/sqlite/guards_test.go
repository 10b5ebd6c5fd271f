package sqlite_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlite"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

// brokenBench is the bench with one operation's statement changed.
type brokenBench struct {
	bench
	op   store.Op
	edit func(text string) string
}

func (b brokenBench) Stand(t testing.TB) storetest.Stand {
	s, ok := b.bench.Stand(t).(*stand)
	if !ok {
		t.Fatal("the bench gives another stand")
	}
	return brokenStand{s, b}
}

type brokenStand struct {
	*stand
	b brokenBench
}

func (s brokenStand) Open(t testing.TB) *store.DB {
	db := sqlite.OpenBroken(s.options(), func(st *store.Stmt) {
		if st.Op != s.b.op {
			return
		}
		texts := slices.Clone(st.Texts)
		for i := range texts {
			texts[i] = s.b.edit(texts[i])
		}
		st.Texts = texts
	})
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

// guards are the conditions of a step on one row, beside its key.
var guards = map[string]*regexp.Regexp{
	"the token":    regexp.MustCompile(`\n\s+AND "ClaimToken" = @token[^\n;]*`),
	"no token":     regexp.MustCompile(`\n\s+AND "ClaimToken" IS NULL`),
	"the state":    regexp.MustCompile(`\n\s+AND "State" = (@state|'[A-Z]')`),
	"the lease":    regexp.MustCompile(`\n\s+AND "LeaseUntil" < [^\n;]*`),
	"the attempts": regexp.MustCompile(`\n\s+AND "Attempts" >= "MaxAttempts"`),
}

// TestEveryGuardIsHeld takes each condition of each step on one row away in turn,
// and holds that the contract notices. What it does not notice, nothing would.
func TestEveryGuardIsHeld(t *testing.T) {
	lease := []string{"the token", "the state", "the lease"}
	fence := []string{"the token", "the state"}
	unclaimed := []string{"no token", "the state"}
	for op, names := range map[store.Op][]string{
		store.OpReclaim: lease, store.OpForce: fence, store.OpExtend: lease, store.OpGrant: append([]string{"the attempts"}, lease...),
		store.OpDeadLetter: fence, store.OpDeadLetterUnclaimed: unclaimed, store.OpRequeue: fence, store.OpRequeueUnclaimed: unclaimed,
		store.OpHeartbeat: fence, store.OpComplete: fence, store.OpFail: fence, store.OpRelease: fence,
	} {
		for _, name := range names {
			t.Run(string(op)+" without "+name, func(t *testing.T) {
				t.Parallel()
				cut := 0
				b := brokenBench{op: op, edit: func(text string) string {
					cut += len(guards[name].FindAllString(text, -1))
					return guards[name].ReplaceAllString(text, "")
				}}
				shape := storetest.Shape{Name: "lease", Profile: profile.Lease, Key: model.Int}
				if storetest.Caught(t, b, shape, op) == "" {
					t.Error("no case of the contract notices")
				}
				if cut == 0 {
					t.Error("there was nothing to take away")
				}
			})
		}
	}
}
