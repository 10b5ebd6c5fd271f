package report

import (
	"bytes"
	"encoding/json"
	"testing"
)

// A key is given exactly, and yet nothing in the JSON is obeyed by a terminal.
func TestJSONIsSafeToLookAt(t *testing.T) {
	const key = "a\x1b[2J\u009b31m\u202eevil\x7f\u200b\U000e0001\n<é日>"
	for name, write := range map[string]func(*bytes.Buffer) error{
		"document": func(b *bytes.Buffer) error { return WriteJSON(b, map[string]string{"key": key}) },
		"line":     func(b *bytes.Buffer) error { return WriteLine(b, map[string]string{"key": key}) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(name, err)
		}
		if bytes.ContainsFunc(b.Bytes(), unseen) {
			t.Errorf("%s: a terminal would obey %q", name, b.String())
		}
		var back map[string]string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back["key"] != key {
			t.Errorf("%s: read back %q, %v", name, back["key"], err)
		}
		if !bytes.Contains(b.Bytes(), []byte("<é日>")) {
			t.Errorf("%s: what can be seen was escaped: %q", name, b.String())
		}
	}
}
