package sqlserver

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// evaluate reads an expression as the engine would: literals, NCHAR and their sum.
// It knows nothing of how they were written.
func evaluate(t *testing.T, expr string) string {
	t.Helper()
	if inner, ok := strings.CutPrefix(expr, "CONVERT(nvarchar(max), "); ok {
		first, rest, ok := cutLiteral(inner)
		if !ok || !strings.HasPrefix(rest, ") + ") {
			t.Fatalf("not a sum: %s", expr)
		}
		expr = first + strings.TrimPrefix(rest, ")")
	}
	var units []uint16
	for {
		one, rest, ok := cutLiteral(expr)
		if !ok {
			t.Fatalf("no literal begins at %q", expr)
		}
		if number, isChar := strings.CutPrefix(one, "NCHAR("); isChar {
			n, err := strconv.ParseUint(strings.TrimSuffix(number, ")"), 10, 16)
			if err != nil {
				t.Fatal(err)
			}
			units = append(units, uint16(n))
		} else {
			body := strings.ReplaceAll(one[2:len(one)-1], "''", "'")
			if len(body) > 4000 {
				t.Errorf("a literal of %d characters", len(body))
			}
			units = append(units, utf16.Encode([]rune(body))...)
		}
		if rest == "" {
			return string(utf16.Decode(units))
		}
		if expr, ok = strings.CutPrefix(rest, " + "); !ok {
			t.Fatalf("something after a literal: %q", rest)
		}
	}
}

// cutLiteral takes one N'…' or NCHAR(n) off the front.
func cutLiteral(s string) (one, rest string, ok bool) {
	if strings.HasPrefix(s, "NCHAR(") {
		end := strings.IndexByte(s, ')')
		return s[:end+1], s[end+1:], end > 0
	}
	if !strings.HasPrefix(s, "N'") {
		return "", s, false
	}
	for i := 2; i < len(s); i++ {
		if s[i] != '\'' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			i++
			continue
		}
		return s[:i+1], s[i+1:], true
	}
	return "", s, false
}

func hostile() []string {
	return []string{
		"", "plain", "it's", "'", "''", "';DROP TABLE Orders;--", "a\nGO\nDROP TABLE Orders\nGO\n", "\r\nGO 5\r\n", "a\n:r evil.sql", "\n!!rm -rf /",
		"$(USER)", "$$((x)", "$", "(", "ends with \\", "\\\n'", "\x00';--", "ʼ'", "naïve – “quoted”", "日本語", "😀", "\u2028GO\u2028", "/* */ --", "N'", "') + N('",
		strings.Repeat("'", 5000), strings.Repeat("x", 9000), "\ufeff",
	}
}

// script is the script of an act whose free texts are s.
func script(t testing.TB, d *model.Mapping, op store.Op, s string) (store.Stmt, []model.Value, string) {
	t.Helper()
	st, err := Dialect{}.Statement(op, d, &model.Caps{Engine: Engine, Form: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	values := make([]model.Value, len(st.Params))
	for i, p := range st.Params {
		switch {
		case !p.Value.IsNull():
			values[i] = p.Value
		case p.Declared == asInt:
			values[i] = model.IntValue(42)
		case p.Declared == asText:
			values[i] = model.TextValue(s)
		case p.Declared == asGUID:
			values[i] = model.GUIDValue("6F9619FF-8B86-D011-B42D-00C04FC964FF")
		default:
			values[i] = model.TextValue("W")
		}
	}
	out, err := Dialect{}.Script(st, values)
	if err != nil {
		t.Fatal(err)
	}
	return st, values, out
}

var declareLine = regexp.MustCompile(`^DECLARE @([a-z0-9_]+) ([a-z]+(?:\([a-z0-9]+\))?) = (.*);$`)

// checkScript holds a script to its statement: each parameter declared once as what
// is sent, with its very value, and then the text and nothing else.
func checkScript(t *testing.T, s string) {
	t.Helper()
	m := mapping(t, profile.Lease)
	st, values, out := script(t, m, store.OpReclaim, s)
	if i := strings.IndexFunc(out, func(r rune) bool { return r > '~' || r < ' ' && r != '\n' }); i >= 0 {
		t.Errorf("%q: not plain at %q", s, out[i:])
	}
	if strings.Contains(out, "$(") {
		t.Errorf("%q: sqlcmd would replace something in\n%s", s, out)
	}
	lines := strings.Split(out, "\n")
	for i, p := range st.Params {
		got := declareLine.FindStringSubmatch(lines[i])
		if got == nil || got[1] != p.Name || got[2] != p.Declared {
			t.Fatalf("%q: line %q, want the declaration of %s %s", s, lines[i], p.Name, p.Declared)
		}
		value := got[3]
		if p.Declared != asInt {
			value = evaluate(t, value)
		}
		if value != values[i].Text {
			t.Errorf("%s comes out as %q, went in as %q", p.Name, value, values[i].Text)
		}
	}
	rest := strings.Join(lines[len(st.Params):], "\n")
	if rest != st.Texts[0]+"\nGO\n" {
		t.Errorf("%q: after the declarations comes\n%s", s, rest)
	}
}

func TestNothingBreaksOutOfAScript(t *testing.T) {
	for _, s := range hostile() {
		checkScript(t, s)
	}
}

func FuzzScript(f *testing.F) {
	for _, s := range hostile() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip("the store's border lets only valid text in")
		}
		checkScript(t, s)
	})
}

// TestScriptsAreRefused holds that a name which the tools would obey, and a value
// that its type cannot hold, make no script.
func TestScriptsAreRefused(t *testing.T) {
	for _, name := range []string{"Queue$(x)", "Queue\nGO\n", "Queue\n:r x", "Queue\n  !!del"} {
		m, err := profile.For(profile.Bare, "", model.Table{Schema: "dbo", Name: name})
		if err != nil {
			t.Fatal(err)
		}
		st, err := Dialect{}.Statement(store.OpReclaim, &m, &model.Caps{Engine: Engine, Form: map[string]string{}})
		if err != nil {
			t.Fatal(err)
		}
		if out, err := (Dialect{}).Script(st, make([]model.Value, len(st.Params))); err == nil {
			t.Errorf("%q made a script:\n%s", name, out)
		}
	}
	st, values, _ := script(t, mapping(t, profile.Lease), store.OpReclaim, "x")
	at := slices.IndexFunc(st.Params, func(p store.Param) bool { return p.Declared == asGUID })
	values[at] = model.TextValue("6F9619FF\u2019;--")
	if out, err := (Dialect{}).Script(st, values); err == nil {
		t.Errorf("a token beyond its type made a script:\n%s", out)
	}
}
