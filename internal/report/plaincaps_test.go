package report_test

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/report"
	"github.com/leasetop/leasetop/model"
)

// TestCapsAreAScriptsHead holds that what a probe found stands above the statements
// as comments, each line one, and that what a server says cannot leave its comment.
func TestCapsAreAScriptsHead(t *testing.T) {
	var b strings.Builder
	err := report.PlainCaps(&b, &model.Caps{
		Engine: "sqlserver", Version: "16.0.4135.4", Database: "Shop", Login: "ops\nDROP TABLE x", Encrypted: "TLS",
		Server: model.Server{Product: "SQL Server 2022", Collation: "Latin1_General_CS_AS"},
		Can: map[model.Feature]model.Verdict{
			model.CanRead: model.Yes(), model.CanControl: model.No("UPDATE on dbo.QueueDemo (ClaimToken) is missing", "ask for it"),
		},
		Notes: []string{"not known here: facts"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.TrimSpace(b.String())) {
		if !strings.HasPrefix(line, "-- ") {
			t.Errorf("it leaves the comment: %q", line)
		}
	}
	for _, want := range []string{
		"-- SQL Server 2022 16.0.4135.4, database Shop, login ops", "-- collation Latin1_General_CS_AS",
		"-- cannot control: UPDATE on dbo.QueueDemo (ClaimToken) is missing: ask for it", "-- not known here: facts",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
