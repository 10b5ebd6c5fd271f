package sqlserver

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
)

// lintRule is a promise about the text of a statement. It gives what is wrong;
// empty: nothing.
type lintRule struct {
	name  string
	check func(g golden, text string) string
}

var (
	dataStatement = regexp.MustCompile(`(?m)^(SELECT|UPDATE|INSERT|DELETE|MERGE|WITH|EXEC|TRUNCATE)\b`)
	selectStar    = regexp.MustCompile(`(?i)SELECT\s+(TOP\s*\([^)]*\)\s+)?(\w+\.)?\*`)
	isNullOr      = regexp.MustCompile(`(?i)IS\s+NULL\s+OR\b|\bOR\s+[^\n]*IS\s+NULL`)
	aTable        = regexp.MustCompile(`\[dbo\]\.\[QueueDemo\]( AS (\w+))?( WITH \(([^)]*)\))?`)
	onePart       = regexp.MustCompile(`(?:FROM|JOIN|UPDATE|INTO)\s+\[(\w+)\]`)
	stateSeek     = regexp.MustCompile(`\[State\] = @`)
)

// body is a statement without the SETs, the guard and the declarations.
func body(text string) string {
	_, rest, _ := strings.Cut(text, "\n\n")
	return rest
}

func has(text string, words ...string) string {
	for _, w := range words {
		if strings.Contains(text, w) {
			return "it has " + w
		}
	}
	return ""
}

func lintRules() []lintRule {
	return []lintRule{
		{"SETs at the head", func(g golden, text string) string {
			want := []string{"SET NOCOUNT ON;", "SET XACT_ABORT ON;", "SET TRANSACTION ISOLATION LEVEL READ COMMITTED;", "SET LOCK_TIMEOUT 100;", "SET DEADLOCK_PRIORITY LOW;"}
			switch store.SpecOf(g.op).Kind {
			case store.Watch:
				if asksLocks(g.op) || g.op == store.OpDirty {
					want[3] = "SET LOCK_TIMEOUT 0;"
				}
				if formOf(g.form).reader == readerSnapshot {
					want[2] = "SET TRANSACTION ISOLATION LEVEL SNAPSHOT;"
				}
			case store.Work:
				want = append(want[:3], "SET LOCK_TIMEOUT 3000;")
			case store.Control:
				want[3] = "SET LOCK_TIMEOUT 3000;"
			}
			got := strings.Split(text, "\n")[:len(want)]
			if !slices.Equal(got, want) || strings.Count(text, "\nSET ")+1 < len(want) {
				return "it begins with " + strings.Join(got, " ")
			}
			if changes(g.op) && !held(g.op) && !strings.Contains(text, "IF @@TRANCOUNT <> 0 OR (@@OPTIONS & 2) = 2") {
				return "it has no guard against a transaction"
			}
			return ""
		}},
		{"one data statement", func(g golden, text string) string {
			n := len(dataStatement.FindAllString(body(text), -1))
			want := 1
			if changes(g.op) {
				want = 2 // and the SELECT of what it captured
			}
			if strings.Contains(text, "\nWITH candidate") || strings.Contains(text, "\nWITH doomed") {
				want++ // the CTE's own UPDATE
			}
			if g.op == store.OpEnqueue || g.op == store.OpPut {
				want++ // the SELECT that the INSERT takes its rows from
			}
			if n != want {
				return "it has " + strings.Join(dataStatement.FindAllString(body(text), -1), ", ")
			}
			return ""
		}},
		{"no transaction of its own", func(_ golden, text string) string {
			return has(text, "BEGIN TRAN", "COMMIT TRAN", "COMMIT;", "ROLLBACK", "SAVE TRAN")
		}},
		{"no star", func(_ golden, text string) string { return selectStar.FindString(text) }},
		{"no IS NULL OR", func(_ golden, text string) string { return isNullOr.FindString(text) }},
		{"names in two parts", func(_ golden, text string) string {
			for _, m := range onePart.FindAllStringSubmatch(text, -1) {
				if m[1] != "dbo" {
					return m[0]
				}
			}
			return ""
		}},
		{"the watcher blocks nobody", func(g golden, text string) string {
			if store.SpecOf(g.op).Kind != store.Watch {
				return ""
			}
			if why := has(text, "UPDLOCK", "HOLDLOCK", "TABLOCK", "PAGLOCK", "XLOCK", "SERIALIZABLE", "REPEATABLE"); why != "" || asksLocks(g.op) {
				return why // on a person's key, about one row by its key, the row is looked at past its locks
			}
			if g.op == store.OpDirty { // which is allowed to see what nobody committed, and says so
				return has(text, "INDEX(", "READPAST", "READCOMMITTED")
			}
			return has(text, "NOLOCK", "INDEX(")
		}},
		{"a dirty read locks no row", func(g golden, text string) string {
			if g.op != store.OpDirty {
				return ""
			}
			for _, m := range aTable.FindAllStringSubmatch(body(text), -1) {
				if !slices.Contains(strings.Split(m[4], ", "), "NOLOCK") {
					return "it reads " + m[0]
				}
			}
			return ""
		}},
		{"READPAST only where it is legal", func(g golden, text string) string {
			if !strings.Contains(text, "READPAST") {
				return ""
			}
			if strings.Contains(text, "SNAPSHOT") || strings.Count(text, "READPAST") != strings.Count(text, "READCOMMITTEDLOCK") {
				return "it has READPAST without READCOMMITTEDLOCK under READ COMMITTED"
			}
			if g.op == store.OpInspect || g.op == store.OpAudit || g.op == store.OpHistory {
				return "a row that is locked would be told as gone"
			}
			return ""
		}},
		{"bounded", func(g golden, text string) string {
			for _, m := range aTable.FindAllStringSubmatchIndex(body(text), -1) {
				if why := bounded(g, body(text), m[0]); why != "" {
					return why
				}
			}
			return ""
		}},
		{"a seek where there is an index", func(g golden, text string) string {
			f := formOf(g.form)
			if f.scan || store.SpecOf(g.op).Keyed || !stateSeek.MatchString(text) {
				return ""
			}
			for _, m := range aTable.FindAllStringSubmatch(body(text), -1) {
				if m[1] != "" && !strings.Contains(m[4], "FORCESEEK") {
					return "no FORCESEEK in " + m[0]
				}
			}
			return ""
		}},
	}
}

