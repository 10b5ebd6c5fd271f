package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// serverRules are about the server, the login, the clocks and who works there.
func serverRules() []rule {
	return []rule{
		{KindNobodyRecovers, fenced, fromPoll(KindNobodyRecovers)},
		{KindClockSkew, nil, fromPoll(KindClockSkew)},
		{"local-time", nil, localTime},
		{"row-versions", onServer, rowVersions},
		{"rights", onServer, rights},
	}
}

// fromPoll takes over what one look found by the rules of the dashboard.
func fromPoll(kind string) func(*DoctorFacts) ([]model.Diagnosis, string) {
	return func(f *DoctorFacts) ([]model.Diagnosis, string) {
		for _, x := range f.Snapshot.Findings {
			if x.Kind == kind {
				return []model.Diagnosis{{Finding: x, Evidence: f.looked(kind)}}, ""
			}
		}
		if kind == KindNobodyRecovers && f.Snapshot.Pulse.Err != nil {
			return nil, because(f.Snapshot.Pulse.Err)
		}
		if kind == KindNobodyRecovers && !f.Snapshot.Figures().Expired.Known() {
			return nil, "expired rows are not counted here"
		}
		return nil, ""
	}
}

// looked is what a finding of one look rests on: the count of that look, or what
// both clocks said.
func (f *DoctorFacts) looked(kind string) []string {
	const clock = "15:04:05Z"
	s := f.Snapshot
	if kind == KindClockSkew {
		at := s.Caps.ProbedAt.UTC()
		return []string{"at one moment the server's clock said " + at.Format(clock) + ", this machine's " + at.Add(-s.Caps.Skew).Format(clock)}
	}
	return []string{text.Count(s.Figures().Expired) + " expired at " + s.Now().UTC().Format(clock) + " by the server's clock"}
}

// Ahead by less than this a time of a row may still be read and written by clocks
// that agree; local time lies off by whole quarters of an hour, give or take how
// long a row has been waiting.
const (
	ahead   = 2 * time.Second
	quarter = 15 * time.Minute
	slack   = 2 * time.Minute
)

// localTime are columns that are compared with UTC and written by another clock.
func localTime(f *DoctorFacts) ([]model.Diagnosis, string) {
	if f.HealthErr != nil {
		return nil, f.unread()
	}
	var out []model.Diagnosis
	if d, ok := f.summerTime(); ok {
		out = append(out, d)
	}
	looked := len(out) > 0
	for _, s := range f.Symptoms {
		if s.Rule != model.SymptomNewest {
			continue
		}
		looked = true
		if d, ok := f.foreign(s); ok {
			out = append(out, d)
		}
	}
	if !looked {
		return nil, "no row in work or ready has a time to judge by"
	}
	return out, ""
}

// summerTime is a queue whose leases are judged by a clock that people set.
func (f *DoctorFacts) summerTime() (model.Diagnosis, bool) {
	if m := f.Snapshot.Mapping; m == nil || m.Clock != model.ClockLocal {
		return model.Diagnosis{}, false
	}
	return model.Diagnosis{
		Finding: model.Finding{
			Severity: model.Warn,
			Text:     "leases are in the server's local time: in the hour that comes twice in autumn they can end up to an hour late, over the one left out in spring up to an hour early",
			Cure:     "keep the server in a zone without summer time, or the table in UTC; else stop recovery and reclaims for that hour",
		},
		Evidence: []string{"the mapping says clock: local"},
	}, true
}

// clockCure is what ends a column in another clock than the mapping says.
func (f *DoctorFacts) clockCure() string {
	if m := f.Snapshot.Mapping; m != nil && !m.InUTC() {
		return "leases and ages are judged by the clock that the mapping names: let all that write the table use it, or correct clock"
	}
	return "leases and ages are judged in UTC by the server's clock: let workers write SYSUTCDATETIME(), as a claim of leasetop does; " +
		"where all of the table is in local time, write clock: local in its mapping"
}

// foreign is a time that another clock wrote.
func (f *DoctorFacts) foreign(s model.Symptom) (model.Diagnosis, bool) {
	column := f.Snapshot.Mapping.Column(model.Role(s.Value))
	zone := ""
	if o := f.Catalog.Offset; o.Known {
		zone = fmt.Sprintf("the server's local time is UTC%+03d:%02d", o.N/60, max(o.N, -o.N)%60)
	}
	d := model.Diagnosis{Finding: model.Finding{Severity: model.Warn}}
	off, utc := -s.Span, f.Snapshot.Mapping.InUTC()
	whole := (off + slack).Truncate(quarter)
	switch {
	case utc && off >= quarter-slack && (off-whole).Abs() <= slack:
		d.Severity = model.Bad
		d.Text = fmt.Sprintf("%s holds local time: its latest value lies %s ahead of UTC", column.Name, text.Short(whole))
	case off > ahead:
		d.Text = fmt.Sprintf("%s is written by a clock that is %s ahead of the server's", column.Name, text.Short(off))
	case utc && f.Catalog.Offset.N < 0 && (s.Span+time.Duration(f.Catalog.Offset.N)*time.Minute).Abs() <= slack:
		d.Text = fmt.Sprintf("%s may hold local time: its latest value lies as far behind UTC as the server's zone does", column.Name)
	default:
		return d, false
	}
	d.Cure = f.clockCure()
	d.Evidence = []string{column.Name + " is " + column.Declared}
	if zone != "" {
		d.Evidence = append(d.Evidence, zone)
	}
	return d, true
}

