package sqlite_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

var update = flag.Bool("update", false, "write the golden files anew")

// bound makes a table of a shape and gives its mapping and what a probe finds.
func bound(t *testing.T, variant string) (*stand, *model.Mapping, model.Caps) {
	t.Helper()
	for _, shape := range (bench{}).Shapes() {
		if shape.Variant != variant {
			continue
		}
		s, ok := bench{}.Stand(t).(*stand)
		if !ok {
			t.Fatal("not a stand")
		}
		q := s.Open(t).Queue(s.Make(t, shape))
		caps, err := q.Probe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s, q.Mapping(), caps
	}
	t.Fatalf("no shape %q", variant)
	return nil, nil, model.Caps{}
}

// variants are the tables whose statements are written down: the shipped one, the
// bare one with unix milliseconds, and the bare one with its times as text.
func variants() map[string]string {
	return map[string]string{"lease": "", "bare": "ms", "bare-text": "text"}
}

// TestGolden holds every statement to its text in testdata, and the engine to
// preparing it.
func TestGolden(t *testing.T) {
	for folder, variant := range variants() {
		t.Run(folder, func(t *testing.T) {
			s, m, caps := bound(t, variant)
			dir := filepath.Join("testdata", "sql", folder)
			var written []string
			for _, spec := range store.Specs() {
				st, err := s.Dialect().Statement(spec.Op, m, &caps)
				if err != nil {
					continue
				}
				written = append(written, string(spec.Op)+".sql")
				for _, text := range st.Texts {
					prepare(t, s, text)
				}
				compare(t, filepath.Join(dir, string(spec.Op)+".sql"), st)
			}
			if st, err := s.Dialect().Schema(m); err == nil {
				written = append(written, "schema.sql")
				compare(t, filepath.Join(dir, "schema.sql"), st)
			}
			unused(t, dir, written)
		})
	}
}

func prepare(t *testing.T, s *stand, text string) {
	t.Helper()
	st, err := s.raw.PrepareContext(t.Context(), text)
	if err != nil {
		t.Errorf("%v\n%s", err, text)
		return
	}
	if err := st.Close(); err != nil {
		t.Error(err)
	}
}

func compare(t *testing.T, path string, st store.Stmt) {
	t.Helper()
	got := strings.Join(st.Texts, ";\n\n") + ";\n"
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	if !*update {
		t.Errorf("%s is not what is sent (go test -run Golden -update writes it):\n%s", path, got)
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("wrote %s", path)
}

func unused(t *testing.T, dir string, written []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(written, e.Name()) {
			t.Errorf("%s is sent by nobody", filepath.Join(dir, e.Name()))
		}
	}
}

// TestPlans holds that no statement reads the table from end to end: what it
// reads, it finds by an index, or in an index that holds the rows of one state.
func TestPlans(t *testing.T) {
	for folder, variant := range variants() {
		if folder == "bare-text" {
			continue // a small table without an index
		}
		t.Run(folder, func(t *testing.T) {
			s, m, caps := bound(t, variant)
			if !scans(s.plan(t, "SELECT State, count(*) FROM QueueDemo GROUP BY Payload")[0], m) {
				t.Error("a plain scan is not told")
			}
			for _, spec := range store.Specs() {
				st, err := s.Dialect().Statement(spec.Op, m, &caps)
				if err != nil {
					continue
				}
				for _, text := range st.Texts {
					for _, step := range s.plan(t, text) {
						if scans(step, m) && spec.Op != store.OpHealthScan && !newestRows(spec.Op, text) {
							t.Errorf("%s: %s\n%s", spec.Op, step, text)
						}
					}
				}
			}
		})
	}
}

// newestRows reports whether a checkup reads a bounded number of rows from the
// table's or the history's end.
func newestRows(op store.Op, text string) bool {
	return op == store.OpHealth && strings.Contains(text, "ORDER BY rowid DESC LIMIT @cap") ||
		op == store.OpHistoryHealth && strings.Contains(text, "ORDER BY Seq DESC LIMIT @limit")
}

// TestPlansUsePartialIndexes names the index that each statement of the shipped
// queue must be answered by.
func TestPlansUsePartialIndexes(t *testing.T) {
	s, m, caps := bound(t, "")
	want := map[store.Op][]string{
		store.OpPulse: {
			"INDEX IX_QueueDemo_Ready", "INDEX IX_QueueDemo_Working", "INDEX IX_QueueDemo_Scheduled",
			"INDEX IX_QueueDemo_Failed", "INDEX IX_QueueDemo_History_Completed",
		},
		store.OpClaim: {"INDEX IX_QueueDemo_Ready"}, store.OpReady: {"INDEX IX_QueueDemo_Ready"},
		store.OpWorking: {"INDEX IX_QueueDemo_Working"}, store.OpRecover: {"INDEX IX_QueueDemo_Working"},
		store.OpPromote:       {"INDEX IX_QueueDemo_Scheduled"},
		store.OpFindOperation: {"INDEX IX_QueueDemo_Operation"}, store.OpFindWorker: {"INDEX IX_QueueDemo_Working"},
		store.OpRepeaters: {"INDEX IX_QueueDemo_Ready", "INDEX IX_QueueDemo_Working", "INDEX IX_QueueDemo_Scheduled"},
		store.OpWorkers:   {"INDEX IX_QueueDemo_Working"},
		store.OpHistory:   {"INDEX IX_QueueDemo_History_Job"}, store.OpAudit: {"INDEX IX_QueueDemo_History_Job"},
	}
	for op, indexes := range want {
		st, err := s.Dialect().Statement(op, m, &caps)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range st.Texts {
			plan := strings.Join(s.plan(t, text), "\n")
			if strings.HasPrefix(text, "INSERT INTO") && !strings.Contains(plan, "INDEX") {
				t.Errorf("%s: the history is written from a scan:\n%s", op, plan)
			}
			for _, ix := range indexes {
				if !strings.Contains(plan+"\n", ix) {
					t.Errorf("%s does not use %s:\n%s", op, ix, plan)
				}
			}
			if (op == store.OpClaim || op == store.OpReady || op == store.OpPromote || op == store.OpRecover) && strings.Contains(plan, "TEMP B-TREE FOR ORDER BY") {
				t.Errorf("%s sorts what the index has in order:\n%s", op, plan)
			}
		}
	}
}

func (s *stand) plan(t *testing.T, text string) []string {
	t.Helper()
	rows, err := s.raw.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, named(text)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		out = append(out, detail)
	}
	return out
}

// scans reports whether a step of a plan reads a table whole. An index of our own
// that holds one state's rows may be read whole.
func scans(step string, m *model.Mapping) bool {
	for _, table := range []string{m.Table.Name, m.History.Name} {
		rest, ok := strings.CutPrefix(step, "SCAN "+table)
		if table == "" || !ok || rest != "" && rest[0] != ' ' {
			continue
		}
		return !strings.Contains(rest, "INDEX IX_"+table+"_")
	}
	return false
}

var _ storetest.Stand = (*stand)(nil)
