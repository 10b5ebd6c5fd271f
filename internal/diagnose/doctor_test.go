package diagnose

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestDoctorFindsNothingInWhatIsSound(t *testing.T) {
	for name, f := range map[string]DoctorFacts{"a server": sound(), "a file": embedded()} {
		c := Doctor(f)
		if len(c.Findings) > 0 || len(c.Unchecked) > 0 || len(c.Sound) == 0 || !c.At.Equal(epoch) {
			t.Errorf("%s: %+v, not checked %+v, at %v", name, c.Findings, c.Unchecked, c.At)
		}
	}
	if c := Doctor(embedded()); slices.Contains(c.Sound, "row-versions") || slices.Contains(c.Sound, "rights") {
		t.Errorf("what a file does not have was checked: %v", c.Sound)
	}
}

// TestDoctorRules breaks one thing a case, on both kinds of engines where it can be
// broken on both, and holds what is found, how bad it is and what mends it.
func TestDoctorRules(t *testing.T) {
	symptom := func(s model.Symptom) func(*DoctorFacts) {
		return func(f *DoctorFacts) { f.Symptoms = append(f.Symptoms, s) }
	}
	count := func(rule string, n int64) func(*DoctorFacts) {
		return symptom(model.Symptom{Rule: rule, Count: exact(n), Key: key(7)})
	}
	newest := func(ago time.Duration, offset int64) func(*DoctorFacts) {
		return func(f *DoctorFacts) {
			f.Symptoms, f.Catalog.Offset = []model.Symptom{{Rule: model.SymptomNewest, Value: "claimed", Span: ago}}, one(offset)
		}
	}
	declare := func(r model.Role, declared string) func(*DoctorFacts) {
		return func(f *DoctorFacts) {
			c := f.Snapshot.Mapping.Columns[r]
			c.Declared = declared
			f.Snapshot.Mapping.Columns[r] = c
		}
	}
	without := func(names ...string) func(*DoctorFacts) {
		return func(f *DoctorFacts) {
			f.Indexes = slices.DeleteFunc(f.Indexes, func(ix model.Index) bool { return slices.Contains(names, ix.Name) })
		}
	}
	change := func(name string, do func(*model.Index)) func(*DoctorFacts) {
		return func(f *DoctorFacts) {
			for i := range f.Indexes {
				if f.Indexes[i].Name == name {
					do(&f.Indexes[i])
				}
			}
		}
	}
	catalog := func(do func(*model.Catalog)) func(*DoctorFacts) { return func(f *DoctorFacts) { do(&f.Catalog) } }
	found := func(x model.Finding) func(*DoctorFacts) {
		return func(f *DoctorFacts) { f.Snapshot.Findings = []model.Finding{x} }
	}
	covered := map[string]bool{}
	file := func(breaks func(*DoctorFacts)) func(*DoctorFacts) {
		return func(f *DoctorFacts) { *f = embedded(); breaks(f) }
	}
	for name, c := range map[string]struct {
		broken   func(*DoctorFacts)
		rule     string
		severity model.Severity
		text     string // a part of it
		remedy   string
	}{
		"no token":            {count(model.SymptomNoToken, 1), model.SymptomNoToken, model.Bad, "1 working row has no token", model.MendFree},
		"no lease":            {count(model.SymptomNoLease, 3), model.SymptomNoLease, model.Bad, "3 working rows have no lease", model.MendFree},
		"one token for all":   {symptom(model.Symptom{Rule: model.SymptomShared, Count: exact(1), Value: tokenA}), model.SymptomShared, model.Bad, "1 token is on rows of different claims", ""},
		"over the bound":      {count(model.SymptomOverBound, 2), model.SymptomOverBound, model.Warn, "more attempts than their bound", ""},
		"used up":             {count(model.SymptomUsedUp, 10_000), model.SymptomUsedUp, model.Bad, "10,000 ready rows have their attempts used up", model.MendBound},
		"never due":           {count(model.SymptomNoDue, 1), model.SymptomNoDue, model.Warn, "scheduled row has no time", model.MendDue},
		"failed at no time":   {count(model.SymptomNoEnd, 1), model.SymptomNoEnd, model.Warn, "does not say when it failed", model.MendEnded},
		"a lease that stayed": {count(model.SymptomDoneLease, 4), model.SymptomDoneLease, model.Warn, "4 done rows still have a lease", model.MendLease},
		"another state":       {symptom(model.Symptom{Rule: model.SymptomState, Value: "X"}), "unnamed-state", model.Bad, `"X"`, ""},

		"a key that may be NULL":      {catalog(func(c *model.Catalog) { c.NullableKeys = one(1) }), "key-null", model.Warn, "may be NULL", model.MendNotNull},
		"a key that is not unique":    {change("PK_Q", func(ix *model.Index) { ix.Unique = false }), "key-unique", model.Bad, "no unique index on JobId", model.MendUnique},
		"unique among some rows only": {change("PK_Q", func(ix *model.Index) { ix.Filter = "([State]='R')" }), "key-unique", model.Bad, "no unique index", model.MendUnique},
		"unique with another column":  {change("PK_Q", func(ix *model.Index) { ix.Columns = []string{"JobId", "State"} }), "key-unique", model.Bad, "no unique index", model.MendUnique},
		"a token of four bytes":       {declare(model.RoleToken, "int"), "token-type", model.Warn, "comes again", ""},
		"a token too short":           {declare(model.RoleToken, "varchar(20)"), "token-type", model.Warn, "36 characters", ""},
		"a token of few bytes":        {declare(model.RoleToken, "binary(8)"), "token-type", model.Warn, "16 bytes", ""},
		"a lease by the minute":       {declare(model.RoleLease, "smalldatetime"), "lease-precision", model.Warn, "rounds by a minute", model.MendPrecision},
		"a lease by the second":       {declare(model.RoleLease, "datetime2(0)"), "lease-precision", model.Warn, "more than a millisecond", model.MendPrecision},
		"an identity near its end": {catalog(func(c *model.Catalog) {
			c.Identity = model.Identity{Column: "JobId", Declared: "int", Last: one(1_900_000_000)}
		}), "identity", model.Warn, "88% of the numbers of JobId (int)", model.MendWiden},
		"an identity at its end": {catalog(func(c *model.Catalog) {
			c.Identity = model.Identity{Column: "JobId", Declared: "smallint", Last: one(32_767)}
		}), "identity", model.Bad, "100%", model.MendWiden},
		"a trigger instead": {func(f *DoctorFacts) { f.Snapshot.Caps.Triggers.Instead = true }, "trigger", model.Bad, "instead of the update", ""},
		"a trigger by name": {func(f *DoctorFacts) {
			f.Snapshot.Caps.Triggers.Instead, f.Catalog.Trigger = true, "TR_A"
		}, "trigger", model.Bad, "instead of the update", model.MendDisable},
		"a trigger of a file": {file(func(f *DoctorFacts) {
			f.Snapshot.Caps.Triggers.After, f.Catalog.Trigger = true, "TR_A"
		}), "trigger", model.Normal, "after the update", model.MendDisable},
		"a trigger after":                {func(f *DoctorFacts) { f.Snapshot.Caps.Triggers.After = true }, "trigger", model.Normal, "after the update", ""},
		"claims read everything":         {without("IX_Claim", "IX_Due"), "claim-index", model.Bad, "no index serves claims", model.MendIndex},
		"claims of a small table":        {func(f *DoctorFacts) { without("IX_Claim", "IX_Due")(f); f.Catalog.Rows = one(9) }, "claim-index", model.Warn, "no index serves claims", model.MendIndex},
		"an order that runs both ways":   {change("IX_Claim", func(ix *model.Index) { ix.Descending = []bool{true, true} }), "claim-index", model.Bad, "in their order", model.MendIndex},
		"keys that come the other way":   {change("PK_Q", func(ix *model.Index) { ix.Descending = []bool{true} }), "claim-index", model.Bad, "in their order", model.MendIndex},
		"an order that is not theirs":    {change("IX_Claim", func(ix *model.Index) { ix.Columns = []string{"State", "AvailableAt"} }), "claim-index", model.Bad, "in their order", model.MendIndex},
		"no index for what is due":       {without("IX_Due"), "due-index", model.Bad, "promotion", model.MendIndex},
		"a file without one for work":    {file(without("IX_Q_Working")), "working-index", model.Bad, "list of leases", model.MendIndex},
		"a file without one for letters": {file(without("IX_Q_Failed")), "failed-index", model.Bad, "dead letters", model.MendIndex},
		"an index for another state":     {file(change("IX_Q_Working", func(ix *model.Index) { ix.Filter = `"State" = 'D'` })), "working-index", model.Bad, "list of leases", model.MendIndex},
		"an index that is disabled":      {change("IX_Due", func(ix *model.Index) { ix.Disabled = true }), "disabled-index", model.Warn, "IX_Due is disabled", model.MendEnable},
		"an index with a filter": {func(f *DoctorFacts) {
			f.Indexes = append(f.Indexes, model.Index{Name: "IX_Some", Columns: []string{"State"}, Filter: "([State]='R')", RowLocks: true})
		}, "filtered-index", model.Warn, "QUOTED_IDENTIFIER", model.MendWhole},
		"pages may be locked":    {change("IX_Claim", func(ix *model.Index) { ix.PageLocks = true }), "page-locks", model.Normal, "pages may be locked whole", model.MendPageLocks},
		"rows may not be locked": {change("IX_Claim", func(ix *model.Index) { ix.RowLocks = false }), "row-locks", model.Bad, "allows no row locks", model.MendRowLocks},

		"no history": {func(f *DoctorFacts) {
			f.Snapshot.Caps.Can[model.CanHistory] = model.No("there is none", "make it")
			f.Snapshot.Mapping.History = model.Table{}
		}, "history", model.Normal, "nothing is recorded: there is none", ""},
		"a history that may not be": {func(f *DoctorFacts) { f.Snapshot.Caps.Can[model.CanHistory] = model.No("INSERT is missing", "") }, "history", model.Bad, "INSERT is missing", ""},
		"a trigger on the history":  {catalog(func(c *model.Catalog) { c.Triggers = model.Obstacle{Count: one(2), Name: "TR_A"} }), "history-obstacle", model.Bad, "has a trigger", model.MendTrigger},
		"a foreign key to it": {catalog(func(c *model.Catalog) {
			c.References = model.Obstacle{Count: one(1), Name: "FK", On: model.Table{Schema: "dbo", Name: "Other"}}
		}), "history-obstacle", model.Bad, "foreign key", model.MendConstraint},
		"a check on it":    {catalog(func(c *model.Catalog) { c.Checks = model.Obstacle{Count: one(1), Name: "CK"} }), "history-obstacle", model.Bad, "a check", model.MendConstraint},
		"no index by job":  {without("IX_Job"), "job-index", model.Warn, "history of one job", model.MendIndex},
		"no index by time": {without("IX_At"), "completed-index", model.Warn, "rate of completions", model.MendIndex},
		"the clock went back": {func(f *DoctorFacts) {
			f.Past = append(f.Past, model.Symptom{Rule: model.SymptomStepBack, Span: time.Hour, Value: "4711", Count: exact(1)})
		}, "clock-step", model.Warn, "went back by 1h", ""},
		"a history of years": {func(f *DoctorFacts) { f.Catalog.Events = one(5_000_000); f.Past[0].Span = 200 * 24 * time.Hour }, "growth", model.Warn, "goes back 200d", ""},
		"done rows for ever": {func(f *DoctorFacts) { f.Snapshot.Pulse.Data.Done.N = 3_000_000; f.Past = nil }, "growth", model.Warn, "done rows lie in the table", ""},
		"no brake":           {func(f *DoctorFacts) { f.Snapshot.Caps.Can[model.CanBrake] = model.No("there is no table", "add it") }, "brake", model.Normal, "claims cannot be stopped: there is no table", ""},
		"a brake without its row": {func(f *DoctorFacts) {
			f.Snapshot.Mapping.Brake = model.Table{Name: "Q_Control"}
			f.Snapshot.Caps.Can[model.CanBrake] = model.No("it has lost its row", "put it back")
		}, "brake", model.Warn, "lost its row", ""},
		"nobody recovers":           {found(model.Finding{Kind: KindNobodyRecovers, Severity: model.Bad, Text: "nobody returns expired rows"}), KindNobodyRecovers, model.Bad, "nobody returns", ""},
		"clocks apart":              {found(model.Finding{Kind: KindClockSkew, Severity: model.Warn, Text: "2m ahead"}), KindClockSkew, model.Warn, "2m ahead", ""},
		"local time ahead":          {newest(-2*time.Hour+3*time.Second, 120), "local-time", model.Bad, "ClaimedAt holds local time: its latest value lies 2h ahead of UTC", ""},
		"a zone of a quarter":       {newest(-(5*time.Hour + 45*time.Minute), 345), "local-time", model.Bad, "holds local time", ""},
		"a clock that is ahead":     {newest(-40*time.Second, 0), "local-time", model.Warn, "a clock that is 40s ahead", ""},
		"local time behind":         {newest(5*time.Hour+time.Minute, -300), "local-time", model.Warn, "may hold local time", ""},
		"local time by the mapping": {func(f *DoctorFacts) { f.Snapshot.Mapping.Clock = model.ClockLocal }, "local-time", model.Warn, "the hour that comes twice in autumn", ""},
		"a clock ahead of local time": {func(f *DoctorFacts) {
			newest(-2*time.Hour, 120)(f)
			f.Snapshot.Mapping.Clock, f.Snapshot.Mapping.Ahead = model.ClockFixed, time.Hour
		}, "local-time", model.Warn, "a clock that is 2h ahead", ""},
		"no row versions":            {catalog(func(c *model.Catalog) { c.RowVersions, c.Snapshot = one(0), one(0) }), "row-versions", model.Normal, "counts are at least", model.MendVersions},
		"snapshot isolation instead": {catalog(func(c *model.Catalog) { c.RowVersions = one(0) }), "row-versions", model.Normal, "snapshot isolation is allowed", model.MendVersions},
		"no right to change": {func(f *DoctorFacts) {
			f.Catalog.MayUpdate = one(0)
			f.Snapshot.Caps.Can[model.CanControl] = model.No("UPDATE", "")
		}, "rights", model.Normal, "ops has no UPDATE on dbo.Q", model.MendGrant},
		"the same in Azure": {func(f *DoctorFacts) {
			f.Catalog.SeesSessions, f.Snapshot.Caps.Server.Product = one(0), "Azure SQL Database"
		}, "rights", model.Normal, "VIEW DATABASE STATE: w cannot say", model.MendGrant},
		"no right to see sessions":    {catalog(func(c *model.Catalog) { c.SeesSessions = one(0) }), "rights", model.Normal, "VIEW SERVER STATE: w cannot say", model.MendGrant},
		"no right to record anything": {catalog(func(c *model.Catalog) { c.MayRecord = one(0) }), "rights", model.Normal, "no INSERT on dbo.Q_History", model.MendGrant},
	} {
		t.Run(name, func(t *testing.T) {
			f := sound()
			c.broken(&f)
			got := Doctor(f)
			i := slices.IndexFunc(got.Findings, func(d model.Diagnosis) bool { return d.Kind == c.rule })
			if i < 0 {
				t.Fatalf("not found; found %+v, not checked %+v", got.Findings, got.Unchecked)
			}
			d := got.Findings[i]
			if d.Severity != c.severity || !strings.Contains(d.Text, c.text) || d.Remedy.Kind != c.remedy {
				t.Errorf("%s %q, mended by %q", d.Severity, d.Text, d.Remedy.Kind)
			}
			for _, d := range got.Findings {
				if len(d.Evidence) == 0 || slices.Contains(d.Evidence, "") {
					t.Errorf("%s rests on nothing that is said: %q", d.Kind, d.Evidence)
				}
			}
			if d.Remedy.Kind != "" && d.Cost == "" {
				t.Error("it does not say what the statement costs")
			}
			if len(got.Findings) > 1 && got.Findings[0].Severity < got.Findings[1].Severity {
				t.Error("the worst does not stand first")
			}
			covered[c.rule] = true
		})
	}
	for _, name := range DoctorRules() {
		if !covered[name] {
			t.Errorf("no case finds %s", name)
		}
	}
}

