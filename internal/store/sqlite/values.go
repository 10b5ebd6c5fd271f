package sqlite

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// Bind turns a value into what the driver is given. A time that this process
// computed becomes milliseconds.
func (d *Dialect) Bind(p store.Param, v model.Value) (any, error) {
	switch v.Type {
	case model.Null:
		return nil, nil
	case model.Int:
		n, ok := v.Int()
		if !ok {
			return nil, fmt.Errorf("%q is no whole number", v.Text)
		}
		return n, nil
	case model.Time:
		if p.Declared == "TEXT" { // a time that is text is matched as the table wrote it
			return v.Text, nil
		}
		t, err := d.Instant(v)
		if err != nil {
			return nil, err
		}
		return t.UnixMilli(), nil
	case model.Text, model.GUID, model.Binary, model.Fraction, model.Opaque:
	}
	return v.Text, nil
}

// timeForms are the texts of a time that SQLite's own functions read too.
func timeForms() []string {
	return []string{
		"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07:00",
		"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
		"2006-01-02T15:04Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02",
	}
}

// Instant reads a time: unix milliseconds, or ISO 8601 text, which is UTC unless
// it says otherwise. A NULL gives the zero time.
func (d *Dialect) Instant(v model.Value) (time.Time, error) {
	if v.IsNull() {
		return time.Time{}, nil
	}
	if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return time.UnixMilli(n).UTC(), nil
	}
	text := strings.TrimSpace(v.Text)
	for _, form := range timeForms() {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither unix milliseconds nor ISO 8601", v.Text)
}
