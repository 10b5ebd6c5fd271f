package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// rowPayload is what a row carries, which is the row itself.
func (q *Queue) rowPayload(k model.Key, limit int) model.Payload {
	m := q.Mapping()
	values, _ := m.CutRow(k)
	raw := payloadOf(m, values)
	return model.Payload{Text: text.CleanBlock(raw, limit), Bytes: model.NumberOf(int64(len(raw))), Cut: len(raw) > limit}
}

// payloadOf is a row as its worker gets it: the payload column where one is
// mapped, else a JSON object of all values.
func payloadOf(m *model.Mapping, values []model.Value) string {
	payload := m.Column(model.RolePayload)
	var b bytes.Buffer
	b.WriteByte('{')
	for i, c := range m.Keys {
		if i >= len(values) {
			break
		}
		if c.Name == payload.Name {
			return values[i].Text
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(jsonText(c.Name))
		b.WriteByte(':')
		switch v := values[i]; {
		case v.IsNull():
			b.WriteString("null")
		case v.Type == model.Int && json.Valid([]byte(v.Text)):
			b.WriteString(v.Text)
		default:
			b.Write(jsonText(v.Text))
		}
	}
	b.WriteByte('}')
	return b.String()
}

func jsonText(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return []byte(`""`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// put adds rows to a destructive queue and returns them, in no order. A job's
// payload is a JSON object of its values by column, or the text of the payload
// column where one is mapped. A time that it does not give is the server's now.
func (q *Queue) put(ctx context.Context, jobs []model.NewJob) ([]model.Key, error) {
	b, err := q.binding(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]map[string]*string, len(jobs))
	for i, j := range jobs {
		if rows[i], err = rowOf(b.mapping, j.Payload); err != nil {
			return nil, &model.Fault{Class: model.FaultTarget, Op: string(OpPut), Text: text.Clean(fmt.Sprintf("row %d: %v", i+1, err))}
		}
	}
	_, answer, err := q.array(ctx, OpPut, rows)
	if err != nil {
		return nil, err
	}
	c := q.decoder(b)
	var keys []model.Key
	for _, r := range answer {
		if here(r) {
			keys = append(keys, model.KeyOf(c.values(r)...))
		}
	}
	return keys, nil
}

// rowOf reads a payload as the values of a row.
func rowOf(m *model.Mapping, payload string) (map[string]*string, error) {
	d := json.NewDecoder(strings.NewReader(payload))
	d.UseNumber()
	var given map[string]any
	err := d.Decode(&given)
	out := make(map[string]*string, len(m.Keys))
	if c := m.Column(model.RolePayload); !c.IsZero() && (err != nil || given == nil || !namesColumns(m, given)) {
		given, err = map[string]any{c.Name: payload}, nil
	}
	if err != nil || given == nil {
		return nil, fmt.Errorf("the payload is no JSON object of the row's values, such as {%q: …}", m.Keys[0].Name)
	}
	for i, c := range m.Keys {
		name := c.Name
		for n := range given {
			if strings.EqualFold(n, c.Name) {
				name = n
			}
		}
		v, ok := given[name]
		delete(given, name)
		if !ok || v == nil {
			continue
		}
		if c.Made {
			return nil, fmt.Errorf("the server makes the value of %s itself", c.Name)
		}
		s := fmt.Sprint(v)
		switch v := v.(type) {
		case string:
			s = v
		case bool:
			s = map[bool]string{true: "1", false: "0"}[v]
		case json.Number:
			s = v.String()
		default:
			return nil, fmt.Errorf("%s is neither text nor a number", c.Name)
		}
		out[keyParam(i)] = &s
	}
	for name := range given {
		return nil, fmt.Errorf("the table has no column %s", name)
	}
	return out, nil
}

// namesColumns reports whether every member of an object is a column.
func namesColumns(m *model.Mapping, given map[string]any) bool {
	n := 0
	for _, c := range m.Keys {
		if _, ok := given[c.Name]; ok {
			n++
		}
	}
	return n == len(given) && n > 0
}
