package sqlserver

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

var update = flag.Bool("update", false, "write the golden files anew")

// mapping is a built-in profile on a table, as it is before any probe.
func mapping(t *testing.T, name string) *model.Mapping {
	t.Helper()
	m, err := profile.For(name, "", model.Table{Schema: "dbo", Name: "QueueDemo"})
	if err != nil {
		t.Fatal(err)
	}
	return &m
}

// formsOf are the forms of an operation that a probe can choose.
func formsOf(op store.Op) []string {
	switch spec := store.SpecOf(op); {
	case op == store.OpLocked, asksCatalog(op):
		return []string{""}
	case op == store.OpDirty:
		return []string{"dirty", "dirty-scan"}
	case op == store.OpHealth:
		return []string{"rcsi", "snapshot", "readpast", "rcsi-scan", "babelfish"}
	case op == store.OpHealthScan:
		return []string{"rcsi-scan", "snapshot-scan", "readpast-scan", "babelfish-scan"}
	case op == store.OpHistoryHealth:
		return []string{"committed", "snapshot", "babelfish"}
	case op == store.OpHolders:
		return []string{formByRow, formByTable}
	case op == store.OpDepth:
		return []string{"rcsi", "snapshot", "readpast", "rcsi-heap", "rcsi-stats", "babelfish"}
	case op == store.OpHead, op == store.OpTail:
		return []string{"rcsi", "snapshot", "readpast", "rcsi-heap", "babelfish"}
	case op == store.OpDead, op == store.OpRowsOf:
		return []string{"rcsi", "snapshot", "readpast", "babelfish"}
	case op == store.OpPulse:
		return []string{"rcsi", "snapshot", "readpast", "rcsi-scan", "rcsi-scan-unordered", "rcsi-unordered", "rcsi-unindexed", "rcsi-norate", "rcsi-nobrake", "rcsi-stats", "babelfish"}
	case op == store.OpReady, op == store.OpFailed:
		return []string{"rcsi", "snapshot", "readpast", "rcsi-scan", "rcsi-scan-unordered", "rcsi-unordered", "babelfish"}
	case op == store.OpEvents, op == store.OpWorkerEvents, op == store.OpLatency:
		return []string{"rcsi", "snapshot", "readpast", "babelfish"}
	case op == store.OpFindOperation:
		return []string{"rcsi", "snapshot", "readpast", "rcsi-active", "rcsi-scan-active", "babelfish"}
	case op == store.OpWorking, op == store.OpRepeaters, op == store.OpWorkers, op == store.OpFindWorker:
		return []string{"rcsi", "snapshot", "readpast", "rcsi-scan", "babelfish"}
	case op == store.OpHistory || op == store.OpAudit:
		return []string{"committed", "snapshot", "babelfish"}
	case spec.Kind == store.Watch:
		return []string{"committed", "snapshot"}
	case op == store.OpClaim || op == store.OpRecover || op == store.OpPromote:
		return []string{"", "scan"}
	}
	return []string{""}
}

// golden is one rendered statement and the file that holds it.
type golden struct {
	file string
	op   store.Op
	form string
	stmt store.Stmt
}

// goldens renders every operation of every built-in profile in every form.
func goldens(t *testing.T) []golden {
	t.Helper()
	var out []golden
	for _, name := range profile.Names() {
		m := mapping(t, name)
		for _, spec := range store.SpecsOf(m.Family) {
			for _, form := range formsOf(spec.Op) {
				c := &model.Caps{Engine: Engine, Form: map[string]string{string(spec.Op): form}}
				s, err := Dialect{}.Statement(spec.Op, m, c)
				if err != nil {
					if !absentOn(name, spec.Op) {
						t.Errorf("%s %s %s: %v", name, spec.Op, form, err)
					}
					continue
				}
				file := string(spec.Op)
				if form != "" {
					file += "." + form
				}
				out = append(out, golden{filepath.Join(name, file+".sql"), spec.Op, form, s})
			}
		}
	}
	return append(append(out, clockGoldens(t)...), otherGoldens(t)...)
}

