package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// small is up to how many rows a scan is no trouble yet.
const small = 10_000

// seek is what a statement needs an index for: the rows of a state in an order.
type seek struct {
	name, what string // the rule, and whose way it is
	index      string // how the index is called that would do
	state      model.State
	columns    []string // behind the state
	whole      []string // what an index for it has behind the state
}

// seeks are what the statements of the queue need, the claim first.
func (f *DoctorFacts) seeks() []seek {
	m := f.Snapshot.Mapping
	var keys, order []string
	for _, c := range m.Keys {
		keys = append(keys, c.Name)
	}
	for _, r := range []model.Role{model.RolePriority, model.RoleAvailable} {
		if c := m.Column(r); !c.IsZero() {
			order = append(order, c.Name)
		}
	}
	of := func(r model.Role) []string {
		if c := m.Column(r); !c.IsZero() {
			return append([]string{c.Name}, keys...)
		}
		return keys
	}
	order = append(order, keys...)
	out := []seek{{"claim-index", "claims, in their order", "Claim", model.Ready, order, order}}
	if m.Has(model.RoleAvailable) {
		due := of(model.RoleAvailable)
		out = append(out, seek{"due-index", "the promotion of jobs that are due", "Due", model.Scheduled, due[:1], due})
	}
	return append(out,
		seek{"working-index", "the list of leases and the recovery", "Working", model.Working, nil, of(model.RoleLease)},
		seek{"failed-index", "the list of dead letters", "Failed", model.Failed, nil, of(model.RoleEnded)},
	)
}

func indexRules() []rule {
	var out []rule
	for _, name := range []string{"claim-index", "due-index", "working-index", "failed-index"} {
		out = append(out, rule{name, nil, func(f *DoctorFacts) ([]model.Diagnosis, string) { return f.missing(name) }})
	}
	return append(out,
		rule{"disabled-index", onServer, disabled},
		rule{"filtered-index", onServer, filtered},
		rule{"page-locks", locking, pageLocks},
		rule{"row-locks", locking, rowLocks},
	)
}

// missing is an index that a statement needs and that is not there.
func (f *DoctorFacts) missing(name string) ([]model.Diagnosis, string) {
	if f.IndexErr != nil {
		return nil, because(f.IndexErr)
	}
	m := f.Snapshot.Mapping
	state := m.Column(model.RoleState).Name
	have := f.of(false)
	for _, x := range f.seeks() {
		if m.States[x.state].IsNull() {
			if x.name == name {
				return nil, ""
			}
			continue
		}
		served := slices.ContainsFunc(have, func(ix model.Index) bool { return serves(ix, have, state, m.States[x.state].Text, x.columns) })
		if x.name == name {
			if served {
				return nil, ""
			}
			return []model.Diagnosis{f.wanted(x, state)}, ""
		}
		if !served { // the index that was said to be missing before serves this too
			have = append(have, model.Index{Columns: append([]string{state}, x.whole...)})
		}
	}
	return nil, ""
}

// of are the indexes of the table, or of its history, that can be used.
func (f *DoctorFacts) of(history bool) []model.Index {
	var out []model.Index
	for _, ix := range f.Indexes {
		if ix.OnHistory == history && !ix.Disabled {
			out = append(out, ix)
		}
	}
	return out
}

// serves reports whether an index gives the rows of a state in an order. One that
// is not clustered ends with the key of the clustered one. A server answers no
// parameter from an index with a filter, the embedded engine does: its statements
// have the state's value in them.
func serves(ix model.Index, all []model.Index, state, value string, columns []string) bool {
	have, falls := slices.Clone(ix.Columns), directions(ix)
	for _, c := range all {
		if c.Clustered && !ix.Clustered {
			have, falls = append(have, c.Columns...), append(falls, directions(c)...)
		}
	}
	want, from := append([]string{state}, columns...), 1
	switch {
	case ix.Filter == "":
	case ix.Clustered || !ofState(ix.Filter, state, value):
		return false
	default:
		want, from = columns, 0
	}
	return len(have) >= len(want) && slices.EqualFunc(have[:len(want)], want, strings.EqualFold) && oneWay(falls[from:len(want)])
}

// directions says of each column of an index whether it descends.
func directions(ix model.Index) []bool {
	out := make([]bool, len(ix.Columns))
	copy(out, ix.Descending)
	return out
}

// oneWay reports whether columns run one way: read from either end an index gives no
// other order.
func oneWay(falls []bool) bool {
	return len(falls) == 0 || !slices.Contains(falls, !falls[0])
}

// ofState reports whether a filter of the embedded engine leaves the rows of one
// state.
func ofState(filter, state, value string) bool {
	plain := strings.NewReplacer(`"`, "", "`", "", "[", "", "]", "", " ", "", "(", "", ")", "").Replace(filter)
	return strings.EqualFold(plain, state+"='"+value+"'")
}

// wanted is a missing index as a finding.
func (f *DoctorFacts) wanted(x seek, state string) model.Diagnosis {
	m := f.Snapshot.Mapping
	d := model.Diagnosis{Finding: model.Finding{
		Severity: model.Bad, Text: "no index serves " + x.what, Cure: "make one that leads on " + strings.Join(append([]string{state}, x.whole...), ", "),
	}}
	d.Remedy = model.Remedy{
		Kind: model.MendIndex, Table: m.Table, Name: f.indexName(x.index), Columns: append([]string{state}, x.whole...), Online: f.Catalog.Online.N == 1,
	}
	d.Evidence, d.Cost = f.listed(false), f.building()
	if n := f.Catalog.Rows; n.Known && n.N <= small {
		d.Severity = model.Warn
		d.Evidence = append(d.Evidence, "with "+text.Plural(n.N, "row", "rows")+" a scan does no harm yet")
	}
	return d
}

// indexName is a name for a new index. A server has one room of names a table.
func (f *DoctorFacts) indexName(what string) string {
	if onServer(f) {
		return "IX_" + what
	}
	return what
}

// listed are the indexes that there are.
func (f *DoctorFacts) listed(history bool) []string {
	var out []string
	for _, ix := range f.of(history) {
		s := text.Clean(ix.Name) + " (" + text.Clean(strings.Join(ix.Columns, ", ")) + ")"
		if ix.Filter != "" {
			s += " where " + ix.Filter
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return []string{"there is no index"}
	}
	return []string{"there are " + strings.Join(out, "; ")}
}

// building is what it costs to build an index.
func (f *DoctorFacts) building() string {
	rows := "every row"
	if n := f.Catalog.Rows; n.Known {
		rows = "~" + text.Plural(n.N, "row", "rows")
	}
	who := "claim"
	if f.Snapshot.Mapping.IsDestructive() {
		who = "dequeue"
	}
	s := "reads " + rows + " and writes the index's columns of each; every " + who + " keeps it up to date from then on"
	switch {
	case !onServer(f):
		return s + "; the file is locked for writers meanwhile"
	case !f.Catalog.Online.Known:
		return s + "; unless it is built ONLINE, writers wait until it is there"
	case f.Catalog.Online.N == 1:
		return s + "; ONLINE = ON keeps the table in use meanwhile"
	}
	return s + fmt.Sprintf("; this edition (%s) builds it offline: writers wait until it is there", f.Catalog.Edition)
}
