package diagnose

import (
	"fmt"
	"slices"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// laneRules are what the doctor looks at in a destructive queue, which has no
// states, claims or history to hold to anything.
func laneRules() []rule {
	own := []rule{
		{KindHeap, nil, fromProbe(KindHeap, (*DoctorFacts).unordered)},
		{KindNoDeadLetter, nil, fromProbe(KindNoDeadLetter, (*DoctorFacts).deadless)},
		{KindTrigger, nil, fromProbe(KindTrigger, (*DoctorFacts).standing)},
		{"comparable", nil, incomparable},
		{KindFutureRow, nil, futureRows},
		{"mode", nil, noMode},
	}
	of := func(all []rule, names ...string) []rule {
		return slices.DeleteFunc(all, func(r rule) bool { return !slices.Contains(names, r.name) })
	}
	return slices.Concat(own, of(indexRules(), "disabled-index", "filtered-index", "page-locks", "row-locks"),
		of(serverRules(), KindClockSkew, "row-versions"))
}

// fromProbe takes over what the dashboard says of the last probe, with what it rests on
// and what mends it.
func fromProbe(kind string, with func(*DoctorFacts, model.Diagnosis) model.Diagnosis) func(*DoctorFacts) ([]model.Diagnosis, string) {
	return func(f *DoctorFacts) ([]model.Diagnosis, string) {
		for _, x := range rowServer(f.Snapshot) {
			if x.Kind == kind {
				return []model.Diagnosis{with(f, model.Diagnosis{Finding: x})}, ""
			}
		}
		return nil, ""
	}
}

// unordered adds the index that is missing: the table itself in that order, or one
// beside the order that it has.
func (f *DoctorFacts) unordered(d model.Diagnosis) model.Diagnosis {
	m := f.Snapshot.Mapping
	by := m.Column(model.RoleEnqueued).Name
	d.Cure = "make one that leads on " + text.Clean(by)
	if f.IndexErr != nil {
		d.Evidence = []string{"the probe found none; what there is could not be read: " + because(f.IndexErr)}
		return d
	}
	d.Evidence, d.Cost = f.listed(false), f.building()
	d.Remedy = model.Remedy{Kind: model.MendIndex, Table: m.Table, Name: f.indexName("Order"), Columns: []string{by}, Online: f.Catalog.Online.N == 1}
	if onServer(f) && !slices.ContainsFunc(f.Indexes, func(ix model.Index) bool { return ix.Clustered && !ix.OnHistory }) {
		d.Remedy.Kind = model.MendClustered
		d.Cost = "writes the table anew in that order, and every other index of it; " + d.Cost
	}
	return d
}

// deadless adds what stands in the way of dead letters, where it is more than that
// nobody made their table.
func (f *DoctorFacts) deadless(d model.Diagnosis) model.Diagnosis {
	dead, c := f.Snapshot.Mapping.Lane.Dead, &f.Catalog
	if dead.IsZero() {
		d.Evidence = []string{"the mapping has no dead_letters"}
		return d
	}
	d.Evidence = []string{"the mapping says dead_letters: " + text.Clean(dead.String())}
	stands := func(o model.Obstacle, what, kind string, on model.Table) {
		if o.Count.N == 0 {
			return
		}
		d.Evidence = append(d.Evidence, text.Plural(o.Count.N, what, what+"s")+" there, the first is "+text.Clean(o.Name))
		d.Remedy, d.Cost = model.Remedy{Kind: kind, Table: on, Name: o.Name}, "a moment's lock on the schema; what it kept right is kept no longer"
	}
	stands(c.Triggers, "trigger", model.MendTrigger, dead)
	stands(c.References, "foreign key", model.MendConstraint, c.References.On)
	stands(c.Checks, "check", model.MendConstraint, dead)
	lacks := func(n model.Number, right string) {
		if n.Known && n.N == 0 {
			d.Evidence = append(d.Evidence, "HAS_PERMS_BY_NAME says so of "+right+" to "+text.Clean(f.Snapshot.Caps.Login))
			d.Remedy, d.Cost = model.Remedy{Kind: model.MendGrant, Name: right, Table: dead, To: f.Snapshot.Caps.Login}, "nothing but the right itself"
		}
	}
	lacks(c.MayRecord, "INSERT")
	lacks(c.MayRecall, "SELECT")
	return d
}

// incomparable finds columns by which no row can be told.
func incomparable(f *DoctorFacts) ([]model.Diagnosis, string) {
	m := f.Snapshot.Mapping
	v := m.Comparable()
	if v.OK {
		return nil, ""
	}
	d := model.Diagnosis{Finding: model.Finding{Severity: model.Normal, Text: v.Why, Cure: v.Fix}}
	for _, c := range m.Keys {
		if c.Type == model.Opaque {
			d.Evidence = append(d.Evidence, "the catalog declares "+text.Clean(c.Name)+" as "+c.Declared)
		}
	}
	return []model.Diagnosis{d}, ""
}

// futureRows finds an end of the queue whose time lies in the future.
func futureRows(f *DoctorFacts) ([]model.Diagnosis, string) {
	s := f.Snapshot
	if s.Pulse.Err != nil || !s.Pulse.Known() {
		return nil, "the queue could not be read"
	}
	p := s.Figures()
	if p.Head == nil && p.Tail == nil && (!p.Ready.Known() || p.Ready.N > 0) {
		return nil, "which rows stand at the ends is not known"
	}
	for _, o := range []*model.Oldest{p.Head, p.Tail} {
		if o != nil && o.Waiting.Known() && o.Waiting.D < -futureBegins {
			const clock = "2006-01-02T15:04:05Z"
			now := s.Pulse.At.UTC()
			return []model.Diagnosis{{
				Finding: model.Finding{
					Severity: model.Warn, Key: o.Key, Text: "a row's time lies " + text.Short(-o.Waiting.D) + " in the future",
					Cure: "map clock: utc, local or offset as its writer has it, or set the clock that is wrong",
				},
				Evidence: []string{fmt.Sprintf("read as %s, its %s is %s; the server's clock said %s", s.Mapping.Lane.Clock,
					text.Clean(s.Mapping.Column(model.RoleEnqueued).Name), now.Add(-o.Waiting.D).Format(clock), now.Format(clock))},
			}}, ""
		}
	}
	return nil, ""
}

// noMode finds a mapping that does not say what a crash does.
func noMode(f *DoctorFacts) ([]model.Diagnosis, string) {
	if f.Snapshot.Mapping.Lane.Mode != model.ModeUnknown {
		return nil, ""
	}
	return []model.Diagnosis{{Finding: model.Finding{
		Severity: model.Normal, Text: model.ModeUnknown.Promise(), Cure: "write mode: autocommit or mode: transaction as its workers have it",
	}, Evidence: []string{"the mapping has no mode, and nothing in a table tells it"}}}, ""
}