// absentOn are the operations that the table of a profile cannot have.
func absentOn(name string, op store.Op) bool {
	if name == profile.Destructive {
		return slices.Contains([]store.Op{store.OpHoldBeat, store.OpHoldCommit, store.OpHoldUndo}, op)
	}
	if op == store.OpPurgeKeys {
		return name == profile.Lease
	}
	return name == profile.Bare && slices.Contains([]store.Op{
		store.OpHistory, store.OpAudit, store.OpPromote, store.OpGrant,
		store.OpRepeaters, store.OpWorkers, store.OpEvents, store.OpWorkerEvents, store.OpLatency, store.OpFindOperation, store.OpFindWorker,
		store.OpBrakeState, store.OpBrake, store.OpReleaseBrake,
		store.OpPurgeDone, store.OpPurgeFailed, store.OpPurgeHistory,
		store.OpHistoryHealth,
	}, op)
}

const goldenDir = "testdata/sql"

func TestStatementsReadAsADBAReadsThem(t *testing.T) {
	want := map[string]string{}
	for _, g := range goldens(t) {
		want[g.file] = g.stmt.Texts[0] + "\n"
	}
	schema, err := Dialect{}.Schema(mapping(t, profile.Lease))
	if err != nil {
		t.Fatal(err)
	}
	want[filepath.Join(profile.Lease, "schema.sql")] = schema.Texts[0] + "\n"
	maps.Copy(want, goldenProcedures(t))
	if schema, err = (Dialect{}).Schema(mapping(t, profile.Destructive)); err != nil {
		t.Fatal(err)
	}
	want[filepath.Join(profile.Destructive, "schema.sql")] = schema.Texts[0] + "\n"
	for name, part := range questions() {
		text, err := part.Text()
		if err != nil {
			t.Fatal(err)
		}
		want[filepath.Join("probe", name+".sql")] = text + "\n"
	}
	if *update {
		write(t, want)
	}
	for file, text := range want {
		got, err := os.ReadFile(filepath.Join(goldenDir, file))
		if err != nil {
			t.Errorf("%s: %v; go test ./internal/store/sqlserver -update writes it", file, err)
			continue
		}
		if d := cmp.Diff(string(got), text); d != "" {
			t.Errorf("%s is not what is sent (-file +sent):\n%s", file, d)
		}
	}
	for _, file := range files(t) {
		if _, ok := want[file]; !ok {
			t.Errorf("%s belongs to no statement", file)
		}
	}
}

// write writes the files and removes those that nothing belongs to.
func write(t *testing.T, want map[string]string) {
	t.Helper()
	for _, file := range files(t) {
		if _, ok := want[file]; !ok {
			if err := os.Remove(filepath.Join(goldenDir, file)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for file, text := range want {
		path := filepath.Join(goldenDir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func files(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(goldenDir + "/*/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range paths {
		paths[i] = strings.TrimPrefix(p, goldenDir+"/")
	}
	return paths
}

// TestResultsAreWhatTheContractSays holds every statement to the names that the
// decoder reads.
func TestResultsAreWhatTheContractSays(t *testing.T) {
	for _, g := range goldens(t) {
		spec := store.SpecOf(g.op)
		text := g.stmt.Texts[0]
		answer := text[strings.LastIndex(text, "\nSELECT "):]
		columns := spec.Columns
		if !spec.Keyless {
			columns = append([]string{"key"}, columns...)
		}
		for _, c := range append([]string{"now"}, columns...) {
			if !strings.Contains(answer, " AS ["+c+"]") && c != "worst_key" || c == "worst_key" && !strings.Contains(text, "[worst_key]") {
				t.Errorf("%s: its answer has no column %s", g.file, c)
			}
		}
		var params []string
		for _, p := range g.stmt.Params {
			params = append(params, p.Name)
		}
		for _, p := range spec.Params {
			if !slices.Contains(params, p) {
				t.Errorf("%s: parameter %s is missing", g.file, p)
			}
		}
		if g.stmt.Right == "" || g.stmt.Locks == "" || g.stmt.Proved == "" && !unparsed(g.op, g.form) {
			t.Errorf("%s: right %q, locks %q, proved %q", g.file, g.stmt.Right, g.stmt.Locks, g.stmt.Proved)
		}
	}
}
