package sqlite

import (
	"fmt"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
)

// near says which of the names was probably meant, or which there are.
func near(wanted string, names []string, there string) string {
	switch best := text.Nearest(wanted, names); {
	case best != "":
		return fmt.Sprintf("perhaps %s is meant", best)
	case len(names) == 0:
		return there + " none"
	case len(names) > 8:
		return fmt.Sprintf("%s %s and %d more", there, strings.Join(names[:8], ", "), len(names)-8)
	}
	return fmt.Sprintf("%s %s", there, strings.Join(names, ", "))
}
