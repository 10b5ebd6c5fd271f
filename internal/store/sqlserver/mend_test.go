package sqlserver

import (
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/model"
)

// TestMend holds the statement of every remedy to its text: it is printed for a
// person to run, whatever the names and keys are.
func TestMend(t *testing.T) {
	m := mapping(t, profile.Lease)
	queue, history := m.Table, m.History
	odd := model.Table{Schema: "sales", Name: "my]queue"}
	for name, c := range map[string]struct {
		remedy model.Remedy
		want   string
	}{
		"an index":               {model.Remedy{Kind: model.MendIndex, Table: queue, Name: "IX_Claim", Columns: []string{"State", "JobId"}}, "CREATE INDEX [IX_Claim] ON [dbo].[QueueDemo] ([State], [JobId]);"},
		"built online":           {model.Remedy{Kind: model.MendIndex, Table: odd, Name: "a]b", Columns: []string{"c]d"}, Online: true}, "CREATE INDEX [a]]b] ON [sales].[my]]queue] ([c]]d]) WITH (ONLINE = ON);"},
		"a unique one":           {model.Remedy{Kind: model.MendUnique, Table: queue, Name: "IX_Key", Columns: []string{"JobId"}}, "CREATE UNIQUE INDEX [IX_Key] ON [dbo].[QueueDemo] ([JobId]);"},
		"the table in an order":  {model.Remedy{Kind: model.MendClustered, Table: queue, Name: "IX_Order", Columns: []string{"QDateTime"}, Online: true}, "CREATE CLUSTERED INDEX [IX_Order] ON [dbo].[QueueDemo] ([QDateTime]) WITH (ONLINE = ON);"},
		"the filter away":        {model.Remedy{Kind: model.MendWhole, Table: queue, Name: "IX", Columns: []string{"State"}, Online: true}, "CREATE INDEX [IX] ON [dbo].[QueueDemo] ([State]) WITH (DROP_EXISTING = ON, ONLINE = ON);"},
		"enabled again":          {model.Remedy{Kind: model.MendEnable, Table: queue, Name: "IX"}, "ALTER INDEX [IX] ON [dbo].[QueueDemo] REBUILD;"},
		"no page locks":          {model.Remedy{Kind: model.MendPageLocks, Table: queue}, "ALTER INDEX ALL ON [dbo].[QueueDemo] SET (ALLOW_PAGE_LOCKS = OFF);"},
		"row locks":              {model.Remedy{Kind: model.MendRowLocks, Table: queue, Name: "IX"}, "ALTER INDEX [IX] ON [dbo].[QueueDemo] SET (ALLOW_ROW_LOCKS = ON);"},
		"row versions":           {model.Remedy{Kind: model.MendVersions}, "ALTER DATABASE CURRENT SET READ_COMMITTED_SNAPSHOT ON;"},
		"a right":                {model.Remedy{Kind: model.MendGrant, Name: "UPDATE", Table: queue, To: `PROD\anna`}, `GRANT UPDATE ON [dbo].[QueueDemo] TO [PROD\anna];`},
		"a right on the server":  {model.Remedy{Kind: model.MendGrant, Name: "VIEW SERVER STATE", To: "ops"}, "GRANT VIEW SERVER STATE TO [ops]; -- in master"},
		"a right in Azure":       {model.Remedy{Kind: model.MendGrant, Name: "VIEW DATABASE STATE", To: "ops"}, "GRANT VIEW DATABASE STATE TO [ops];"},
		"a trigger away":         {model.Remedy{Kind: model.MendTrigger, Table: history, Name: "TR"}, "DROP TRIGGER [dbo].[TR];"},
		"a trigger off":          {model.Remedy{Kind: model.MendDisable, Table: model.Table{Schema: "dbo", Name: "Q"}, Name: "TR"}, "DISABLE TRIGGER [dbo].[TR] ON [dbo].[Q];"},
		"a constraint away":      {model.Remedy{Kind: model.MendConstraint, Table: history, Name: "CK"}, "ALTER TABLE [dbo].[QueueDemo_History] DROP CONSTRAINT [CK];"},
		"a wider key":            {model.Remedy{Kind: model.MendWiden, Table: queue, Columns: []string{"JobId"}}, "ALTER TABLE [dbo].[QueueDemo] ALTER COLUMN [JobId] bigint NOT NULL; -- once the primary key and the indexes on it are dropped"},
		"a key that is not NULL": {model.Remedy{Kind: model.MendNotNull, Table: queue, Columns: []string{"JobId"}}, "ALTER TABLE [dbo].[QueueDemo] ALTER COLUMN [JobId] bigint NOT NULL;"},
		"a finer lease":          {model.Remedy{Kind: model.MendPrecision, Table: queue, Columns: []string{"LeaseUntil"}}, "ALTER TABLE [dbo].[QueueDemo] ALTER COLUMN [LeaseUntil] datetime2(3) NULL;"},
		"a row freed":            {model.Remedy{Kind: model.MendFree, Table: queue, Key: key()}, "UPDATE [dbo].[QueueDemo] SET [State] = 'R', [ClaimToken] = NEWID(), [LeaseUntil] = NULL WHERE [JobId] = 10421 AND [State] = 'W' AND ([ClaimToken] IS NULL OR [LeaseUntil] IS NULL);"},
		"one attempt more":       {model.Remedy{Kind: model.MendBound, Table: queue, Key: key()}, "UPDATE [dbo].[QueueDemo] SET [MaxAttempts] = [Attempts] + 1 WHERE [JobId] = 10421 AND [State] = 'R';"},
		"when they failed":       {model.Remedy{Kind: model.MendEnded, Table: queue}, "UPDATE TOP (500) [dbo].[QueueDemo] SET [CompletedAt] = SYSUTCDATETIME() WHERE [State] = 'F' AND [CompletedAt] IS NULL;"},
		"when they are due":      {model.Remedy{Kind: model.MendDue, Table: queue}, "UPDATE TOP (500) [dbo].[QueueDemo] SET [AvailableAt] = SYSUTCDATETIME() WHERE [State] = 'S' AND [AvailableAt] IS NULL;"},
		"the leases of done":     {model.Remedy{Kind: model.MendLease, Table: queue}, "UPDATE TOP (500) [dbo].[QueueDemo] SET [LeaseUntil] = NULL WHERE [State] = 'D' AND [LeaseUntil] IS NOT NULL; -- repeat until nothing is left"},
	} {
		got, err := (Dialect{}).Mend(m, c.remedy)
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, r := range []model.Remedy{{}, {Kind: "magic"}, {Kind: model.MendFree, Table: queue}, {Kind: model.MendGrant, Name: "CONTROL; DROP", To: "x"}} {
		if got, err := (Dialect{}).Mend(m, r); err == nil {
			t.Errorf("%+v is mended by %q", r, got)
		}
	}
}

// TestMendQuotesKeys holds that no key leaves the text that it stands in.
func TestMendQuotesKeys(t *testing.T) {
	m := mapping(t, profile.Bare)
	for declared, c := range map[string]struct {
		key  model.Value
		want string
	}{
		"varchar(40)":      {model.TextValue("a'; DROP TABLE x;--"), "[JobId] = 'a''; DROP TABLE x;--'"},
		"nvarchar(40)":     {model.TextValue("o'h"), "[JobId] = N'o''h'"},
		"varchar(41)":      {model.TextValue("漢"), "[JobId] = N'漢'"},
		"varbinary(16)":    {model.Value{Type: model.Binary, Text: "0x0A1B"}, "[JobId] = CONVERT(varbinary(16), '0x0A1B', 1)"},
		"uniqueidentifier": {model.GUIDValue(tokenA), "[JobId] = '" + tokenA + "'"},
	} {
		m.Keys = []model.Column{{Name: "JobId", Type: c.key.Type, Declared: declared}}
		got, err := (Dialect{}).Mend(m, model.Remedy{Kind: model.MendFree, Key: model.KeyOf(c.key)})
		want := "UPDATE [dbo].[QueueDemo] SET [State] = 'R', [ClaimToken] = NEWID(), [LeaseUntil] = NULL WHERE " + c.want +
			" AND [State] = 'W' AND ([ClaimToken] IS NULL OR [LeaseUntil] IS NULL);"
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", declared, got, err)
		}
	}
}
