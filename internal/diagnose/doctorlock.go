package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// disabled are indexes that are there by name alone.
func disabled(f *DoctorFacts) ([]model.Diagnosis, string) {
	return f.each(func(ix model.Index) (model.Diagnosis, bool) {
		return model.Diagnosis{
			Finding:  model.Finding{Severity: model.Warn, Text: "the index " + text.Clean(ix.Name) + " is disabled: nobody seeks by it", Cure: "rebuild it, or drop it"},
			Evidence: []string{"is_disabled is on for " + text.Clean(ix.Name) + " (" + text.Clean(strings.Join(ix.Columns, ", ")) + ")"},
			Remedy:   model.Remedy{Kind: model.MendEnable, Name: ix.Name, Online: f.Catalog.Online.N == 1}, Cost: f.building(),
		}, ix.Disabled
	})
}

// filtered are indexes that make every session without QUOTED_IDENTIFIER fail.
func filtered(f *DoctorFacts) ([]model.Diagnosis, string) {
	return f.each(func(ix model.Index) (model.Diagnosis, bool) {
		return model.Diagnosis{
			Finding: model.Finding{
				Severity: model.Warn, Text: "the index " + text.Clean(ix.Name) + " has a filter: whoever writes with QUOTED_IDENTIFIER OFF gets error 1934",
				Cure: "sqlcmd, Agent steps and old procedures have it off; make the index whole, or be sure of every writer",
			},
			Evidence: []string{"filter " + ix.Filter, "no statement with a parameter for the state can use it"},
			Remedy:   model.Remedy{Kind: model.MendWhole, Name: ix.Name, Columns: ix.Columns, Online: f.Catalog.Online.N == 1}, Cost: f.building(),
		}, ix.Filter != "" && !ix.Disabled
	})
}

// pageLocks are indexes of the queue on which one session can lock its neighbours'
// rows too.
func pageLocks(f *DoctorFacts) ([]model.Diagnosis, string) {
	if f.IndexErr != nil {
		return nil, because(f.IndexErr)
	}
	var names []string
	for _, ix := range f.of(false) {
		if ix.PageLocks {
			names = append(names, text.Clean(ix.Name))
		}
	}
	if len(names) == 0 {
		return nil, ""
	}
	d := model.Diagnosis{
		Finding: model.Finding{
			Severity: model.Normal, Text: "pages may be locked whole: READPAST skips locked rows and waits for locked pages",
			Cure: "leasetop asks for row locks itself; turn page locks off if others change the table without",
		},
		Evidence: []string{"ALLOW_PAGE_LOCKS is on for " + strings.Join(names, ", ")},
		Remedy:   model.Remedy{Kind: model.MendPageLocks, Table: f.Snapshot.Mapping.Table},
		Cost:     "a moment's lock on the schema; afterwards ALTER INDEX REORGANIZE is refused and large changes lock the table sooner",
	}
	return []model.Diagnosis{d}, ""
}

// rowLocks are indexes on which nothing less than a page can be locked.
func rowLocks(f *DoctorFacts) ([]model.Diagnosis, string) {
	return f.each(func(ix model.Index) (model.Diagnosis, bool) {
		return model.Diagnosis{
			Finding: model.Finding{
				Severity: model.Bad, Text: "the index " + text.Clean(ix.Name) + " allows no row locks: workers wait for each other",
				Cure: "allow them: READPAST skips nothing less than it can lock",
			},
			Evidence: []string{"ALLOW_ROW_LOCKS is off for " + text.Clean(ix.Name)},
			Remedy:   model.Remedy{Kind: model.MendRowLocks, Name: ix.Name}, Cost: "a moment's lock on the schema",
		}, !ix.RowLocks && !ix.Disabled
	})
}

// each makes a finding of every index of the table that a test finds.
func (f *DoctorFacts) each(test func(model.Index) (model.Diagnosis, bool)) ([]model.Diagnosis, string) {
	if f.IndexErr != nil {
		return nil, because(f.IndexErr)
	}
	var out []model.Diagnosis
	for _, ix := range f.Indexes {
		if ix.OnHistory {
			continue
		}
		if d, ok := test(ix); ok {
			d.Remedy.Table = f.Snapshot.Mapping.Table
			out = append(out, d)
		}
	}
	return out, ""
}

// historyRules are about the history table.
func historyRules() []rule {
	kept := func(f *DoctorFacts) bool { return !f.Snapshot.Mapping.History.IsZero() }
	return []rule{
		{"history", nil, noHistory},
		{"history-obstacle", both(onServer, kept), obstacles},
		{"job-index", kept, func(f *DoctorFacts) ([]model.Diagnosis, string) {
			return f.past("Job", "the history of one job", "JobId", "Seq")
		}},
		{"completed-index", kept, func(f *DoctorFacts) ([]model.Diagnosis, string) { return f.past("At", "the rate of completions", "At") }},
		{"clock-step", kept, steps},
		{"growth", nil, growth},
		{"brake", fenced, noBrake},
	}
}

