package diagnose

import (
	"strings"
	"time"

	"github.com/leasetop/leasetop/model"
)

func mappedLease() *model.Mapping {
	col := func(name, declared string) model.Column { return model.Column{Name: name, Declared: declared} }
	return &model.Mapping{
		Queue: "orders", Family: model.Fenced, Lease: time.Minute,
		Table: model.Table{Schema: "dbo", Name: "Q"}, History: model.Table{Schema: "dbo", Name: "Q_History"},
		Keys: []model.Column{col("JobId", "bigint")},
		Columns: map[model.Role]model.Column{
			model.RoleState: col("State", "char(1)"), model.RoleToken: col("ClaimToken", "uniqueidentifier"), model.RoleLease: col("LeaseUntil", "datetime2(3)"),
			model.RolePriority: col("Priority", "smallint"), model.RoleAvailable: col("AvailableAt", "datetime2(3)"), model.RoleEnded: col("CompletedAt", "datetime2(3)"),
			model.RoleClaimed: col("ClaimedAt", "datetime2(3)"), model.RoleAttempts: col("Attempts", "int"), model.RoleMaxAttempts: col("MaxAttempts", "int"),
		},
		States: map[model.State]model.Value{
			model.Scheduled: model.TextValue("S"), model.Ready: model.TextValue("R"), model.Working: model.TextValue("W"),
			model.Done: model.TextValue("D"), model.Failed: model.TextValue("F"),
		},
	}
}

func one(n int64) model.Number { return model.NumberOf(n) }

// sound is a checkup of the shipped schema on a server that has nothing to complain
// of, every row read.
func sound() DoctorFacts {
	s := poll(0, model.Pulse{Expired: exact(0), Done: model.Count{N: 48_211, Trust: model.Estimated}})
	s.Mapping = mappedLease()
	state := s.Mapping.Columns[model.RoleState]
	state.Folds = true // so that w is W
	s.Mapping.Columns[model.RoleState] = state
	s.Caps.Engine, s.Caps.Login = "sqlserver", "ops"
	s.Caps.Can[model.CanHistory] = model.Yes()
	index := func(name string, history bool, columns ...string) model.Index {
		return model.Index{Name: name, OnHistory: history, Columns: columns, RowLocks: true, Unique: strings.HasPrefix(name, "PK"), Clustered: strings.HasPrefix(name, "PK")}
	}
	none := model.Obstacle{Count: one(0)}
	return DoctorFacts{
		Snapshot: s, Scanned: true,
		Catalog: model.Catalog{
			Edition: "Developer Edition", Online: one(1), RowVersions: one(1), Snapshot: one(1), Optimized: one(0), Offset: one(120),
			Identity: model.Identity{Column: "JobId", Declared: "bigint", Last: one(50_000)}, NullableKeys: one(0), Rows: one(50_000), Events: one(70_000),
			Triggers: none, References: none, Checks: none, MayInsert: one(1), MayUpdate: one(1), MayRecall: one(1), MayRecord: one(1), SeesSessions: one(1),
		},
		Indexes: []model.Index{
			index("PK_Q", false, "JobId"), index("IX_Claim", false, "State", "Priority", "AvailableAt"), index("IX_Due", false, "State", "AvailableAt"),
			index("PK_H", true, "Seq"), index("IX_Job", true, "JobId", "Seq"), index("IX_At", true, "At"),
		},
		Symptoms: []model.Symptom{
			{Rule: model.SymptomState, Value: "R"}, {Rule: model.SymptomState, Value: "D "}, {Rule: model.SymptomState, Value: "w"},
			{Rule: model.SymptomNewest, Value: "claimed", Span: 4 * time.Second},
		},
		Past: []model.Symptom{{Rule: model.SymptomOldest, Span: time.Hour}},
	}
}

// embedded is the same on a file, with the indexes that it has for single states.
func embedded() DoctorFacts {
	f := sound()
	f.Snapshot.Caps.Engine = "sqlite"
	f.Catalog = model.Catalog{Edition: "SQLite", NullableKeys: one(0), Rows: one(50_000), Events: one(70_000)}
	f.Indexes = []model.Index{
		{Name: "PRIMARY KEY", Columns: []string{"JobId"}, Unique: true, Clustered: true},
		{Name: "IX_Q_Ready", Columns: []string{"Priority", "AvailableAt", "JobId"}, Filter: `"State" = 'R'`},
		{Name: "IX_Q_Working", Columns: []string{"LeaseUntil", "JobId"}, Filter: `"State" = 'W'`},
		{Name: "IX_Q_Scheduled", Columns: []string{"AvailableAt", "JobId"}, Filter: `"State" = 'S'`},
		{Name: "IX_Q_Failed", Columns: []string{"CompletedAt", "JobId"}, Filter: `"State" = 'F'`},
		{Name: "IX_H_Job", OnHistory: true, Columns: []string{"JobId", "Seq"}},
		{Name: "IX_H_Completed", OnHistory: true, Columns: []string{"At"}, Filter: "Kind = 'completed'"},
	}
	return f
}
