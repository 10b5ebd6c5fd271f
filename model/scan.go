package model

import "time"

// Scan is what watching costs where no index leads on the state and somebody
// insisted all the same. The zero Scan is a queue whose figures are found by an
// index, or not asked for.
type Scan struct {
	On    bool
	Rows  Number // how many rows each statement may read; unknown: no metadata says
	Index string // the statement that makes the index which would end it
}

// How seldom a table is read from end to end.
const (
	scanEvery   = 30 * time.Second // for every million rows that are begun
	scanMost    = 5 * time.Minute  // and where nobody knows how many there are
	scanMillion = 1_000_000
)

// Every is the shortest interval between two looks; 0: as configured.
func (s Scan) Every() time.Duration {
	switch {
	case !s.On:
		return 0
	case !s.Rows.Known, s.Rows.N >= scanMillion*int64(scanMost/scanEvery):
		return scanMost
	}
	return scanEvery * time.Duration(1+max(s.Rows.N-1, 0)/scanMillion)
}