// noHistory is a queue of which nobody can say later what was done to it.
func noHistory(f *DoctorFacts) ([]model.Diagnosis, string) {
	v, probed := f.Snapshot.Caps.Can[model.CanHistory]
	if !probed || v.OK {
		return nil, ""
	}
	d := model.Diagnosis{Finding: model.Finding{Severity: model.Normal, Text: "nothing is recorded: " + text.Clean(v.Why), Cure: text.Clean(v.Fix)}, Evidence: companion(f.Snapshot.Mapping.History)}
	if !f.Snapshot.Mapping.History.IsZero() { // it was mapped, and is there
		d.Severity = model.Bad
	}
	return []model.Diagnosis{d}, ""
}

// companion is what is known of a table that belongs to the queue's, and of which
// the probe said no.
func companion(t model.Table) []string {
	if t.IsZero() {
		return []string{"the probe found no such table"}
	}
	return []string{"the probe found " + t.String()}
}

// noBrake is a queue whose claims nobody can stop in an incident.
func noBrake(f *DoctorFacts) ([]model.Diagnosis, string) {
	v, probed := f.Snapshot.Caps.Can[model.CanBrake]
	if !probed || v.OK {
		return nil, ""
	}
	d := model.Diagnosis{Finding: model.Finding{Severity: model.Normal, Text: "claims cannot be stopped: " + text.Clean(v.Why), Cure: text.Clean(v.Fix)}, Evidence: companion(f.Snapshot.Mapping.Brake)}
	if !f.Snapshot.Mapping.Brake.IsZero() { // its table is there
		d.Severity = model.Warn
	}
	return []model.Diagnosis{d}, ""
}

// obstacles are what makes OUTPUT INTO refuse the history, so that no step and no
// act can be recorded by its own statement.
func obstacles(f *DoctorFacts) ([]model.Diagnosis, string) {
	if f.CatalogErr != nil {
		return nil, because(f.CatalogErr)
	}
	c, m := &f.Catalog, f.Snapshot.Mapping
	if !c.Triggers.Count.Known && !c.References.Count.Known && !c.Checks.Count.Known {
		return nil, notTold
	}
	var out []model.Diagnosis
	add := func(o model.Obstacle, what, kind string, on model.Table) {
		if o.Count.N == 0 {
			return
		}
		out = append(out, model.Diagnosis{
			Finding: model.Finding{
				Severity: model.Bad, Text: fmt.Sprintf("%s has %s: OUTPUT INTO refuses it, so no step can be recorded", m.History, what),
				Cure: "drop it: the history is written by the statement that makes the step, and by nobody else",
			},
			Evidence: []string{fmt.Sprintf("%d, the first is %s", o.Count.N, text.Clean(o.Name))},
			Remedy:   model.Remedy{Kind: kind, Table: on, Name: o.Name}, Cost: "a moment's lock on the schema; what it kept right is kept no longer",
		})
	}
	add(c.Triggers, "a trigger", model.MendTrigger, m.History)
	add(c.References, "a foreign key on one side", model.MendConstraint, c.References.On)
	add(c.Checks, "a check", model.MendConstraint, m.History)
	return out, ""
}

// past is an index that the history lacks.
func (f *DoctorFacts) past(name, what string, columns ...string) ([]model.Diagnosis, string) {
	if f.IndexErr != nil {
		return nil, because(f.IndexErr)
	}
	m := f.Snapshot.Mapping
	for _, ix := range f.of(true) {
		if len(ix.Columns) > 0 && strings.EqualFold(ix.Columns[0], columns[0]) && (ix.Filter == "" || !onServer(f)) {
			return nil, ""
		}
	}
	return []model.Diagnosis{{
		Finding:  model.Finding{Severity: model.Warn, Text: "no index of " + m.History.String() + " serves " + what, Cure: "make one that leads on " + columns[0]},
		Evidence: f.listed(true), Cost: "reads the whole history once; every step keeps it up to date from then on",
		Remedy: model.Remedy{Kind: model.MendIndex, Table: m.History, Name: f.indexName(name), Columns: columns, Online: f.Catalog.Online.N == 1},
	}}, ""
}

// pastSymptom finds a symptom of the history.
func (f *DoctorFacts) pastSymptom(rule string) (model.Symptom, bool) {
	i := slices.IndexFunc(f.Past, func(s model.Symptom) bool { return s.Rule == rule })
	if i < 0 {
		return model.Symptom{}, false
	}
	return f.Past[i], true
}
