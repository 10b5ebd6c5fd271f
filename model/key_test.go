package model

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawValue gives a value of a type as an engine could print it.
func drawValue(t *rapid.T, typ Type) Value {
	switch typ {
	case Int:
		return IntValue(rapid.Int64().Draw(t, "int"))
	case GUID:
		return GUIDValue(rapid.StringMatching(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`).Draw(t, "guid"))
	case Binary:
		return Value{Binary, "0x" + rapid.StringMatching(`([0-9A-F]{2}){1,8}`).Draw(t, "bytes")}
	case Time:
		return TimeValue(rapid.StringMatching(`[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{0,7}`).Draw(t, "time"))
	case Text, Null:
	}
	return TextValue(rapid.String().Draw(t, "text"))
}

func drawColumns(t *rapid.T) ([]Column, []Value) {
	n := rapid.IntRange(1, 4).Draw(t, "columns")
	cols, vs := make([]Column, n), make([]Value, n)
	for i := range cols {
		typ := rapid.SampledFrom([]Type{Int, Text, GUID, Time, Binary}).Draw(t, "type")
		cols[i], vs[i] = Column{Name: "c", Type: typ}, drawValue(t, typ)
	}
	return cols, vs
}

func TestKeysAndTokensComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, vs := drawColumns(t)
		k, tok := KeyOf(vs...), TokenOf(vs...)
		if k.IsZero() || tok.IsZero() || !slices.Equal(k.Values(), vs) || !slices.Equal(tok.Values(), vs) {
			t.Fatalf("%v came back as %v and %v", vs, k.Values(), tok.Values())
		}
		if got, err := ParseKey(cols, k.String()); err != nil || got != k {
			t.Fatalf("key %q came back as %q: %v", k.String(), got.String(), err)
		}
		if got, err := ParseToken(cols, tok.String()); err != nil || got != tok {
			t.Fatalf("token %q came back as %q: %v", tok.String(), got.String(), err)
		}
	})
}

func TestDifferentValuesAreDifferentKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, a := drawColumns(t)
		_, b := drawColumns(t)
		if (KeyOf(a...) == KeyOf(b...)) != slices.Equal(a, b) {
			t.Fatalf("%v and %v", a, b)
		}
	})
	for _, pair := range [][2]Key{
		{KeyOf(TextValue("ab"), TextValue("c")), KeyOf(TextValue("a"), TextValue("bc"))},
		{KeyOf(TextValue("1")), KeyOf(IntValue(1))},
		{KeyOf(TextValue("")), KeyOf(TextValue(""), TextValue(""))},
		{KeyOf(TextValue("11:x")), KeyOf(TextValue("1"), TextValue("x"))},
	} {
		if pair[0] == pair[1] {
			t.Errorf("%v and %v are one key", pair[0].Values(), pair[1].Values())
		}
	}
}

func TestTokens(t *testing.T) {
	guid := []Column{{Name: "ClaimToken", Type: GUID}}
	if tok := TokenOf(Value{}); !tok.IsZero() || tok.String() != "none" || tok.Values() != nil {
		t.Errorf("NULL is the token %q", tok)
	}
	if tok := TokenOf(IntValue(1), Value{}); !tok.IsZero() {
		t.Errorf("half a token is a token: %q", tok)
	}
	for _, none := range []string{"none", "None", "NONE"} {
		if tok, err := ParseToken(guid, none); err != nil || !tok.IsZero() {
			t.Errorf("%s is %q, %v", none, tok, err)
		}
	}
	text := []Column{{Name: "Owner", Type: Text}}
	if tok := TokenOf(TextValue("None")); tok.String() != `\None` {
		t.Errorf("the token None is written %q", tok.String())
	} else if got, err := ParseToken(text, tok.String()); err != nil || got != tok {
		t.Errorf("it comes back as %q, %v", got, err)
	}
	lower, _ := ParseToken(guid, "6f9619ff-8b86-d011-b42d-00c04fc964ff")
	if lower != TokenOf(GUIDValue("6F9619FF-8B86-D011-B42D-00C04FC964FF")) {
		t.Errorf("a GUID in lower case is another token: %q", lower)
	}
}

func TestWhatIsNoKey(t *testing.T) {
	cols := func(types ...Type) []Column {
		out := make([]Column, len(types))
		for i, typ := range types {
			out[i] = Column{Name: "JobId", Type: typ}
		}
		return out
	}
	cases := []struct {
		cols []Column
		text string
		says string
	}{
		{cols(Int), "x", "not a whole number"},
		{cols(Int), "", "not a whole number"},
		{cols(Int), "9223372036854775808", "not a whole number"},
		{cols(Int), "1,2", "2 parts"},
		{cols(Int, Text), "1", "1 parts"},
		{cols(GUID), "6F9619FF", "not a GUID"},
		{cols(GUID), "6F9619FF-8B86-D011-B42D-00C04FC964FF' OR 1=1", "not a GUID"},
		{cols(Binary), "0x0", "not bytes"},
		{cols(Null), "1", "no known type"},
	}
	for _, c := range cases {
		k, err := ParseKey(c.cols, c.text)
		if err == nil || !strings.Contains(err.Error(), c.says) || !k.IsZero() {
			t.Errorf("%q: key %v, error %v; want one that says %q", c.text, k, err, c.says)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	for _, s := range []string{"1", "1,2", `a\,b,c`, `\`, `\\`, "none", `\none`, "0x00ff", "6f9619ff-8b86-d011-b42d-00c04fc964ff", ""} {
		f.Add(s)
	}
	shapes := [][]Column{{{Type: Int}}, {{Type: Text}}, {{Type: GUID}}, {{Type: Binary}}, {{Type: Int}, {Type: Text}}, {{Type: Text}, {Type: Text}}}
	f.Fuzz(func(t *testing.T, s string) {
		for _, cols := range shapes {
			if k, err := ParseKey(cols, s); err == nil {
				if again, err := ParseKey(cols, k.String()); err != nil || again != k {
					t.Errorf("%q is the key %q, which comes back as %q, %v", s, k, again, err)
				}
			}
			if tok, err := ParseToken(cols, s); err == nil {
				if again, err := ParseToken(cols, tok.String()); err != nil || again != tok {
					t.Errorf("%q is the token %q, which comes back as %q, %v", s, tok, again, err)
				}
			}
		}
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add("11:5")
	f.Add("299999999999999999999:x")
	f.Add("9-1:x")
	f.Fuzz(func(t *testing.T, s string) {
		for _, v := range unpack(s) {
			if len(v.Text) > len(s) {
				t.Errorf("%q unpacks to more than it holds: %q", s, v.Text)
			}
		}
	})
}
