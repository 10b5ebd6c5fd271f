//go:build !entra

package sqlserver

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/dsn"
	"github.com/leasetop/leasetop/model"
)

// TestEntraNamesItsBuild holds that a build without Microsoft Entra says which build
// has it, and asks nobody anything.
func TestEntraNamesItsBuild(t *testing.T) {
	for _, way := range dsn.Entras() {
		text := "sqlserver://client@db1?database=Shop&fedauth=" + way
		_, err := SignIn(t.Context(), text, nil)
		if err == nil {
			_, err = Open(text, Options{Password: "x"})
		}
		if f := faultOf(t, err); f.Class != model.FaultTarget || !strings.Contains(f.Cure, "-tags entra") {
			t.Errorf("%s: %+v", way, f)
		}
	}
}
