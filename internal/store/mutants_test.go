//go:build mutants

package store_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutants are the guards that are code and not text: what is taken away, and the
// packages whose tests must notice.
var mutants = []struct {
	name, file, from, to string
	pkgs                 []string
}{
	{
		"a reply is believed before its end", "internal/store/row.go",
		"		if !rows.NextResultSet() {\n			return out, rows.Err()\n		}", "		return out, nil",
		[]string{"./internal/store/sqlserver"},
	},
	{
		"an error after the rows is overlooked", "internal/store/row.go",
		"return out, rows.Err()", "return out, nil",
		[]string{"./internal/store/sqlserver"},
	},
	{
		"a connection is kept after an error", "internal/store/runner.go",
		"p.release(sess, err != nil)", "p.release(sess, false)",
		[]string{"./internal/store/sqlserver", "./internal/store"},
	},
	{
		"what was sent without an answer counts as not sent", "internal/store/runner.go",
		"f.Unsure = sent && s.Kind != Watch && (f.Code == 0 || ok && late.Late(s, err))", "f.Unsure = false\n	_, _ = late, ok",
		[]string{"./internal/store/sqlserver"},
	},
	{
		"the journal is written after the act", "actions/desk.go",
		"	if err := j.Sent(p, sent); err != nil {", "	defer j.Sent(p, sent)\n	if err := error(nil); err != nil {",
		[]string{"./actions"},
	},
	{
		"a receipt is given without a judge", "actions/desk.go",
		"	r := judge(e)\n	if r.Outcome == model.Applied && p.Intent.Reason", "	r := model.Receipt{Intent: p.Intent, Before: p.Row, Outcome: model.Applied, Sent: sent}\n	if r.Outcome == model.Applied && p.Intent.Reason",
		[]string{"./actions"},
	},
	{
		"a guard of our own is not asked again", "actions/desk.go",
		"	if v := d.refusal(p); !v.OK {\n		return sentence(v)\n	}\n	if p.Confirm.Type", "	if p.Confirm.Type",
		[]string{"./actions"},
	},
}

// TestEveryMutantDies builds the program with one guard removed at a time and holds
// that a test of the suite fails. It compiles a package for each, which takes
// minutes: it has a build tag of its own.
func TestEveryMutantDies(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			path := filepath.Join(root, filepath.FromSlash(m.file))
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.ReplaceAll(string(text), m.from, m.to)
			if changed == string(text) {
				t.Fatalf("%s has no %q any more", m.file, m.from)
			}
			dir := t.TempDir()
			copied, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
			o, err := json.Marshal(map[string]map[string]string{"Replace": {path: copied}})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(copied, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(overlay, o, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-count=1", "-failfast", "-overlay", overlay}, m.pkgs...)...)
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Errorf("no test notices")
				return
			}
			if !strings.Contains(string(out), "--- FAIL") {
				t.Errorf("it does not build, which is no answer:\n%s", out)
			}
			for line := range strings.Lines(string(out)) {
				if strings.Contains(line, "--- FAIL") {
					t.Log(strings.TrimSpace(line))
					break
				}
			}
		})
	}
}
