package sqlserver

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// oddNames are names that a database may have.
func oddNames() []string {
	return []string{
		"a.b", "my]table", "it's", `say "so"`, "my table", "Ünïcode→名", "[x]", "select", "--", "*/", "{hole}", "@n",
		strings.Repeat("Q", nameLimit),
	}
}

// odd is the shipped mapping with every name replaced.
func odd(t *testing.T, name string) *model.Mapping {
	m := mapping(t, profile.Lease)
	m.Table = model.Table{Schema: name, Name: name}
	letters := []rune(name)
	m.History = model.Table{Schema: name, Name: "h" + string(letters[1:])}
	m.Brake = model.Table{Schema: name, Name: "b" + string(letters[1:])}
	short := string(letters[:min(len(letters), 100)])
	m.Keys[0].Name = short + " key"
	for r, c := range m.Columns {
		c.Name = short + " " + string(r)
		m.Columns[r] = c
	}
	return m
}

// oddStatements renders everything that a table with the name can have.
func oddStatements(t *testing.T, name string) []store.Stmt {
	m := odd(t, name)
	var out []store.Stmt
	for _, spec := range store.Specs() {
		if s, err := (Dialect{}).Statement(spec.Op, m, &model.Caps{Engine: Engine, Form: map[string]string{}}); err == nil {
			out = append(out, s)
		}
	}
	if len(out) < len(procedureNames()) {
		t.Fatalf("%q: only %d statements", name, len(out))
	}
	return out
}

// TestNamesAreQuotedByParts holds that a name of any letters is a name everywhere: in
// brackets where it is one, as a value where a function looks it up, and nowhere
// else.
func TestNamesAreQuotedByParts(t *testing.T) {
	for _, name := range oddNames() {
		for _, s := range oddStatements(t, name) {
			text := strings.ReplaceAll(s.Texts[0], quote(name)+"."+quote(name), "")
			text = strings.ReplaceAll(text, quote(name)+".", "")
			if name != "select" && name != "--" && name != "@n" && strings.Contains(text, "."+name) {
				t.Errorf("%s: %q stands bare in\n%s", s.Op, name, text)
			}
			if strings.Contains(s.Texts[0], "[dbo]") {
				t.Errorf("%s: another schema in\n%s", s.Op, s.Texts[0])
			}
			for _, p := range s.Params {
				if p.Name == "table" && p.Value.Text != quote(name)+"."+quote(name) {
					t.Errorf("%s: @table is %s", s.Op, p.Value.Text)
				}
			}
		}
	}
}

// TestOddNamesPassTheGate puts the statements with such names before a server's
// parser.
func TestOddNamesPassTheGate(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server")
	}
	db := rawDB(t, dsn)
	for _, name := range oddNames() {
		for _, s := range oddStatements(t, name) {
			if s.Op == store.OpClaim || s.Op == store.OpPulse || s.Op == store.OpReclaim {
				gate(t, db, name+" "+string(s.Op), s.Params, s.Texts[0], false)
			}
		}
	}
}

// TestStatesOfOtherTypes holds how a state's code is declared, so that its column
// stays seekable, and that a value is read whatever spaces the column adds.
func TestStatesOfOtherTypes(t *testing.T) {
	for declared, tc := range map[string]struct {
		kind  model.Type
		code  model.Value
		want  string
		given string
	}{
		"char(1)":      {model.Text, model.TextValue("W"), "varchar(1)", "[State] = @working"},
		"char(10)":     {model.Text, model.TextValue("work"), "varchar(4)", "[State] = @working"},
		"nvarchar(20)": {model.Text, model.TextValue("Laufend"), "nvarchar(7)", "[State] = @working"},
		"nchar(9)":     {model.Text, model.TextValue("läuft"), "nvarchar(max)", "[State] = CONVERT(nchar(9), @working)"},
		"int":          {model.Int, model.IntValue(7), "bigint", "[State] = CONVERT(int, @working)"},
		"bit":          {model.Int, model.IntValue(1), "bigint", "[State] = CONVERT(bit, @working)"},
	} {
		m := mapping(t, profile.Bare)
		m.Columns[model.RoleState] = model.Column{Name: "State", Type: tc.kind, Declared: declared}
		m.States[model.Working] = tc.code
		s, err := Dialect{}.Statement(store.OpWorking, m, &model.Caps{Engine: Engine, Form: map[string]string{}})
		if err != nil || !strings.Contains(s.Texts[0], tc.given) {
			t.Errorf("%s: %v, no %q in\n%s", declared, err, tc.given, s.Texts)
		}
		for _, p := range s.Params {
			if p.Name == "working" && p.Declared != tc.want {
				t.Errorf("%s: declared %s, want %s", declared, p.Declared, tc.want)
			}
		}
		padded := tc.code
		if tc.kind == model.Text {
			padded.Text += "   "
		}
		if m.StateOf(padded) != model.Working || m.StateOf(model.TextValue("?")) != model.StateUnknown {
			t.Errorf("%s: %q is read as %s", declared, padded.Text, m.StateOf(padded))
		}
	}
}

// TestTimesAtTheEnds holds the times that stand for never and for always.
func TestTimesAtTheEnds(t *testing.T) {
	for text, want := range map[string]time.Time{
		"0001-01-01T00:00:00":         time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
		"9999-12-31T23:59:59.9999999": time.Date(9999, 12, 31, 23, 59, 59, 999999900, time.UTC),
		"2026-03-01T12:00:00+02:00":   time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
	} {
		if got, err := (Dialect{}).Instant(model.TimeValue(text)); err != nil || !got.Equal(want) {
			t.Errorf("%s is read as %v, %v", text, got, err)
		}
	}
	if got, err := (Dialect{}).Instant(model.Value{}); err != nil || !got.IsZero() {
		t.Errorf("NULL is read as %v, %v", got, err)
	}
}
