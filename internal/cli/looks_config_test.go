package cli

import (
	"slices"
	"testing"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/themes"
)

// TestFilesNameTheLooksThatThereAre holds that the themes and colours that a file may
// name are those that can be drawn: the configuration knows no styles.
func TestFilesNameTheLooksThatThereAre(t *testing.T) {
	if got, want := config.ThemeNames(), themes.Names(); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("a file may name %q, there are %q", got, want)
	}
	for _, name := range config.ColorNames() {
		if _, ok := themes.MarkNamed(name); !ok {
			t.Errorf("no theme has the colour %s", name)
		}
	}
}
