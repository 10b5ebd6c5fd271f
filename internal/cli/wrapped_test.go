package cli

import (
	"strings"
	"testing"
)

func TestLinesAreBrokenAtWords(t *testing.T) {
	var out strings.Builder
	w := &wrapped{w: &out, width: 24}
	for _, s := range []string{"  12  pick-07 claims the ", "job and is killed\n      → nothing came of it at all\nshort\n"} {
		if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatal(n, err)
		}
	}
	want := `  12  pick-07 claims the
      job and is killed
      → nothing came of
        it at all
short
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
