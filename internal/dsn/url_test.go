package dsn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/dsn"
)

// TestNoPartOfAPasswordIsShown holds that whatever stands in a password, in each
// form and whether the rest can be read or not, neither the error nor a name for
// eyes shows a part of it. A password that begins with digits looks like a port.
func TestNoPartOfAPasswordIsShown(t *testing.T) {
	forms := []string{
		"sqlserver://sa:%s@db1:1444?database=Shop", "sqlserver://sa:%s@db1/INST?database=Shop", "sqlserver://sa:%s@db1",
		"sqlserver://sa:%s@db1:14x4?database=Shop&encrypt=maybe", "sqlserver://db1?user id=sa&password=%s&database=Shop",
		"sqlserver://db1?user id=sa&password=%s&database=Shop&encrypt=maybe", "server=db1;user id=sa;password=%s;database=Shop",
		"server=db1;user id=sa;password=%s;database=Shop;encrypt=maybe", "server=db1,14x;user id=sa;password=%s;database=Shop",
		"odbc:server=db1;uid=sa;pwd=%s;database=Shop", "odbc:server=db1;uid=sa;pwd={%s};database=Shop",
		"odbc:server=db1;uid=sa;pwd={%s};database=Shop;encrypt=maybe", "mysql://sa:%s@db1/x?a=b",
	}
	between := []string{
		";", "}", "{", "%", "@", ":", "/", "?", "#", "&", "=", `"`, "'", `\`, "%zz", "%41", " ", "+", "\n", "ä", "]", "[", "@@", "://", "?a=", "&b=",
		";c=", "%3B", "/x?y=", "\x00", "1:2", "?a@", "/?#",
	}
	for _, form := range forms {
		for _, c := range between {
			for _, first := range []string{"hush", "98765"} {
				text := fmt.Sprintf(form, first+c+"secret"+c+"tail")
				d, err := dsn.Parse(text)
				shown := fmt.Sprintf("%v %#v", d, d)
				if err != nil {
					shown += " " + err.Error()
				} else {
					shown += " " + d.URL()
				}
				for _, part := range []string{"hush", "98765", "secret", "tail"} {
					if strings.Contains(strings.ToLower(shown), part) {
						t.Errorf("%q shows %s: %s", text, part, shown)
					}
				}
			}
		}
	}
}

// TestURLPartsAreWhole holds that a URL which ends one of its parts too early is
// refused rather than read otherwise, and that nothing else is.
func TestURLPartsAreWhole(t *testing.T) {
	for text, fine := range map[string]bool{
		"sqlserver://db1/":                                true,
		"sqlserver://[::1]:1444/INST?database=Shop":       true,
		"sqlserver://sa:a@b:c@db1?database=Shop":          true,
		"sqlserver://db1?user+id=ops@corp&database=Shop":  true,
		"sqlserver://db1?database=Shop#1":                 false,
		"sqlserver://db1#1":                               false,
		"sqlserver://db1/INST/Shop":                       false,
		"sqlserver://sa:12/34@db1?database=Shop":          false,
		"sqlserver://sa:12?34@db1?database=Shop":          false,
		"sqlserver://sa:12:?app name=34@db1?database=Top": false,
	} {
		if _, err := dsn.Parse(text); (err == nil) != fine {
			t.Errorf("%s: %v, want it read: %t", text, err, fine)
		}
	}
}