// steps are where the history's own times go back: the clock was set, or it is
// local time in autumn.
func steps(f *DoctorFacts) ([]model.Diagnosis, string) {
	if f.PastErr != nil {
		return nil, because(f.PastErr)
	}
	s, ok := f.pastSymptom(model.SymptomStepBack)
	if !ok {
		return nil, ""
	}
	return []model.Diagnosis{{
		Finding: model.Finding{
			Severity: model.Warn, Text: "the clock by which leases are judged went back by " + text.Short(s.Span),
			Cure: "rows may carry leases by the clock as it was; after a failover compare the clocks of both servers",
		},
		Evidence: []string{fmt.Sprintf("history row %s is older than one before it; %s so among the newest", s.Value, text.Plural(s.Count.N, "row is", "rows are"))},
	}}, ""
}

// Much and long are when a table that only grows is worth a word.
const (
	much = 1_000_000
	long = 90 * 24 * time.Hour
)

// growth is a queue that keeps everything for ever.
func growth(f *DoctorFacts) ([]model.Diagnosis, string) {
	oldest, known := f.pastSymptom(model.SymptomOldest)
	done, events := f.Snapshot.Figures().Done, f.Catalog.Events
	var found []model.Diagnosis
	if events.Known && events.N >= much && known && oldest.Span > long {
		found = append(found, model.Diagnosis{
			Finding: model.Finding{
				Severity: model.Warn, Text: fmt.Sprintf("the history has ~%s and goes back %s: nobody removes old ones", text.Plural(events.N, "row", "rows"), text.Short(oldest.Span)),
				Cure: f.purge(),
			},
			Evidence: []string{"rows by the metadata of " + f.Snapshot.Mapping.History.String() + ", age by its first row"},
		})
	}
	if done.Known() && done.N >= much && (!known || oldest.Span > long) {
		found = append(found, model.Diagnosis{
			Finding: model.Finding{
				Severity: model.Warn, Text: text.Count(done) + " done rows lie in the table: every index carries them",
				Cure: f.purge(),
			},
			Evidence: []string{"rows by the metadata of " + f.Snapshot.Mapping.Table.String() + ", less those that are counted"},
		})
	}
	if len(found) == 0 && !events.Known && !done.Known() {
		return nil, "the number of rows is not known"
	}
	return found, ""
}

// purge is how old rows are removed without a lock on the whole table.
func (f *DoctorFacts) purge() string {
	return "`leasetop purge " + f.Snapshot.Queue + " --done-before 30d` removes old rows in small ordered batches, below 5,000 locks each"
}

// rowVersions is a database in which whoever reads waits for whoever writes.
func rowVersions(f *DoctorFacts) ([]model.Diagnosis, string) {
	c := &f.Catalog
	switch {
	case f.CatalogErr != nil:
		return nil, because(f.CatalogErr)
	case !c.RowVersions.Known:
		return nil, notTold
	case c.RowVersions.N == 1:
		return nil, ""
	}
	d := model.Diagnosis{
		Finding: model.Finding{
			Severity: model.Normal, Text: "read committed snapshot is off: the watcher skips locked rows, so its counts are at least",
			Cure: "turn it on if the database's other users allow it",
		},
		Evidence: []string{fmt.Sprintf("is_read_committed_snapshot_on is %d, snapshot_isolation_state is %d", c.RowVersions.N, c.Snapshot.N)},
		Remedy:   model.Remedy{Kind: model.MendVersions},
		Cost:     "waits until it is alone in the database; afterwards every change keeps a version of its row in tempdb, or in the database with accelerated recovery",
	}
	if c.Snapshot.N == 1 {
		d.Text = "read committed snapshot is off, snapshot isolation is allowed: the watcher reads by that"
	}
	return []model.Diagnosis{d}, ""
}

// rights are what this login may not do.
func rights(f *DoctorFacts) ([]model.Diagnosis, string) {
	if f.CatalogErr != nil {
		return nil, because(f.CatalogErr)
	}
	c, m := &f.Catalog, f.Snapshot.Mapping
	if !slices.ContainsFunc([]model.Number{c.MayInsert, c.MayUpdate, c.MayRecall, c.MayRecord, c.SeesSessions}, func(n model.Number) bool { return n.Known }) {
		return nil, notTold
	}
	var out []model.Diagnosis
	missing := func(n model.Number, right, what string, on model.Table) {
		if !n.Known || n.N == 1 {
			return
		}
		where := ""
		if !on.IsZero() {
			where = " on " + on.String()
		}
		out = append(out, model.Diagnosis{
			Finding:  model.Finding{Severity: model.Normal, Text: text.Clean(f.Snapshot.Caps.Login) + " has no " + right + where + ": " + what, Cure: "grant it only if this login is to do that"},
			Evidence: []string{"HAS_PERMS_BY_NAME says so to " + text.Clean(f.Snapshot.Caps.Login)},
			Remedy:   model.Remedy{Kind: model.MendGrant, Name: right, Table: on, To: f.Snapshot.Caps.Login}, Cost: "nothing but the right itself",
		})
	}
	if v := f.Snapshot.Caps.Can[model.CanControl]; !v.OK { // a right on columns alone is enough
		missing(c.MayUpdate, "UPDATE", "it can act on no job and work on none", m.Table)
	}
	missing(c.MayInsert, "INSERT", "it can add no jobs", m.Table)
	if !m.History.IsZero() {
		missing(c.MayRecall, "SELECT", "it sees no history", m.History)
		missing(c.MayRecord, "INSERT", "it can record no step and no act", m.History)
	}
	sees := "VIEW SERVER STATE"
	if p := f.Snapshot.Caps.Server.Product; p == "Azure SQL Database" || p == "SQL database in Fabric" {
		sees = "VIEW DATABASE STATE" // there is no server of one's own
	}
	missing(c.SeesSessions, sees, "w cannot say who holds a lock", model.Table{})
	return out, ""
}
