package diagnose

import (
	"errors"
	"slices"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// DoctorFacts is what one checkup of a queue has read. What could not be read is an
// error here, and costs the rules that rest on it.
type DoctorFacts struct {
	Snapshot *model.Snapshot // one look, with the findings of it

	Catalog    model.Catalog
	CatalogErr error
	Indexes    []model.Index
	IndexErr   error
	Symptoms   []model.Symptom // of the rows
	HealthErr  error
	Scanned    bool            // all rows were read, done ones too
	Past       []model.Symptom // of the history
	PastErr    error
}

// rule is one thing that the doctor looks at. A rule that says why it could not be
// applied has found nothing; one that does not apply to an engine, a family or a
// mapping is not there at all.
type rule struct {
	name    string
	applies func(*DoctorFacts) bool // nil: always
	apply   func(*DoctorFacts) (found []model.Diagnosis, unchecked string)
}

// Doctor applies every rule to what was read about a queue: findings worst first,
// with the remedy of each by name.
func Doctor(f DoctorFacts) model.Checkup {
	s := f.Snapshot
	c := model.Checkup{Queue: s.Queue, Mapping: s.Mapping, Caps: s.Caps, At: s.Now(), Err: s.Watch.Err}
	if c.Err != nil {
		return c
	}
	if c.At.IsZero() {
		c.At = s.Caps.ProbedAt
	}
	all := rules()
	if s.Mapping.IsDestructive() {
		all = laneRules()
	}
	for _, r := range all {
		if r.applies != nil && !r.applies(&f) {
			continue
		}
		found, unchecked := r.apply(&f)
		switch {
		case len(found) > 0:
			for i := range found {
				found[i].Kind = r.name
			}
			c.Findings = append(c.Findings, found...)
		case unchecked != "":
			c.Unchecked = append(c.Unchecked, model.Unchecked{Rule: r.name, Why: unchecked})
		default:
			c.Sound = append(c.Sound, r.name)
		}
	}
	slices.SortStableFunc(c.Findings, func(a, b model.Diagnosis) int { return int(b.Severity) - int(a.Severity) })
	return c
}

// rules lists all rules in the order in which findings of one severity stand.
func rules() []rule {
	return slices.Concat(rowRules(), tableRules(), indexRules(), historyRules(), serverRules())
}

// DoctorRules lists the names of all rules.
func DoctorRules() []string {
	var names []string
	for _, r := range rules() {
		names = append(names, r.name)
	}
	return names
}

// onServer reports whether the engine is a server, with rights, isolation and locks
// of its own.
func onServer(f *DoctorFacts) bool { return f.Snapshot.Caps.Engine != "sqlite" }

// locking reports whether the engine locks rows and pages as it is told.
func locking(f *DoctorFacts) bool { return onServer(f) && f.Snapshot.Caps.Engine != "babelfish" }

// fenced reports whether completions name a token.
func fenced(f *DoctorFacts) bool { return f.Snapshot.Mapping.Family == model.Fenced }

// both is two conditions in one.
func both(a, b func(*DoctorFacts) bool) func(*DoctorFacts) bool {
	return func(f *DoctorFacts) bool { return a(f) && b(f) }
}

// mapped reports whether columns play the roles.
func mapped(roles ...model.Role) func(*DoctorFacts) bool {
	return func(f *DoctorFacts) bool {
		return !slices.ContainsFunc(roles, func(r model.Role) bool { return !f.Snapshot.Mapping.Has(r) })
	}
}

// because is why something was not read, in one line.
func because(err error) string {
	if err == nil {
		return ""
	}
	if f := new(model.Fault); errors.As(err, &f) { // who asked is said already
		c := *f
		c.Op, err = "", &c
	}
	return text.Clean(err.Error())
}

// notTold is the reason of a rule whose figure the engine keeps to itself.
const notTold = "the server does not tell"
