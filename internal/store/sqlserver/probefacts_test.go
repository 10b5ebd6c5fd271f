package sqlserver

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// TestProbeKnowsTheServer holds what people call a server, and every fact that a
// person is told.
func TestProbeKnowsTheServer(t *testing.T) {
	tests := map[string]struct {
		facts   facts
		product string
		lines   []string
		note    string
	}{
		"SQL Server 2022": {
			facts{noRCSI: true, snapshot: true, server: map[string]any{
				"engine": 3, "edition": "Developer Edition (64-bit)", "collation": "Latin1_General_CS_AS", "nocount": 512, "offset": 120, "replica": 0,
			}}, "SQL Server 2022",
			[]string{
				"edition Developer Edition (64-bit)", "collation Latin1_General_CS_AS", "compatibility level 160",
				"READ_COMMITTED_SNAPSHOT off, ALLOW_SNAPSHOT_ISOLATION on", "NOCOUNT on by default", "local time is UTC 2h0m0s",
			}, "",
		},
		"Azure SQL": {
			facts{server: map[string]any{"engine": 5, "optimized": 1}}, "Azure SQL Database",
			[]string{"optimized locking on", "READ_COMMITTED_SNAPSHOT on"}, "",
		},
		"Managed Instance": {facts{server: map[string]any{"engine": 8}}, "Azure SQL Managed Instance", nil, ""},
		"Babelfish":        {facts{babelfish: "4.3.0", server: map[string]any{"engine": 3}}, "Babelfish", nil, ""},
		"a secondary": {
			facts{readOnly: true, server: map[string]any{"engine": 3, "replica": 1}}, "SQL Server 2022",
			[]string{"the database takes no writes here", "readable secondary of an availability group"}, "",
		},
		"a table with everything": {
			facts{memory: true, server: map[string]any{"engine": 2, "temporal": 2, "partitions": 4, "columnar": 1, "masked": 2, "policies": 1}},
			"SQL Server 2022",
			[]string{"memory-optimised", "system-versioned", "4 partitions", "columnstore", "2 columns are masked", "row-level security"}, "rows may be hidden",
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := dial(t, tc.facts, always(nothing()))
				c, err := w.q.Probe(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if c.Server.Product != tc.product {
					t.Errorf("it is called %q, want %q", c.Server.Product, tc.product)
				}
				got := strings.Join(c.Server.Lines(), "\n")
				for _, want := range tc.lines {
					if !strings.Contains(got, want) {
						t.Errorf("%q is not said in\n%s", want, got)
					}
				}
				if !strings.Contains(strings.Join(c.Notes, "\n"), tc.note) {
					t.Errorf("notes %q, want %q", c.Notes, tc.note)
				}
			})
		})
	}
}

// TestVersionsHaveYears holds the names of the versions, and that an old one is
// warned of.
func TestVersionsHaveYears(t *testing.T) {
	for version, want := range map[string]string{
		"13.0.5026.0": "SQL Server 2016", "14.0.1": "SQL Server 2017", "15.0": "SQL Server 2019", "16.0.1": "SQL Server 2022",
		"17.0.700": "SQL Server 2025", "12.0.2": "SQL Server 2014", "99.1": "SQL Server", "": "SQL Server",
	} {
		if got := product(Engine, version, store.Row{}); got != want {
			t.Errorf("%q is called %q, want %q", version, got, want)
		}
	}
	var s model.Server
	if len(s.Lines()) != 0 {
		t.Errorf("nothing is known and %q is said", s.Lines())
	}
}
