package sqlserver

import "github.com/leasetop/leasetop/model"

// openJSON is the compatibility level from which OPENJSON is known.
const openJSON = 130

// making is whether new jobs can be added and told apart.
func (p *prober) making() model.Verdict {
	if takes := p.takesWrites(); !takes.OK {
		return takes
	}
	switch {
	case len(p.m.Keys) != 1 || !p.columns[p.m.Keys[0].Name].identity:
		return model.No("the key is no identity column, so nobody could tell which new job got which key", "")
	case p.level != 0 && p.level < openJSON && p.caps.Engine != Babelfish:
		return model.No("the database's compatibility level is below 130, which has no OPENJSON", "raise it to 130 or higher")
	}
	return model.Yes()
}

// inserting is whether new rows may be written.
func (p *prober) inserting() model.Verdict {
	name := displayName(p.m.Table)
	if !p.mayInsert {
		return model.No("INSERT on "+name+" is missing", "ask for INSERT on "+name)
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
	return !p.m.History.IsZero() && p.caps.Can[model.CanHistory].OK && !p.obstacle
}
