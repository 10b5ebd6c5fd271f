package sqlite

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// The bracket of a script: one transaction that holds the write lock from its
// begin, and one instant for all its texts.
const (
	scriptBegin = `BEGIN IMMEDIATE;
CREATE TEMP TABLE IF NOT EXISTS leasetop_now (ms INTEGER);
DELETE FROM temp.leasetop_now;
INSERT INTO temp.leasetop_now
  SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER);`
	scriptEnd = `COMMIT;`
	scriptNow = `(SELECT ms FROM temp.leasetop_now)`
)

// Script is a statement as a script for the sqlite3 shell or any other tool: its
// texts in one transaction, the values in the places of their parameters.
func (d *Dialect) Script(s store.Stmt, values []model.Value) (string, error) {
	spelled := map[string]string{"now": scriptNow}
	for i, p := range s.Params {
		bound, err := d.Bind(p, values[i])
		if err != nil {
			return "", err
		}
		spelled[p.Name] = spell(bound)
	}
	out := []string{scriptBegin}
	for _, text := range s.Texts {
		filled, err := fillIn(text, spelled)
		if err != nil {
			return "", err
		}
		out = append(out, filled+";")
	}
	return strings.Join(append(out, scriptEnd, ""), "\n"), nil
}

// spell is what the driver is given as a literal. A text with control characters is
// written by its bytes: a line that begins with a dot would be a command of the
// shell, and a zero byte an end.
func spell(bound any) string {
	switch v := bound.(type) {
	case nil:
		return "NULL"
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return "CAST(X'" + hex.EncodeToString([]byte(v)) + "' AS TEXT)"
		}
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	}
	return "NULL"
}

// fillIn puts literals in the places of the parameters of a text, and leaves what
// is quoted as it is.
func fillIn(text string, values map[string]string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '\'', '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return "", fmt.Errorf("an open quote at %q", text[i:])
			}
			quoted := text[i : i+end+2] // a doubled quote is the next round's
			if strings.ContainsAny(quoted, "\r\n") {
				return "", fmt.Errorf("a name of the table has a line end")
			}
			b.WriteString(quoted)
			i += len(quoted)
		case '@':
			name := text[i+1:]
			if end := strings.IndexFunc(name, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }); end >= 0 {
				name = name[:end]
			}
			value, ok := values[name]
			if !ok {
				return "", fmt.Errorf("no value for @%s", name)
			}
			b.WriteString(value)
			i += 1 + len(name)
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), nil
}
