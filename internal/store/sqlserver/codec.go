package sqlserver

import (
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	mssql "github.com/microsoft/go-mssqldb"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// How values travel. A GUID and a time are text on both ways; free text is one
// declared length, so that every length of a worker's name is not a plan of its
// own; a state's code is declared like its column, so that the column is sought.
const (
	asInt  = "bigint"
	asGUID = "varchar(36)"
	asText = "nvarchar(max)"
	asCode = "varchar(max)" // times and bytes as ASCII text
	asTime = "varchar(23)"  // a time that this process computed
)

// read is a column as it is selected: what the driver would round or turn around
// is text.
func read(c model.Column, p sqltext.Part) sqltext.Part {
	h := sqltext.Holes{"column": p}
	switch c.Type {
	case model.GUID:
		return sqltext.Fill("CONVERT(varchar(36), {column})", h)
	case model.Time:
		return sqltext.Fill("CONVERT(varchar(33), {column}, 126)", h)
	case model.Binary:
		if isVersion(c) {
			return sqltext.Fill("CONVERT(varchar(max), CONVERT(binary(8), {column}), 1)", h)
		}
		return sqltext.Fill("CONVERT(varchar(max), {column}, 1)", h)
	case model.Int:
		if !plainInt(c.Declared) {
			return sqltext.Fill("CONVERT(bigint, {column})", h)
		}
	case model.Fraction:
		return sqltext.Fill("CONVERT(varchar(60), {column})", h)
	case model.Text, model.Null, model.Opaque:
	}
	return p
}

// plainInt reports whether the driver gives the type as a whole number.
func plainInt(declared string) bool {
	switch declared {
	case "bigint", "int", "smallint", "tinyint":
		return true
	}
	return false
}

// given is a parameter as the value of a column.
func given(c model.Column, arg string) sqltext.Part {
	h := sqltext.Holes{"type": sqltext.Declared(kept(c)), "arg": sqltext.Arg(arg)}
	switch c.Type {
	case model.Int:
		if c.Declared == asInt {
			return h["arg"]
		}
	case model.Time:
		if isOldTime(c) {
			return sqltext.Fill("CONVERT({type}, CONVERT(datetime2(3), {arg}, 126))", h)
		}
		return sqltext.Fill("CONVERT({type}, {arg}, 126)", h)
	case model.Binary:
		return sqltext.Fill("CONVERT({type}, {arg}, 1)", h)
	case model.GUID, model.Text, model.Null, model.Fraction, model.Opaque:
	}
	return sqltext.Fill("CONVERT({type}, {arg})", h)
}

// isOldTime reports whether a column is of a type that Babelfish reads from no text with
// a T in it. Its own milliseconds are exact in a datetime2, and find its tick again.
func isOldTime(c model.Column) bool {
	d := strings.ToLower(c.Declared)
	return d == "datetime" || d == "smalldatetime"
}

// declared is how a column's value is declared as a parameter.
func declared(c model.Column) string {
	switch c.Type {
	case model.Int:
		return asInt
	case model.GUID:
		return asGUID
	case model.Fraction:
		if isDecimal(c.Declared) {
			return c.Declared
		}
		return asCode
	case model.Time, model.Binary:
		return asCode
	case model.Text, model.Null, model.Opaque:
	}
	return asText
}

func isDecimal(declared string) bool {
	return slices.Contains([]string{"decimal", "numeric"}, baseOf(declared))
}

// scale is how many digits a decimal has behind the point.
func scale(declared string) int {
	_, digits, _ := strings.Cut(declared, ",")
	n, _ := strconv.Atoi(strings.Trim(digits, " )"))
	return n
}

// state is a state's value: a parameter whose value the statement brings along.
// It is absent where the mapping names no such state.
func (t table) state(s model.State) sqltext.Part {
	v := t.m.States[s]
	if v.IsNull() {
		return sqltext.Part{}
	}
	c := t.m.Column(model.RoleState)
	if codeOf(c, v) == asText || c.Type == model.Int {
		return given(c, s.String())
	}
	return sqltext.Arg(s.String())
}

// codeOf is how a state's value is declared: as its column where it is plain
// text, so that nothing has to be converted on either side.
func codeOf(c model.Column, v model.Value) string {
	if c.Type == model.Int {
		return asInt
	}
	size := strconv.Itoa(max(len(v.Text), 1))
	switch {
	case !ascii(v.Text):
		return asText
	case strings.HasPrefix(c.Declared, "n"):
		return "nvarchar(" + size + ")"
	}
	return "varchar(" + size + ")"
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 0x7e || r < 0x20 }) < 0
}

