package sqlserver

import (
	"context"
	"strconv"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/text"
)

const (
	// askFacts is what nothing depends on and a person asks about. A server that lacks
	// one of the views is asked for less.
	askFacts = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, SERVERPROPERTY('EngineEdition')) AS [engine],
       CONVERT(nvarchar(128), SERVERPROPERTY('Edition')) AS [edition],
       CONVERT(nvarchar(128), DATABASEPROPERTYEX(DB_NAME(), 'Collation')) AS [collation],
       CONVERT(int, DATABASEPROPERTYEX(DB_NAME(), 'IsOptimizedLockingOn')) AS [optimized],
       (SELECT CASE WHEN d.[replica_id] IS NULL THEN 0 ELSE 1 END FROM sys.databases AS d WHERE d.[database_id] = DB_ID()) AS [replica],
       (SELECT CONVERT(int, g.[value_in_use]) & 512 FROM sys.configurations AS g WHERE g.[name] = N'user options') AS [nocount],
       DATEPART(tzoffset, SYSDATETIMEOFFSET()) AS [offset],
       CONVERT(int, HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DATABASE STATE')) AS [state],
       CONVERT(int, t.[temporal_type]) AS [temporal],
       (SELECT COUNT(*) FROM sys.partitions AS p WHERE p.[object_id] = OBJECT_ID(@table) AND p.[index_id] IN (0, 1)) AS [partitions],
       (SELECT COUNT(*) FROM sys.indexes AS i WHERE i.[object_id] = OBJECT_ID(@table) AND i.[type] IN (5, 6)) AS [columnar],
       (SELECT COUNT(*) FROM sys.columns AS c WHERE c.[object_id] = OBJECT_ID(@table) AND c.[is_masked] = 1) AS [masked],
       (SELECT COUNT(*) FROM sys.security_predicates AS s
        JOIN sys.security_policies AS y ON y.[object_id] = s.[object_id] AND y.[is_enabled] = 1
        WHERE s.[target_object_id] = OBJECT_ID(@table)) AS [policies]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN sys.tables AS t
    ON t.[object_id] = OBJECT_ID(@table);`

	askEdition = headCommitted + `SELECT CONVERT(varchar(33), SYSUTCDATETIME(), 126) AS [now],
       CONVERT(int, SERVERPROPERTY('EngineEdition')) AS [engine],
       CONVERT(nvarchar(128), SERVERPROPERTY('Edition')) AS [edition],
       CONVERT(nvarchar(128), DATABASEPROPERTYEX(DB_NAME(), 'Collation')) AS [collation],
       DATEPART(tzoffset, SYSDATETIMEOFFSET()) AS [offset];`
)

// facts asks for what a person may want to know.
func (p *prober) facts(ctx context.Context) error {
	rows, err := p.factRows(ctx)
	if err != nil {
		return err
	}
	r, s := rows[0], &p.caps.Server
	s.Product, s.Edition, s.Collation = product(p.caps.Engine, p.caps.Version, r), text.Clean(r.Text("edition")), text.Clean(r.Text("collation"))
	s.Optimized, s.Offset = r.Int("optimized"), r.Int("offset")
	s.NoCount = r.Int("nocount")
	p.mayState = r.Int("state").N == 1
	s.NoCount.N /= 512
	s.ReadOnly, s.Memory = p.readOnly, p.memory
	if r.Int("replica").N == 1 {
		s.Replica = "primary"
		if p.readOnly {
			s.Replica = "readable secondary"
		}
	}
	s.Temporal, s.Columnar = r.Int("temporal").N == 2, r.Int("columnar").N > 0
	s.Partitions, s.Masked, s.Policies = r.Int("partitions"), r.Int("masked"), r.Int("policies")
	if s.Policies.N > 0 {
		p.caps.Notes = append(p.caps.Notes, "row-level security stands on "+displayName(p.m.Table)+": rows may be hidden from this login, and figures are of what it sees")
	}
	if major(p.caps.Version) > 0 && major(p.caps.Version) < oldest && p.caps.Engine == Engine {
		p.caps.Notes = append(p.caps.Notes, "this server is older than SQL Server 2016: some statements will be refused")
	}
	return nil
}

// factRows are the answer to facts. Babelfish has no views of security policies, and
// is asked for less at once: a refusal costs the connection, and with it all that its
// parser has learnt, so that each statement after it would be slow again.
func (p *prober) factRows(ctx context.Context) ([]store.Row, error) {
	if p.caps.Engine != Babelfish {
		return p.may(ctx, "facts")
	}
	p.caps.Notes = append(p.caps.Notes, "not known here: facts (Babelfish has no sys.security_predicates)")
	return p.must(ctx, "edition")
}

// oldest is the version of SQL Server 2016.
const oldest = 13

// product is what people call a server.
func product(engine, version string, r store.Row) string {
	if engine == Babelfish {
		return "Babelfish"
	}
	switch r.Int("engine").N { // as SERVERPROPERTY('EngineEdition') is documented
	case 5:
		return "Azure SQL Database"
	case 6, 11:
		return "Azure Synapse"
	case 8:
		return "Azure SQL Managed Instance"
	case 9:
		return "Azure SQL Edge"
	case 12:
		return "SQL database in Fabric"
	}
	names := map[int]string{11: "2012", 12: "2014", 13: "2016", 14: "2017", 15: "2019", 16: "2022", 17: "2025"}
	if year, ok := names[major(version)]; ok {
		return "SQL Server " + year
	}
	return "SQL Server"
}

func major(version string) int {
	head, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(head)
	if err != nil {
		return 0
	}
	return n
}
