package sqlserver

import (
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// rowForms chooses a variant for every statement of a destructive queue that has
// several.
func (p *prober) rowForms() {
	reader := p.reader
	if p.memory {
		reader = readerRCSI
	}
	p.caps.LowCounts = reader == readerReadPast
	heap := p.m.Lane.Order != model.OrderNone && !leads(p.indexes, p.m.Column(model.RoleEnqueued).Name)
	keyed := readerCommitted
	if reader == readerSnapshot {
		keyed = reader
	}
	for _, s := range store.SpecsOf(model.Destructive) {
		form := []string{reader}
		switch {
		case s.Kind != store.Watch, asksCatalog(s.Op):
			continue
		case s.Keyed:
			form[0] = keyed
		case s.Op == store.OpDepth:
			if heap {
				form = append(form, formHeap)
			}
			if p.row.mayState && p.caps.Engine != Babelfish {
				form = append(form, formStats)
			}
		case heap && (s.Op == store.OpHead || s.Op == store.OpTail):
			form = append(form, formHeap)
		}
		p.caps.Form[string(s.Op)] = strings.Join(form, "-")
	}
}

// rowVerdicts say what can be done with a destructive queue here and, if not, what
// would change that.
func (p *prober) rowVerdicts() {
	can, name := p.caps.Can, displayName(p.m.Table)
	can[model.CanRead], can[model.CanPayload], can[model.CanCount] = model.Yes(), model.Yes(), model.Yes()
	can[model.CanOrder] = p.ordering()
	can[model.CanBury] = p.burying()
	can[model.CanHistory] = model.No("a destructive queue keeps no history", "")
	can[canMake], can[canReturn] = p.takesWrites(), model.Yes()
	switch {
	case !can[canMake].OK:
	case !p.mayInsert:
		can[canMake] = model.No("INSERT on "+name+" is missing", "ask for INSERT on "+name)
	case p.level != 0 && p.level < openJSON && p.caps.Engine != Babelfish:
		can[canMake] = model.No("the database's compatibility level is below 130, which has no OPENJSON", "raise it to 130 or higher")
	}
	switch {
	case !p.mayInsert:
		can[canReturn] = can[canMake]
	case p.row.obstacles:
		can[canReturn] = model.No(name+" has a trigger, a foreign key or a check, and OUTPUT INTO refuses those", "requeue by hand, with an INSERT")
	case !p.row.mayDeleteDead:
		can[canReturn] = model.No("DELETE on "+displayName(p.m.Lane.Dead)+" is missing", "ask for it")
	}
	work := p.deleting()
	can[model.CanWork], can[model.CanControl] = work, work
	if work.OK && p.caps.Engine == Babelfish && p.m.Lane.Order != model.OrderNone {
		can[model.CanWork] = model.No(errNoOrderedDelete.Error(), "run workers against SQL Server or Azure SQL")
	}
	if work.OK && !can[model.CanBury].OK {
		can[model.CanControl] = can[model.CanBury]
	}
	p.caps.Ours = can[model.CanBury].OK && p.m.Profile == "destructive"
	if p.caps.Engine == Babelfish && baseOf(p.m.Column(model.RoleEnqueued).Declared) == "datetime" {
		p.caps.Notes = append(p.caps.Notes, "Babelfish keeps more of a datetime than it prints: an act may not find a row that is there")
	}
	if v := p.m.Comparable(); !v.OK {
		p.caps.Notes = append(p.caps.Notes, v.Why+": "+v.Fix)
	}
}

// deleting is whether rows may be taken at all.
func (p *prober) deleting() model.Verdict {
	name := displayName(p.m.Table)
	if takes := p.takesWrites(); !takes.OK {
		return takes
	}
	if !p.row.mayDelete {
		return model.No("DELETE on "+name+" is missing", "ask for DELETE on "+name)
	}
	return model.Yes()
}

// ordering is whether an index gives the order of dequeue.
func (p *prober) ordering() model.Verdict {
	by := p.m.Column(model.RoleEnqueued).Name
	if p.m.Lane.Order == model.OrderNone || leads(p.indexes, by) {
		return model.Yes()
	}
	clustered := ""
	if len(p.clustered) == 0 { // a table has one at the most
		clustered = "CLUSTERED "
	}
	return model.No("no index of "+displayName(p.m.Table)+" leads on "+by+": every dequeue reads, locks and sorts the whole table",
		"CREATE "+clustered+"INDEX [IX_Order] ON "+quoted(p.m.Table)+" ("+quote(by)+")")
}

// burying is whether the dead letters have a table that takes them.
func (p *prober) burying() model.Verdict {
	if p.m.Lane.Dead.IsZero() {
		return model.No("the mapping names no table of dead letters", "write dead_letters")
	}
	if !p.recording.OK {
		return p.recording
	}
	name := displayName(p.m.Lane.Dead)
	var missing, other []string
	for _, c := range p.m.Keys {
		d, ok := p.row.dead[strings.ToLower(c.Name)]
		switch {
		case !ok:
			missing = append(missing, c.Name)
		case d.Made || c.Nullable && !d.Nullable || !strings.EqualFold(storedAs(c.Declared), storedAs(d.Declared)):
			other = append(other, c.Name+" is "+d.Declared)
		}
	}
	for _, n := range burialColumns() {
		if _, ok := p.row.dead[strings.ToLower(n)]; !ok {
			missing = append(missing, n)
		}
	}
	switch {
	case len(missing) > 0:
		return model.No(name+" has another shape: it lacks "+strings.Join(missing, ", "), "give it the queue's columns and "+strings.Join(burialColumns(), ", "))
	case len(other) > 0:
		return model.No(name+" has another shape: "+strings.Join(other, ", "), "give it the queue's own types, without identity and as nullable")
	}
	return model.Yes()
}
