package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// invariant is a rule that rows can break one by one.
type invariant struct {
	name     string
	roles    []model.Role
	state    model.State
	severity model.Severity
	one      string // what one row is; more are "are" for "is"
	many     string
	cure     string
	mend     string
	cost     string
}

const oneRow = "one row by its key"

func invariants() []invariant {
	held := []model.Role{model.RoleToken, model.RoleLease}
	return []invariant{
		{model.SymptomNoToken, held, model.Working, model.Bad, "working row has no token", "working rows have no token",
			"no completion can match it; make sure that nobody works on it before it is freed", model.MendFree, oneRow},
		{model.SymptomNoLease, held, model.Working, model.Bad, "working row has no lease", "working rows have no lease",
			"it never expires, so nobody takes it back; make sure that nobody works on it before it is freed", model.MendFree, oneRow},
		{model.SymptomShared, []model.Role{model.RoleToken}, model.Working, model.Bad, "token is on rows of different claims", "tokens are on rows of different claims",
			"a worker makes a fresh token for every claim: one that does not can complete what another holds", "", ""},
		{model.SymptomOverBound, []model.Role{model.RoleAttempts, model.RoleMaxAttempts}, model.Working, model.Warn,
			"working row has more attempts than its bound", "working rows have more attempts than their bound",
			"a claim that does not test the bound took it: look for workers that are not leasetop's", "", ""},
		{model.SymptomUsedUp, []model.Role{model.RoleAttempts, model.RoleMaxAttempts}, model.Ready, model.Bad,
			"ready row has its attempts used up: no claim takes it", "ready rows have their attempts used up: no claim takes them",
			"dead-letter it, or give it one more attempt", model.MendBound, oneRow},
		{model.SymptomNoDue, []model.Role{model.RoleAvailable}, model.Scheduled, model.Warn,
			"scheduled row has no time: nobody ever makes it ready", "scheduled rows have no time: nobody ever makes them ready",
			"say since when they are due", model.MendDue, ""},
		{model.SymptomNoEnd, []model.Role{model.RoleEnded}, model.Failed, model.Warn,
			"dead letter does not say when it failed", "dead letters do not say when they failed",
			"whoever failed it did not write the time; without it no retention can tell how old it is", model.MendEnded, ""},
	}
}

func rowRules() []rule {
	var out []rule
	for _, x := range invariants() {
		out = append(out, rule{x.name, func(f *DoctorFacts) bool {
			return mapped(x.roles...)(f) && !f.Snapshot.Mapping.States[x.state].IsNull()
		}, func(f *DoctorFacts) ([]model.Diagnosis, string) { return f.symptom(x) }})
	}
	return append(out,
		rule{model.SymptomDoneLease, both(mapped(model.RoleLease), named(model.Done)), doneLease},
		rule{"unnamed-state", nil, unnamedStates},
	)
}

// named reports whether the mapping has a value for a state.
func named(s model.State) func(*DoctorFacts) bool {
	return func(f *DoctorFacts) bool { return !f.Snapshot.Mapping.States[s].IsNull() }
}

// symptom is what was found of an invariant.
func (f *DoctorFacts) symptom(x invariant) ([]model.Diagnosis, string) {
	if f.HealthErr != nil {
		return nil, f.unread()
	}
	i := slices.IndexFunc(f.Symptoms, func(s model.Symptom) bool { return s.Rule == x.name })
	if i < 0 {
		return nil, ""
	}
	s := f.Symptoms[i]
	d := model.Diagnosis{Finding: model.Finding{Severity: x.severity, Key: s.Key, Cure: x.cure}, Cost: x.cost}
	what := x.many
	if s.Count.N == 1 {
		what = x.one
	}
	d.Text = text.Count(s.Count) + " " + what
	if !s.Key.IsZero() {
		d.Evidence = append(d.Evidence, "the first is "+text.Brief(s.Key.String()))
	}
	if s.Value != "" {
		d.Evidence = append(d.Evidence, "the first is "+s.Value)
	}
	if x.mend != "" && d.Cost == "" {
		d.Cost = f.batches()
	}
	if x.mend != "" {
		d.Remedy = model.Remedy{Kind: x.mend, Table: f.Snapshot.Mapping.Table, Key: s.Key}
	}
	return []model.Diagnosis{d}, ""
}

// unread is why no row was looked at.
func (f *DoctorFacts) unread() string {
	why := because(f.HealthErr)
	if v, probed := f.Snapshot.Caps.Can[model.CanCount]; probed && !v.OK {
		return text.Clean(v.Why) + "; --allow-scan insists"
	}
	return why
}

// batches is what a change of many rows costs.
func (f *DoctorFacts) batches() string {
	if onServer(f) {
		return "500 rows of one state at a time"
	}
	return "all such rows at once; the file is locked for writers meanwhile"
}

// doneLease is about done rows, of which there may be any number.
func doneLease(f *DoctorFacts) ([]model.Diagnosis, string) {
	if !f.Scanned {
		rows := "all done rows"
		if n := f.Snapshot.Figures().Done; n.Known() {
			rows = text.Count(n) + " done rows"
		}
		return nil, "would read " + rows + "; --allow-scan insists"
	}
	return f.symptom(invariant{
		name: model.SymptomDoneLease, severity: model.Warn, one: "done row still has a lease", many: "done rows still have a lease",
		cure: "a completion takes the lease away and keeps the token: look for workers that are not leasetop's",
		mend: model.MendLease, cost: f.batches(),
	})
}

// unnamedStates are values of the state column that the mapping knows nothing of.
func unnamedStates(f *DoctorFacts) ([]model.Diagnosis, string) {
	if f.HealthErr != nil {
		return nil, f.unread()
	}
	m := f.Snapshot.Mapping
	var values []string
	for _, s := range f.Symptoms {
		if s.Rule != model.SymptomState {
			continue
		}
		if m.StateOf(model.TextValue(s.Value)) == model.StateUnknown {
			values = append(values, fmt.Sprintf("%q", s.Value))
		}
	}
	if len(values) == 0 {
		return nil, ""
	}
	return []model.Diagnosis{{Finding: model.Finding{
		Severity: model.Bad, Text: "rows have states that the mapping does not name: " + strings.Join(values, ", "),
		Cure: "nothing claims, counts or recovers such rows: name the states in the mapping, or find out what writes them",
	}, Evidence: []string{"column " + m.Column(model.RoleState).Name}}}, ""
}
