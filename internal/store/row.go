package store

import (
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/leasetop/leasetop/model"
)

// Row is one row of an answer, its values by column name.
type Row struct {
	names map[string]int
	vals  []model.Value
}

// Value is a column's value; NULL where the answer has no such column.
func (r Row) Value(column string) model.Value {
	if i, ok := r.names[column]; ok {
		return r.vals[i]
	}
	return model.Value{}
}

// Has reports whether the answer has the column at all.
func (r Row) Has(column string) bool { _, ok := r.names[column]; return ok }

// Int is a column's whole number; not Known where it is NULL or none. A decimal comes
// as text, with the zeros of its scale.
func (r Row) Int(column string) model.Number {
	v := r.Value(column)
	if v.Type == model.Text {
		if whole, zeros, _ := strings.Cut(v.Text, "."); strings.Trim(zeros, "0") == "" {
			v = model.Value{Type: model.Int, Text: whole}
		}
	}
	if n, ok := v.Int(); ok {
		return model.NumberOf(n)
	}
	return model.Number{}
}

// Text is a column's text as it came, empty where it is NULL.
func (r Row) Text(column string) string { return r.Value(column).Text }

// scanAll reads every row to the end. It reads further result sets too, because
// an error that comes late is found only there, and because a trigger's own rows
// may come first: the answer is the first set that carries the server's time.
func scanAll(rows *sql.Rows) ([]Row, error) {
	var out []Row
	for set := 0; ; set++ {
		got, err := scanSet(rows)
		if err != nil {
			return nil, err
		}
		if set == 0 || !answers(out) && answers(got) {
			out = got
		}
		if !rows.NextResultSet() {
			return out, rows.Err()
		}
	}
}

func answers(rows []Row) bool { return len(rows) > 0 && rows[0].Has("now") }

func scanSet(rows *sql.Rows) ([]Row, error) {
	cols, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	names := make(map[string]int, len(cols))
	for i, c := range cols {
		names[c] = i
	}
	var out []Row
	raw := make([]any, len(cols))
	ptrs := make([]any, len(cols))
	for i := range raw {
		ptrs[i] = &raw[i]
	}
	for rows.Next() {
		if err := rows.Scan(ptrs...); err != nil {
			return nil, err
		}
		vals := make([]model.Value, len(cols))
		for i, v := range raw {
			if vals[i], err = value(v); err != nil {
				return nil, fmt.Errorf("column %s: %w", cols[i], err)
			}
		}
		out = append(out, Row{names, vals})
	}
	return out, rows.Err()
}

// value takes what a driver gives. Statements select times, GUIDs and binary
// columns as text, so nothing that a driver would round arrives here.
func value(v any) (model.Value, error) {
	switch v := v.(type) {
	case nil:
		return model.Value{}, nil
	case int64:
		return model.IntValue(v), nil
	case string:
		return model.TextValue(v), nil
	case []byte:
		return model.TextValue(string(v)), nil
	case bool:
		if v {
			return model.IntValue(1), nil
		}
		return model.IntValue(0), nil
	case float64:
		return model.TextValue(strconv.FormatFloat(v, 'g', -1, 64)), nil
	case time.Time:
		return model.Value{}, fmt.Errorf("the statement must select a time as text")
	}
	return model.Value{}, fmt.Errorf("unexpected type %T", v)
}