// params declares what a statement is given: the key, what the contract names,
// and the codes and names that its text uses.
func (t table) params(spec store.Spec, text string) []store.Param {
	var out []store.Param
	if spec.Keyed {
		for i, name := range store.KeyNames(len(t.m.Keys)) {
			out = append(out, store.Param{Name: name, Declared: declared(t.m.Keys[i])})
		}
	}
	for _, name := range spec.Params {
		if name == "token" && spec.Kind == store.Control && !uses(text, name) && !t.m.TellsClaims() {
			name = "lease"
		}
		out = append(out, store.Param{Name: name, Declared: t.paramType(name)})
	}
	for _, s := range model.States() {
		if v := t.m.States[s]; !v.IsNull() && uses(text, s.String()) {
			out = append(out, store.Param{Name: s.String(), Declared: codeOf(t.m.Column(model.RoleState), v), Value: v})
		}
	}
	if uses(text, "fence") {
		out = append(out, store.Param{Name: "fence", Declared: t.paramType("token")})
	}
	if uses(text, "table") {
		out = append(out, nameParam("table", t.m.Table))
	}
	if uses(text, "history") {
		out = append(out, nameParam("history", t.m.History))
	}
	return out
}

func (t table) paramType(name string) string {
	switch name {
	case "token", "new_token":
		return declared(t.m.Column(model.RoleToken))
	case "operation":
		return declared(t.m.Column(model.RoleOperation))
	case "lease":
		return declared(t.m.Column(model.RoleLease))
	case "state":
		return declared(t.m.Column(model.RoleState))
	case "action":
		return asGUID
	case "since", "until":
		return asTime
	case "actor", "reason", "worker", "error", "jobs":
		return asText
	}
	return asInt
}

// uses reports whether a text has a parameter of that name.
func uses(text, arg string) bool {
	for {
		_, rest, found := strings.Cut(text, "@"+arg)
		if !found {
			return false
		}
		if rest == "" || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_", rune(rest[0])) {
			return true // and not a longer name that begins like it
		}
		text = rest
	}
}

// quoted is a table's name as OBJECT_ID and its like read it.
func quoted(n model.Table) string {
	if n.Schema == "" {
		n.Schema = defaultSchema
	}
	return quote(n.Schema) + "." + quote(n.Name)
}

// Bind turns a value into what the driver sends as the declared type.
func (Dialect) Bind(p store.Param, v model.Value) (any, error) {
	switch {
	case p.Declared == asInt:
		if v.IsNull() {
			return sql.NullInt64{}, nil
		}
		n, ok := v.Int()
		if !ok {
			return nil, fmt.Errorf("%q is no whole number", v.Text)
		}
		return n, nil
	case v.IsNull():
		return sql.NullString{}, nil // typed: Babelfish knows no untyped NULL
	case p.Declared == asText:
		return mssql.NVarCharMax(v.Text), nil
	case strings.HasPrefix(p.Declared, "nvarchar"):
		return v.Text, nil
	case isDecimal(p.Declared):
		if _, digits, _ := strings.Cut(v.Text, "."); len(strings.TrimRight(digits, "0")) > scale(p.Declared) {
			return nil, fmt.Errorf("%q is no %s: the server would round it to another", v.Text, p.Declared)
		}
	case !ascii(v.Text):
		return nil, fmt.Errorf("%q cannot be sent as %s", v.Text, p.Declared)
	case p.Declared == asCode:
		return mssql.VarCharMax(v.Text), nil
	}
	return mssql.VarChar(v.Text), nil
}

// layouts are the forms in which the engine prints a time in style 126; Babelfish
// prints a blank for the T. A fraction of any length is read by all of them.
var layouts = []string{
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00",
	"2006-01-02T15:04:05 Z07:00", "2006-01-02",
}

// Instant reads the engine's text of a time as UTC. A NULL gives the zero time.
func (Dialect) Instant(v model.Value) (time.Time, error) {
	if v.IsNull() {
		return time.Time{}, nil
	}
	for _, l := range layouts {
		if at, err := time.Parse(l, v.Text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time that can be read", v.Text)
}
