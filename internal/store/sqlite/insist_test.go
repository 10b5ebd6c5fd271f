package sqlite_test

import (
	"fmt"
	"testing"

	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

// TestInsistingByTheContract holds the dialect to --allow-scan.
func TestInsistingByTheContract(t *testing.T) { storetest.RunInsist(t, bench{}) }

func (b bench) Unindexed(t testing.TB, rows int) storetest.Unindexed {
	t.Helper()
	s, ok := b.Stand(t).(*stand)
	if !ok {
		t.Fatal("not a stand")
	}
	m := s.Make(t, storetest.Shape{Profile: "bare", Key: model.Int, Variant: "ms"})
	s.exec(t, "DROP INDEX IX_Ready")
	s.exec(t, fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
INSERT INTO QueueDemo (JobId, State, Payload, ClaimToken, LeaseUntil)
SELECT i, CASE WHEN i <= 4 THEN 'R' WHEN i = 5 THEN 'F' WHEN i = 6 THEN 'W' ELSE 'D' END, '{}', 'x', ?1 - 1000 FROM n`, rows), s.clock.Now().UnixMilli())
	return storetest.Unindexed{DB: s.Open(t), Mapping: m, Exec: func(text string) { t.Helper(); s.exec(t, text) }}
}
