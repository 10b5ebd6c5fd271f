package model

import (
	"testing"
)

func TestPackedComesBack(t *testing.T) {
	row := Key{} // of a destructive queue: a value of every type
	for i := range typeNames {
		row = KeyOf(append(row.Values(), Value{Type(i), "0x1"})...)
	}
	for _, k := range []Key{{}, row, KeyOf(IntValue(-7)), KeyOf(TextValue(""), GUIDValue("6f9619ff-8b86-d011-b42d-00c04fc964ff"), Value{})} {
		b, err := k.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var got Key
		if err := got.UnmarshalBinary(b); err != nil || got != k {
			t.Errorf("%q comes back as %q, %v", k, got, err)
		}
		var token Token
		if err := token.UnmarshalBinary(b); err != nil || token.packed != k.packed {
			t.Errorf("%q comes back as the token %q, %v", k, token, err)
		}
	}
	for _, bad := range []string{"x", "1", "13:ab", "12:abc", "85:abcde", "95:abcde", "1-1:", "102:12"} {
		var k Key
		if err := k.UnmarshalBinary([]byte(bad)); err == nil || k != (Key{}) {
			t.Errorf("%q is read as %q, %v", bad, k, err)
		}
	}
}
