package sqltext

import (
	"os/exec"
	"strings"
	"testing"
)

var brackets = Quoter(func(s string) string { return "[" + strings.ReplaceAll(s, "]", "]]") + "]" })

func TestFill(t *testing.T) {
	tests := map[string]struct {
		part Part
		want string
		err  string
	}{
		"holes in order": {
			part: Fill("SELECT {col} FROM {table} WHERE {key} = {arg}", Holes{
				"col": brackets.Ident("a]b"), "table": brackets.Ident("dbo", "my.table"), "key": brackets.Ident("Id"), "arg": Arg("key"),
			}),
			want: "SELECT [a]]b] FROM [dbo].[my.table] WHERE [Id] = @key",
		},
		"a hole twice":            {part: Fill("{x} AND {x}", Holes{"x": Raw("a")}), want: "a AND a"},
		"an absent part":          {part: Fill("a{x}b", Holes{"x": If(false, Raw("!"))}), want: "ab"},
		"a table with no schema":  {part: brackets.Ident("", "t"), want: "[t]"},
		"a list drops the absent": {part: List(", ", Raw("a"), Part{}, If(true, Raw("b"))), want: "a, b"},
		"or":                      {part: Part{}.Or(Raw("NULL")), want: "NULL"},
		"a code":                  {part: Code("R"), want: "'R'"},
		"a whole number":          {part: Number(-210), want: "-210"},
		"a piece in its places": {
			part: Swap(List("", Raw("now() [a]]now()] 'it''s now()' now() -- now()\nnow()"), brackets.Ident("now()"), Raw("'now()")), "now()", Raw("then()")),
			want: "then() [a]]now()] 'it''s now()' then() -- now()\nthen()[now()]'now()",
		},
		"a broken part stays so": {part: Swap(Arg(""), "a", Raw("b")), err: "parameter name"},
		"a declared type":        {part: Declared("datetime2(3)"), want: "datetime2(3)"},

		"no part for a hole":        {part: Fill("{x}", nil), err: "{x}"},
		"no hole for a part":        {part: Fill("a", Holes{"x": Raw("b")}), err: `"x"`},
		"an open hole":              {part: Fill("{x", Holes{"x": Raw("b")}), err: "open hole"},
		"a parameter that is data":  {part: Arg("x; DROP TABLE t"), err: "parameter"},
		"a code that is data":       {part: Code("R' OR 1=1"), err: "code"},
		"a code with a quote":       {part: Code("a'b"), err: "code"},
		"an empty code":             {part: Code(""), err: "code"},
		"an upper-case parameter":   {part: Arg("X"), err: "parameter"},
		"a type that is data":       {part: Declared("int; --"), err: "type"},
		"an identifier with a NUL":  {part: brackets.Ident("a\x00b"), err: "identifier"},
		"an empty last part":        {part: brackets.Ident("dbo", ""), err: "identifier"},
		"no identifier":             {part: brackets.Ident(), err: "identifier"},
		"an error inside a list":    {part: List(",", Raw("a"), Arg("")), err: "parameter"},
		"an error inside a filling": {part: Fill("{x}", Holes{"x": Arg("")}), err: "parameter"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := tc.part.Text()
			if tc.err == "" && (err != nil || got != tc.want) {
				t.Errorf("got %q, %v, want %q", got, err, tc.want)
			}
			if tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
				t.Errorf("got %q, %v, want an error with %q", got, err, tc.err)
			}
		})
	}
}

// TestRuntimeTextDoesNotCompile holds the promise of the package: what is not
// written in the source cannot become SQL.
func TestRuntimeTextDoesNotCompile(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "vet", "./testdata/runtime").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "as constant value") && !strings.Contains(string(out), "constant") {
		t.Errorf("a runtime string was taken as SQL: %v\n%s", err, out)
	}
}
