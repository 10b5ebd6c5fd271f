package sqlserver

import (
	"fmt"
	"os"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

// TestInsisting holds the dialect to --allow-scan on a real server.
func TestInsisting(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server")
	}
	storetest.RunInsist(t, newBench(t, dsn))
}

func (b *bench) Unindexed(t testing.TB, rows int) storetest.Unindexed {
	t.Helper()
	s := &stand{b: b, table: fmt.Sprintf("leasetop_%d_insist", os.Getpid())}
	t.Cleanup(func() { b.drop(t, s.table) })
	s.exec(t, fmt.Sprintf(`CREATE TABLE dbo.%s
( JobId int NOT NULL PRIMARY KEY, State char(1) NOT NULL,
  ClaimToken uniqueidentifier NULL, LeaseUntil datetime2(3) NULL, Payload nvarchar(100) NOT NULL )`, s.table))
	s.exec(t, fmt.Sprintf(`WITH d(i) AS (SELECT i FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) AS v(i)),
n(i) AS (SELECT 1 + a.i + 10 * b.i + 100 * c.i + 1000 * e.i + 10000 * f.i FROM d AS a, d AS b, d AS c, d AS e, d AS f)
INSERT INTO dbo.%s (JobId, State, ClaimToken, LeaseUntil, Payload)
SELECT i, CASE WHEN i <= 4 THEN 'R' WHEN i = 5 THEN 'F' WHEN i = 6 THEN 'W' ELSE 'D' END,
       NEWID(), DATEADD(minute, -1, SYSUTCDATETIME()), N'{}' FROM n WHERE i <= %d`, s.table, rows))
	m, err := profile.For(profile.Bare, "orders", model.Table{Schema: "dbo", Name: s.table})
	if err != nil {
		t.Fatal(err)
	}
	return storetest.Unindexed{DB: b.db, Mapping: m, Exec: func(text string) { t.Helper(); s.exec(t, text) }}
}
