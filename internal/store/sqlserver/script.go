package sqlserver

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// Script is a statement as one batch for sqlcmd or a query window: its parameters
// declared with their values, the text as it would be sent, and GO. It is ASCII, so
// that no code page of a file can change a value.
func (Dialect) Script(s store.Stmt, values []model.Value) (string, error) {
	declares := make([]sqltext.Part, len(s.Params))
	for i, p := range s.Params {
		value, err := declaredAs(p, values[i])
		if err != nil {
			return "", err
		}
		declares[i] = sqltext.Fill("DECLARE {name} {type} = {value};", sqltext.Holes{
			"name": sqltext.Arg(p.Name), "type": sqltext.Declared(p.Declared), "value": value,
		})
	}
	head, err := sqltext.List("\n", declares...).Text()
	if err != nil {
		return "", err
	}
	text := strings.Join(s.Texts, "\n")
	if command.MatchString(text) {
		return "", fmt.Errorf("a name of the table reads like a command of sqlcmd")
	}
	return strings.Join([]string{head, text, "GO", ""}, "\n"), nil
}

// command is what sqlcmd and query windows take out of a batch, even out of a name:
// a batch's end, their own commands, a variable.
var command = regexp.MustCompile(`(?im)^\s*(GO(\s|;|$)|:|!!)|\$\(`)

// declaredAs is a value as the declared type of its parameter.
func declaredAs(p store.Param, v model.Value) (sqltext.Part, error) {
	switch {
	case v.IsNull():
		return sqltext.Raw("NULL"), nil
	case p.Declared == asInt:
		n, ok := v.Int()
		if !ok {
			return sqltext.Part{}, fmt.Errorf("%q is no whole number", v.Text)
		}
		return sqltext.Number(n), nil
	case !strings.HasPrefix(p.Declared, "nvarchar") && !ascii(v.Text):
		return sqltext.Part{}, fmt.Errorf("%q cannot be sent as %s", v.Text, p.Declared)
	}
	return sqltext.Speller(spell).Literal(v.Text), nil
}

// piece is how many characters one literal has at the most: a longer one would be
// of another type.
const piece = 2000

// spell is a text as an expression of N'…' and NCHAR(n). What is not plain ASCII is
// written by its number: a line end could end the batch, and other bytes are read
// in the code page of whoever opens the file. "$(" is taken apart, which sqlcmd
// would replace even within a literal.
func spell(text string) string {
	var (
		parts []string
		plain strings.Builder
	)
	flush := func() {
		if plain.Len() > 0 {
			parts = append(parts, "N'"+strings.ReplaceAll(plain.String(), "'", "''")+"'")
			plain.Reset()
		}
	}
	last := rune(0)
	for _, r := range text {
		if r < ' ' || r > '~' {
			flush()
			for _, unit := range utf16.Encode([]rune{r}) {
				parts = append(parts, "NCHAR("+strconv.Itoa(int(unit))+")")
			}
			last = r
			continue
		}
		if last == '$' && r == '(' || plain.Len() >= piece {
			flush()
		}
		plain.WriteRune(r)
		last = r
	}
	flush()
	switch len(parts) {
	case 0:
		return "N''"
	case 1:
		return parts[0]
	}
	// Without a part of type max the sum would be cut at 4,000 characters.
	return "CONVERT(nvarchar(max), " + parts[0] + ") + " + strings.Join(parts[1:], " + ")
}