// TestDoctorSaysWhatItCouldNotCheck holds that a fact which was not to be had costs
// the rules that rest on it, and no others.
func TestDoctorSaysWhatItCouldNotCheck(t *testing.T) {
	gone := &model.Fault{Class: model.FaultReshaped, Op: "x", Text: "Invalid object name 'sys.triggers'", Code: 208}
	for name, c := range map[string]struct {
		broken func(*DoctorFacts)
		rules  []string
		why    string
	}{
		"no catalog": {
			func(f *DoctorFacts) { f.Catalog, f.CatalogErr = model.Catalog{}, gone },
			[]string{"key-null", "identity", "history-obstacle", "row-versions", "rights"}, "Invalid object name 'sys.triggers' (error 208)",
		},
		"a catalog that says little": {
			func(f *DoctorFacts) {
				f.Catalog = model.Catalog{Identity: model.Identity{Column: "JobId", Declared: "numeric"}}
			},
			[]string{"key-null", "identity", "history-obstacle", "row-versions", "rights"}, notTold,
		},
		"no indexes": {
			func(f *DoctorFacts) { f.Indexes, f.IndexErr = nil, gone },
			[]string{"key-unique", "claim-index", "due-index", "working-index", "failed-index", "disabled-index", "filtered-index", "page-locks", "row-locks", "job-index", "completed-index"},
			"Invalid object name",
		},
		"a table too large without an index": {
			func(f *DoctorFacts) {
				f.Symptoms, f.HealthErr, f.Scanned = nil, errors.New("no index"), false
				f.Snapshot.Caps.Can[model.CanCount] = model.No("no index leads on State: counting would read 12000000 rows", "")
			},
			[]string{
				model.SymptomNoToken, model.SymptomNoLease, model.SymptomShared, model.SymptomOverBound, model.SymptomUsedUp, model.SymptomNoDue, model.SymptomNoEnd,
				model.SymptomDoneLease, "unnamed-state", "local-time",
			}, "--allow-scan insists",
		},
		"done rows":          {func(f *DoctorFacts) { f.Scanned = false }, []string{model.SymptomDoneLease}, "would read ~48.2k done rows; --allow-scan insists"},
		"no history to read": {func(f *DoctorFacts) { f.Past, f.PastErr = nil, gone }, []string{"clock-step"}, "Invalid object name"},
		"nobody works":       {func(f *DoctorFacts) { f.Symptoms = nil }, []string{"local-time"}, "no row in work or ready"},
		"no poll":            {func(f *DoctorFacts) { f.Snapshot.Pulse.Err = &model.Fault{Text: "no answer within the deadline"} }, []string{KindNobodyRecovers}, "no answer"},
	} {
		f := sound()
		c.broken(&f)
		got := Doctor(f)
		var rules []string
		for _, u := range got.Unchecked {
			rules = append(rules, u.Rule)
			if !strings.Contains(u.Why, c.why) {
				t.Errorf("%s: %s is not checked because of %q, want %q", name, u.Rule, u.Why, c.why)
			}
		}
		slices.Sort(rules)
		slices.Sort(c.rules)
		if !slices.Equal(rules, c.rules) || len(got.Findings) > 0 {
			t.Errorf("%s: not checked %v, want %v; found %+v", name, rules, c.rules, got.Findings)
		}
	}
	f := sound()
	f.Snapshot.Watch.Err = gone
	if c := Doctor(f); c.Err != gone || len(c.Sound) > 0 {
		t.Errorf("a queue that cannot be read is %+v", c)
	}
}
