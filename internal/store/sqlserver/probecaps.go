package sqlserver

import (
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
	default:
		list = append(list, formUnindexed)
	}
	keyed, events := readerCommitted, readerCommitted
	switch reader {
	case readerSnapshot:
		keyed, events = reader, reader
	case readerBabelfish:
		events = reader
	}
	for _, s := range store.Specs() {
		form := []string{}
		switch {
		case s.Op == store.OpHistory, s.Op == store.OpAudit:
			form = append(form, events)
		case s.Kind == store.Watch && s.Keyed:
			form = append(form, keyed)
		case s.Op == store.OpPulse:
			form = append(append(append(form, reader), list...), p.noRate()...)
		case s.Kind == store.Watch:
			form = append(append(form, reader), list...)
		case !seek && !s.Keyed && s.Op != store.OpEnqueue:
			form = append(form, formScan)
		}
		if len(form) > 0 {
			p.caps.Form[string(s.Op)] = strings.Join(form, "-")
		}
	}
}

// noRate leaves the completions out of the pulse where counting them would read
// the whole history, or is not allowed and would cost the other figures too.
func (p *prober) noRate() []string {
	if p.m.History.IsZero() || p.mayRecall && leads(p.events, "At") {
		return nil
	}
	return []string{formNoRate}
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
	changes := p.changing(t)
	can[model.CanControl] = p.writing(changes, t.writes())
	can[model.CanWork] = p.writing(changes, p.workWrites())
	if changes.OK && !can[model.CanPayload].OK {
		can[model.CanWork] = can[model.CanPayload]
	}
	if p.caps.Engine == Babelfish {
		can[model.CanWork] = model.No(errNoLockedCTE.Error(), "run workers against SQL Server or Azure SQL")
	}
	can[canMake] = p.making()
	p.caps.Ours = p.ours()
}

// counting is whether rows may be counted by state.
func (p *prober) counting() model.Verdict {
	state := p.m.Column(model.RoleState).Name
	if leads(p.indexes, state) || p.rows.Known && p.rows.N <= small {
		return model.Yes()
	}
	rows := "an unknown number of"
	if p.rows.Known {
		rows = model.IntValue(p.rows.N).Text
	}
	var order []string
	for _, c := range append([]string{state}, p.orderNames()...) {
		order = append(order, quote(c))
	}
	return model.No("no index of "+displayName(p.m.Table)+" leads on "+state+": counting would read "+rows+" rows",
		"CREATE INDEX [IX_Claim] ON "+quoted(p.m.Table)+" ("+strings.Join(order, ", ")+")")
}

// changing is whether anything may be changed at all.
func (p *prober) changing(t table) model.Verdict {
	switch err := t.fenced(); {
	case p.m.Family != model.Fenced:
		return model.No("the queue is "+p.m.Family.String()+": a completion names no token", "")
	case err != nil:
		return model.No(err.Error(), "")
	case p.readOnly:
		return model.No("the database is read-only here", "connect to the primary")
	case p.caps.Triggers.Instead:
		return model.No("an INSTEAD OF trigger stands on "+displayName(p.m.Table)+": what a statement reports may not have happened", "drop or disable it")
	case p.memory:
		return model.No(displayName(p.m.Table)+" is memory-optimised and takes no lock hints", "")
	case !p.m.History.IsZero() && !p.caps.Can[model.CanHistory].OK:
		return p.caps.Can[model.CanHistory]
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

// making is whether new jobs can be added and told apart.
func (p *prober) making() model.Verdict {
	const openJSON = 130 // the compatibility level from which OPENJSON is known
	name := displayName(p.m.Table)
	switch {
	case !p.mayInsert:
		return model.No("INSERT on "+name+" is missing", "ask for INSERT on "+name)
	case len(p.m.Keys) != 1 || !p.columns[p.m.Keys[0].Name].identity:
		return model.No("the key is no identity column, so nobody could tell which new job got which key", "")
	case p.level != 0 && p.level < openJSON && p.caps.Engine != Babelfish:
		return model.No("the database's compatibility level is below 130, which has no OPENJSON", "raise it to 130 or higher")
	}
	return model.Yes()
}

// ours is whether the table has the whole shipped schema.
func (p *prober) ours() bool {
	for _, r := range model.Roles() {
		if !p.m.Has(r) {
			return false
		}
	}
	return !p.m.History.IsZero() && p.caps.Can[model.CanHistory].OK
}
