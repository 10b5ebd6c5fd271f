package sqlserver

import (
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// forms chooses a variant for every statement that has several.
func (p *prober) forms() {
	reader, state := p.reader, p.m.Column(model.RoleState).Name
	seek := leads(p.indexes, state) && !p.memory && p.caps.Engine != Babelfish
	if p.memory { // takes neither lock hints nor another isolation
		reader = readerRCSI
	}
	p.caps.LowCounts = reader == readerReadPast
	var list []string
	switch {
	case seek && !leads(p.indexes, append([]string{state}, p.orderNames()...)...):
		list = append(list, formUnordered)
	case seek, reader == readerBabelfish && leads(p.indexes, state):
	case p.rows.Known && p.rows.N <= small:
		list = append(list, formScan)
	case p.m.AllowScan && !leads(p.indexes, state): // in no order: nothing is sorted but what the cap lets through
		list = append(list, formScan, formUnordered)
		p.caps.Scan = model.Scan{On: true, Rows: p.rows, Index: p.missingIndex()}
	default:
		list = append(list, formUnindexed)
	}
	by := reading{list: reader, words: list, keyed: readerCommitted, events: readerCommitted, seek: seek}
	switch reader {
	case readerSnapshot:
		by.keyed, by.events = reader, reader
	case readerBabelfish:
		by.events = reader
	}
	for _, s := range store.Specs() {
		if form := p.formOf(s, by); len(form) > 0 {
			p.caps.Form[string(s.Op)] = strings.Join(form, "-")
		}
	}
	p.holding()
}

// reading is how lists, single rows and the history are read on this server.
type reading struct {
	list, keyed, events string
	words               []string // what a list's form has behind its reader
	seek                bool     // an index leads on the state and hints are honoured
}

// formOf is an operation's form, empty where it has one only.
func (p *prober) formOf(s store.Spec, by reading) []string {
	list := func(words ...string) []string { return append([]string{by.list}, words...) }
	switch {
	case asksLocks(s.Op), asksCatalog(s.Op):
		return nil
	case s.Op == store.OpHealthScan:
		return list(formScan)
	case s.Op == store.OpDirty:
		return append([]string{readerDirty}, by.words...)
	case s.Op == store.OpHistoryHealth, s.Op == store.OpHistory, s.Op == store.OpAudit:
		return []string{by.events}
	case s.Op == store.OpBrakeState:
		return []string{by.keyed}
	case s.Op == store.OpEvents, s.Op == store.OpWorkerEvents, s.Op == store.OpLatency:
		return list()
	case s.Op == store.OpFindOperation:
		return list(p.lookup(by.words)...)
	case s.Op == store.OpRepeaters, s.Op == store.OpWorkers, s.Op == store.OpFindWorker:
		return list(unsorted(by.words)...)
	case s.Kind == store.Watch && s.Keyed:
		return []string{by.keyed}
	case s.Op == store.OpPulse:
		return slices.Concat(list(by.words...), p.noRate(), p.noBrake(), p.stats())
	case s.Kind == store.Watch:
		return list(by.words...)
	case !by.seek && !s.Keyed && s.Op != store.OpEnqueue:
		return []string{formScan}
	}
	return nil
}

// lookup is how a job is found by its operation id: by an index, or among the jobs
// that are not done.
func (p *prober) lookup(list []string) []string {
	if c := p.m.Column(model.RoleOperation); !c.IsZero() && leads(p.indexes, c.Name) && !p.memory {
		return nil
	}
	return append(unsorted(list), formActive)
}

// unsorted is a form for a list that is in no index's order anyway.
func unsorted(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(word string) bool { return word == formUnordered })
}

// noRate leaves the completions out of the pulse where counting them would read
// the whole history, or is not allowed and would cost the other figures too.
func (p *prober) noRate() []string {
	if p.m.History.IsZero() || p.mayRecall && leads(p.events, "At") {
		return nil
	}
	return []string{formNoRate}
}

// stats counts arrivals by the clustered index, where its key is one that no step
// changes: an update of it would be counted as a row that came.
func (p *prober) stats() []string {
	key := names(p.m.Keys)
	changes := func(column string) bool { return !slices.Contains(key, column) }
	if !p.mayState || p.memory || p.caps.Engine == Babelfish || len(p.clustered) == 0 || slices.ContainsFunc(p.clustered, changes) {
		return nil
	}
	return []string{formStats}
}

func (p *prober) orderNames() []string {
	var out []string
	for _, r := range []model.Role{model.RolePriority, model.RoleAvailable} {
		if c := p.m.Column(r); !c.IsZero() {
			out = append(out, c.Name)
		}
	}
	return append(out, names(p.m.Keys)...)
}

