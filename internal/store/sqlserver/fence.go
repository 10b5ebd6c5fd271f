package sqlserver

import (
	"cmp"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// guards refuses a step or an act that the table's token cannot guard.
func (t table) guards(op store.Op) error {
	kind := store.SpecOf(op).Kind
	switch {
	case kind == store.Watch && op != store.OpWorking && op != store.OpWorkers:
		return nil
	case kind == store.Watch, t.dangerous(op) != "":
		return store.Leased(t.m)
	case kind == store.Control:
		return store.Fenced(t.m)
	}
	return cmp.Or(store.Fenced(t.m), t.ourToken())
}

// dangerous is why an act on a job is only printed, empty where it is sent.
func (t table) dangerous(op store.Op) string {
	if spec := store.SpecOf(op); spec.Kind != store.Control || !spec.Keyed {
		return ""
	}
	return t.m.Danger()
}

// ourToken refuses a table whose workers make tokens of another type than ours do.
func (t table) ourToken() error { return store.OurToken(t.m, "tokens of type uniqueidentifier") }

// fence gives the row the act's own token, so that no completion of an earlier claim
// matches. A rowversion is not written: the server replaces it.
func (t table) fence() edit {
	c := t.m.Column(model.RoleToken)
	switch how, _ := c.Fence(); {
	case how == model.FenceCleared:
		return edit{model.RoleToken, null()}
	case how != model.FenceWritten:
		return edit{}
	case c.Type == model.GUID:
		return t.token("action")
	}
	return t.token("fence")
}

// isVersion reports whether the server makes the column's value at every change of
// its row.
func isVersion(c model.Column) bool {
	d := strings.ToLower(c.Declared)
	return d == "rowversion" || d == "timestamp"
}

// kept is the type in which a value of a column is compared or kept elsewhere: nobody
// can give a column of type rowversion its value.
func kept(c model.Column) string {
	if isVersion(c) {
		return "binary(8)"
	}
	return c.Declared
}

// historyToken is the type that the history's columns for tokens must have.
func historyToken(m *model.Mapping) string {
	base, _, _ := strings.Cut(kept(m.Column(model.RoleToken)), "(")
	return strings.ToLower(base)
}

// tokens refuses a history whose columns for tokens are of another type than the
// table's: what a statement captured could not be written there. So it is with a key
// that is no whole number, of which the history would keep another.
func (p *prober) tokens() {
	want := historyToken(p.m)
	if k := p.m.Keys[0]; !p.m.History.IsZero() && k.Type == model.Fraction {
		p.m.History = model.Table{}
		p.caps.Can[model.CanHistory] = model.No("JobId of the history is a whole number, and the key is "+k.Declared, "")
	}
	if p.m.History.IsZero() || want == "" || p.historyToken == "" || strings.EqualFold(p.historyToken, want) {
		return
	}
	name, declared := displayName(p.m.History), kept(p.m.Column(model.RoleToken))
	p.m.History = model.Table{}
	p.caps.Can[model.CanHistory] = model.No("OldToken and NewToken of "+name+" are "+p.historyToken+", and the token is "+declared,
		"make them "+declared+", so that what an act did can be recorded")
}