// held reports whether an operation runs within the transaction that holds its rows.
func held(op store.Op) bool { return op == store.OpHold || op == store.OpBuryHeld }

// changes reports whether an operation changes rows.
func changes(op store.Op) bool { return store.SpecOf(op).Kind != store.Watch }

// bounded is why a use of the table has no bound: neither TOP before it nor the
// equality of the key behind it.
func bounded(g golden, text string, at int) string {
	if strings.Contains(text[at:], "[JobId] = @key") || strings.Contains(text[at:], "[JobId] = CONVERT(decimal(18, 2), @key)") || g.op == store.OpEnqueue {
		return ""
	}
	before := text[:at]
	if g.op == store.OpPut || strings.HasSuffix(before, "INTO ") || strings.HasSuffix(before, "DELETE TOP (1) FROM ") {
		return ""
	}
	if from := strings.LastIndex(before, "SELECT"); from >= 0 && strings.HasPrefix(before[from:], "SELECT TOP (") {
		return ""
	}
	return "no TOP and no key at " + text[at:min(len(text), at+60)]
}

// TestStatementsKeepThePromises lints every rendered text.
func TestStatementsKeepThePromises(t *testing.T) {
	for _, g := range goldens(t) {
		for _, r := range lintRules() {
			if why := r.check(g, g.stmt.Texts[0]); why != "" {
				t.Errorf("%s: %s: %s", g.file, r.name, why)
			}
		}
	}
}

// TestTheLintSees holds that each promise would be missed.
func TestTheLintSees(t *testing.T) {
	find := func(op store.Op) golden {
		for _, g := range goldens(t) {
			if g.op == op && strings.HasPrefix(g.file, profile.Lease) {
				return g
			}
		}
		t.Fatalf("no statement of %s", op)
		return golden{}
	}
	faults := map[string]struct {
		op       store.Op
		from, to string
	}{
		"SETs at the head":                {store.OpWorking, "SET XACT_ABORT ON;\n", ""},
		"one data statement":              {store.OpComplete, "\nUPDATE ", "\nDELETE FROM [dbo].[QueueDemo] WHERE [JobId] = @key;\nUPDATE "},
		"no transaction of its own":       {store.OpComplete, "DECLARE @at", "BEGIN TRANSACTION;\nDECLARE @at"},
		"no star":                         {store.OpInspect, "SELECT CONVERT", "SELECT q.*, CONVERT"},
		"no IS NULL OR":                   {store.OpComplete, "[ClaimToken] = CONVERT", "[ClaimToken] IS NULL OR [ClaimToken] = CONVERT"},
		"names in two parts":              {store.OpInspect, "[dbo].[QueueDemo]", "[QueueDemo]"},
		"the watcher blocks nobody":       {store.OpWorking, "WITH (FORCESEEK", "WITH (UPDLOCK, FORCESEEK"},
		"a dirty read locks no row":       {store.OpDirty, ", NOLOCK", ""},
		"READPAST only where it is legal": {store.OpClaim, "READCOMMITTEDLOCK, ", ""},
		"bounded":                         {store.OpReady, "TOP (@limit)", ""},
		"a seek where there is an index":  {store.OpReady, "WITH (FORCESEEK)", ""},
	}
	for _, r := range lintRules() {
		f, ok := faults[r.name]
		if !ok {
			t.Errorf("%s: nothing shows that it sees anything", r.name)
			continue
		}
		g := find(f.op)
		spoilt := strings.Replace(g.stmt.Texts[0], f.from, f.to, 1)
		if spoilt == g.stmt.Texts[0] {
			t.Errorf("%s: %s has no %q to spoil", r.name, g.file, f.from)
		}
		if r.check(g, spoilt) == "" {
			t.Errorf("%s: it does not see\n%s", r.name, spoilt)
		}
	}
}