// verdicts say what can be done here and, if not, what would change that.
func (p *prober) verdicts() {
	can, t := p.caps.Can, table{m: p.m, c: &p.caps}
	name := displayName(p.m.Table)
	can[model.CanRead] = model.Yes()
	can[model.CanCount] = p.counting()
	can[model.CanPayload] = model.Yes()
	if c := p.m.Column(model.RolePayload); c.IsZero() {
		can[model.CanPayload] = model.No("the mapping names no payload column", "map the role payload")
	} else if !p.columns[c.Name].mayRead {
		can[model.CanPayload] = model.No("SELECT on "+name+" ("+c.Name+") is missing", "ask for it, or leave the payload unread")
	}
	fit, changes := p.fit(t), p.changing(t)
	control, work := p.writing(changes, t.writes()), p.writing(changes, p.workWrites())
	if work.OK && !can[model.CanPayload].OK { // whose procedure gives the payload too
		work = can[model.CanPayload]
	}
	if work.OK && p.unbrakable { // its claims would be refused, and must not go on without it
		work = can[model.CanBrake]
	}
	can[model.CanControl] = p.throughProcedures(control, fit, operatorOps())
	if p.caps.Engine == Babelfish {
		work = model.No(errNoLockedCTE.Error(), "run workers against SQL Server or Azure SQL")
		fit = work
	} else if err := t.ourToken(); work.OK && err != nil {
		work = model.No(err.Error(), "")
		fit = work
	}
	can[model.CanWork] = p.throughProcedures(work, fit, stepOps())
	p.purging()
	can[canMake] = p.making()
	if can[canMake].OK {
		can[canMake] = p.throughProcedures(p.inserting(), can[canMake], []store.Op{store.OpEnqueue})
	}
	p.caps.Ours = p.ours()
}

// counting is whether rows may be counted by state.
func (p *prober) counting() model.Verdict {
	state := p.m.Column(model.RoleState).Name
	if leads(p.indexes, state) || p.rows.Known && p.rows.N <= small || p.caps.Scan.On {
		return model.Yes()
	}
	rows := "an unknown number of"
	if p.rows.Known {
		rows = model.IntValue(p.rows.N).Text
	}
	return model.No("no index of "+displayName(p.m.Table)+" leads on "+state+": counting would read "+rows+" rows", p.missingIndex())
}

// missingIndex is the statement that makes the index in the order of claims.
func (p *prober) missingIndex() string {
	var order []string
	for _, c := range append([]string{p.m.Column(model.RoleState).Name}, p.orderNames()...) {
		order = append(order, quote(c))
	}
	return "CREATE INDEX [IX_Claim] ON " + quoted(p.m.Table) + " (" + strings.Join(order, ", ") + ")"
}

// changing is whether this login's own statements may change anything.
func (p *prober) changing(t table) model.Verdict {
	if fit := p.fit(t); !fit.OK || p.m.History.IsZero() {
		return fit
	}
	return p.recording
}

// printed is what is left where no act is safe.
const printed = "--print-only shows the statement for somebody who knows that the worker is gone"

// fit is whether the table is such that its rows may be changed, whoever does it.
func (p *prober) fit(t table) model.Verdict {
	switch err := store.Fenced(t.m); {
	case p.m.Family != model.Fenced:
		return model.No(p.m.Danger(), printed)
	case p.m.Danger() != "":
		return model.No(err.Error(), printed)
	case err != nil:
		return model.No(err.Error(), "")
	}
	if takes := p.takesWrites(); !takes.OK {
		return takes
	}
	if !p.m.History.IsZero() && p.obstacle {
		return p.recording
	}
	return model.Yes()
}

// takesWrites is whether the table takes a write, whoever sends it, and tells truly
// what became of it.
func (p *prober) takesWrites() model.Verdict {
	name := displayName(p.m.Table)
	switch {
	case p.readOnly:
		return model.No("the database is read-only here", "connect to the primary")
	case p.caps.Triggers.Instead:
		return model.No("an INSTEAD OF trigger stands on "+name+": what a statement reports may not have happened", "drop or disable it")
	case p.memory:
		return model.No(name+" is memory-optimised and takes no lock hints", "")
	}
	return model.Yes()
}

// writing is whether the columns may be written.
func (p *prober) writing(base model.Verdict, writes []model.Column) model.Verdict {
	if !base.OK {
		return base
	}
	var missing []string
	for _, c := range writes {
		if !p.columns[c.Name].mayWrite {
			missing = append(missing, c.Name)
		}
	}
	if len(missing) == 0 {
		return model.Yes()
	}
	right := "UPDATE on " + displayName(p.m.Table) + " (" + strings.Join(missing, ", ") + ")"
	return model.No(right+" is missing", "ask for "+right)
}

// workWrites are the columns that workers write.
func (p *prober) workWrites() []model.Column {
	var out []model.Column
	for _, r := range model.Roles() {
		switch r {
		case model.RoleKey, model.RolePayload, model.RoleOperation, model.RolePriority, model.RoleEnqueued, model.RoleMaxAttempts:
			continue
		}
		if c := p.m.Column(r); !c.IsZero() {
			out = append(out, c)
		}
	}
	return out
}
