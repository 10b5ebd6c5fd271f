package uitest_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/leasetop/leasetop/internal/uitest"
)

// A picture is sound XML whose text is the screen's.
func TestThePictureIsTheScreen(t *testing.T) {
	t.Parallel()
	uitest.Run(t, uitest.Options{Model: func(s *uitest.Session) tea.Model {
		w := newWorld(s.T)
		mixed(w)
		return w.watch()
	}}, func(s *uitest.Session) {
		s.UntilShown(time.Second, "pick-07")
		var text strings.Builder
		d := xml.NewDecoder(strings.NewReader(s.SVG(uitest.Light)))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch x := token.(type) {
			case xml.StartElement:
				if x.Name.Local == "style" {
					_ = d.Skip() // the next token tells of what is wrong
				}
			case xml.CharData:
				text.Write(x)
			}
		}
		plain := func(s string) string {
			return strings.Join(strings.Fields(strings.ReplaceAll(s, "\u00a0", " ")), "")
		}
		if got, want := plain(text.String()), plain(s.Screen()); got != want {
			t.Errorf("the picture says\n%s\nthe screen\n%s", got, want)
		}
	})
}
