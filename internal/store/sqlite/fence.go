package sqlite

import (
	"cmp"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// guards refuses a step or an act that the table's token cannot guard.
func (t table) guards(op store.Op) error {
	kind := store.SpecOf(op).Kind
	switch {
	case kind == store.Watch && op != store.OpWorking && op != store.OpWorkers:
		return nil
	case kind == store.Watch:
		return t.leased()
	case kind == store.Control:
		return t.fenced()
	}
	return cmp.Or(t.fenced(), t.ourToken())
}

// leased refuses a table that says of no claim until when it holds.
func (t table) leased() error { return cmp.Or(store.Leased(t.m), t.live()) }

// fenced refuses a table whose claims carry no lease or no token that an act could
// replace.
func (t table) fenced() error { return cmp.Or(store.Fenced(t.m), t.live()) }

// ourToken refuses a table whose workers make tokens of another type than ours do.
func (t table) ourToken() error { return store.OurToken(t.m, "GUIDs as text") }

// tokenType is how a token's values travel: a whole number, bytes, the lease itself,
// or text such as a GUID.
func (p *probe) tokenType(c model.Column) model.Type {
	declared := strings.ToUpper(c.Declared)
	switch {
	case p.m.TokenIsLease():
		return model.Time
	case affinity(declared) == "INTEGER":
		return model.Int
	case strings.Contains(declared, "BLOB"), strings.Contains(declared, "BINARY"):
		return model.Binary
	}
	return model.GUID
}

// fence is the act's own token, so that no completion of an earlier claim matches.
func (t table) fence() sqltext.Part {
	c := t.m.Column(model.RoleToken)
	switch how, _ := c.Fence(); {
	case how == model.FenceCleared:
		return null()
	case c.Type == model.GUID:
		return sqltext.Arg("action")
	}
	return sqltext.Arg("fence")
}

// tokenOut is the token's column as it travels: bytes as hexadecimal text, a time as
// its exact text.
func (t table) tokenOut() sqltext.Part {
	switch t.m.Column(model.RoleToken).Type {
	case model.Binary:
		return sqltext.Fill("CASE WHEN {column} IS NOT NULL THEN '0x' || hex({column}) END", sqltext.Holes{"column": t.col(model.RoleToken)})
	case model.Time:
		return t.read(model.RoleToken)
	case model.Null, model.Int, model.Text, model.GUID, model.Fraction, model.Opaque:
	}
	return t.col(model.RoleToken).Or(null())
}

// tokenIn is a token as it travels, as the column holds it; absent stays absent.
func (t table) tokenIn(p sqltext.Part) sqltext.Part {
	if p.IsZero() || t.m.Column(model.RoleToken).Type != model.Binary {
		return p
	}
	return sqltext.Fill("unhex(substr({token}, 3))", sqltext.Holes{"token": p})
}
