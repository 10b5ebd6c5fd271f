package model

import (
	"fmt"
	"time"
)

// Server is what a probe found out about the server, the database and the table
// beside what leasetop needs: what a person wants to know who asks why it is so.
type Server struct {
	Product    string // such as "SQL Server 2022", "Azure SQL Database", "Babelfish"; empty: not known
	Edition    string // as the server says
	Collation  string // the database's
	Level      Number // the database's compatibility level
	RCSI       Number // READ_COMMITTED_SNAPSHOT: 1 on
	Snapshot   Number // ALLOW_SNAPSHOT_ISOLATION: 1 on
	Optimized  Number // optimized locking: 1 on
	NoCount    Number // sessions begin with NOCOUNT: 1 on
	ReadOnly   bool
	Replica    string // "primary" or "readable secondary" of an availability group; empty: neither is known
	Offset     Number // the server's local time minus UTC, in minutes
	Temporal   bool   // the table keeps the history of its rows by itself
	Partitions Number
	Masked     Number // masked columns, whose values this login may see otherwise
	Policies   Number // row-level security that may hide rows
	Columnar   bool   // a columnstore index
	Memory     bool   // memory-optimised
}

// Lines says the facts that are known, one a line.
func (s *Server) Lines() []string {
	var out []string
	add := func(known bool, format string, args ...any) {
		if known {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	on := func(n Number) string {
		if n.N == 1 {
			return "on"
		}
		return "off"
	}
	add(s.Edition != "", "edition %s", s.Edition)
	add(s.Collation != "", "collation %s", s.Collation)
	add(s.Level.Known, "compatibility level %d", s.Level.N)
	add(s.RCSI.Known, "READ_COMMITTED_SNAPSHOT %s, ALLOW_SNAPSHOT_ISOLATION %s", on(s.RCSI), on(s.Snapshot))
	add(s.Optimized.Known, "optimized locking %s", on(s.Optimized))
	add(s.NoCount.Known, "NOCOUNT %s by default", on(s.NoCount))
	add(s.ReadOnly, "the database takes no writes here")
	add(s.Replica != "", "%s of an availability group", s.Replica)
	add(s.Offset.Known, "local time is UTC %s", (time.Duration(s.Offset.N) * time.Minute).String())
	add(s.Memory, "the table is memory-optimised")
	add(s.Temporal, "the table is system-versioned (temporal)")
	add(s.Partitions.N > 1, "the table has %d partitions", s.Partitions.N)
	add(s.Columnar, "the table has a columnstore index")
	add(s.Masked.N > 0, "%d columns are masked for logins without UNMASK", s.Masked.N)
	add(s.Policies.N > 0, "row-level security stands on the table: rows may be hidden, and figures are of what is seen")
	return out
}
