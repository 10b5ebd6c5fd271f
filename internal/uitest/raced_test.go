//go:build race

package uitest_test

import "time"

// raced says that the race detector watches. It costs ten times: what is repeated
// only to make sure, or measured, is done less often with it.
const (
	raced   = true
	stretch = 3 * time.Minute // a sixth of TestHour
	coarser = 2               // steps of TestEverySize and of the replay in TestHostilePlaces
)
