package diagnose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

// tableRules are about the table and its columns.
func tableRules() []rule {
	return []rule{
		{"key-null", nil, keyNull},
		{"key-unique", nil, keyUnique},
		{"token-type", both(onServer, mapped(model.RoleToken)), tokenType},
		{"lease-precision", both(onServer, mapped(model.RoleLease)), leasePrecision},
		{"identity", onServer, identity},
		{"trigger", nil, triggers},
	}
}

func keyNull(f *DoctorFacts) ([]model.Diagnosis, string) {
	switch n := f.Catalog.NullableKeys; {
	case f.CatalogErr != nil:
		return nil, because(f.CatalogErr)
	case !n.Known:
		return nil, notTold
	case n.N == 0:
		return nil, ""
	}
	m := f.Snapshot.Mapping
	return []model.Diagnosis{{
		Finding: model.Finding{
			Severity: model.Warn, Text: "the key may be NULL: such a row is found by no statement",
			Cure: "let the key be NOT NULL",
		},
		Evidence: []string{"the catalog says so of " + text.Plural(f.Catalog.NullableKeys.N, "column", "columns") + " of the key"},
		Remedy:   model.Remedy{Kind: model.MendNotNull, Table: m.Table, Columns: []string{m.Column(model.RoleKey).Name}},
		Cost:     "reads every row once under a lock on the schema",
	}}, ""
}

// keyUnique is that nothing keeps two rows from having one key.
func keyUnique(f *DoctorFacts) ([]model.Diagnosis, string) {
	if f.IndexErr != nil {
		return nil, because(f.IndexErr)
	}
	m := f.Snapshot.Mapping
	var keys []string
	for _, c := range m.Keys {
		keys = append(keys, c.Name)
	}
	for _, ix := range f.of(false) {
		within := !slices.ContainsFunc(ix.Columns, func(c string) bool {
			return !slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(k, c) })
		})
		if ix.Unique && ix.Filter == "" && within {
			return nil, ""
		}
	}
	return []model.Diagnosis{{
		Finding: model.Finding{
			Severity: model.Bad, Text: "no unique index on " + strings.Join(keys, ", ") + ": an act on one job could change several",
			Cure: "make one; it fails if there are such rows already",
		},
		Evidence: f.listed(false), Cost: f.building(),
		Remedy: model.Remedy{Kind: model.MendUnique, Table: m.Table, Name: f.indexName("Key"), Columns: keys, Online: f.Catalog.Online.N == 1},
	}}, ""
}

// sized splits a declared type, such as datetime2(3), into name and size; -1: none.
func sized(declared string) (name string, size int) {
	name, rest, ok := strings.Cut(strings.ToLower(declared), "(")
	if n, err := strconv.Atoi(strings.TrimSuffix(rest, ")")); ok && err == nil {
		return strings.TrimSpace(name), n
	}
	return strings.TrimSpace(name), -1
}

// tokenType is a token that cannot tell every claim from every other.
func tokenType(f *DoctorFacts) ([]model.Diagnosis, string) {
	c := f.Snapshot.Mapping.Column(model.RoleToken)
	why := ""
	switch name, size := sized(c.Declared); {
	case name == "int" || name == "smallint" || name == "tinyint" || name == "bit":
		why = "a number that small comes again"
	case slices.Contains([]string{"datetime", "smalldatetime", "date"}, name):
		why = "two claims within its precision have the same"
	case (name == "char" || name == "varchar" || name == "nchar" || name == "nvarchar") && size >= 0 && size < 32:
		why = "a GUID needs 36 characters, or 32 without its hyphens"
	case (name == "binary" || name == "varbinary") && size >= 0 && size < 16:
		why = "a GUID needs 16 bytes"
	default:
		return nil, ""
	}
	return []model.Diagnosis{{
		Finding: model.Finding{
			Severity: model.Warn, Text: fmt.Sprintf("the token %s is %s: %s", c.Name, c.Declared, why),
			Cure: "a token must be new at every claim: make it a uniqueidentifier when the workers can write one",
		},
		Evidence: []string{"the catalog declares " + c.Name + " as " + c.Declared},
	}}, ""
}

// leasePrecision is a lease that is rounded so much that a renewal cannot be told.
func leasePrecision(f *DoctorFacts) ([]model.Diagnosis, string) {
	c := f.Snapshot.Mapping.Column(model.RoleLease)
	name, size := sized(c.Declared)
	by := ""
	switch {
	case name == "date":
		by = "a day"
	case name == "smalldatetime":
		by = "a minute"
	case name == "datetime":
		by = "a three-hundredth of a second"
	case (name == "datetime2" || name == "datetimeoffset") && size >= 0 && size < 3:
		by = "more than a millisecond"
	default:
		return nil, ""
	}
	return []model.Diagnosis{{
		Finding: model.Finding{
			Severity: model.Warn, Text: fmt.Sprintf("the lease %s is %s, which rounds by %s", c.Name, c.Declared, by),
			Cure: "an extension is proved by its own milliseconds; give the column three digits of a second",
		},
		Evidence: []string{"the catalog declares " + c.Name + " as " + c.Declared},
		Remedy:   model.Remedy{Kind: model.MendPrecision, Table: f.Snapshot.Mapping.Table, Columns: []string{c.Name}},
		Cost:     "rewrites every row under a lock on the schema; indexes with the column are to be dropped first",
	}}, ""
}

// nearEnd and tooNear are how much of an identity's numbers may be gone.
const (
	nearEnd = 80
	tooNear = 95
)

// identity is a key whose numbers come to an end: then every insert fails.
func identity(f *DoctorFacts) ([]model.Diagnosis, string) {
	if f.CatalogErr != nil {
		return nil, because(f.CatalogErr)
	}
	id := f.Catalog.Identity
	if id.Column == "" {
		return nil, ""
	}
	end := map[string]int64{"tinyint": 255, "smallint": 1<<15 - 1, "int": 1<<31 - 1, "bigint": 1<<63 - 1}[id.Declared]
	if !id.Last.Known || end == 0 {
		return nil, notTold
	}
	used := int(float64(id.Last.N) / float64(end) * 100)
	if used < nearEnd {
		return nil, ""
	}
	d := model.Diagnosis{
		Finding: model.Finding{
			Severity: model.Warn, Text: fmt.Sprintf("%d%% of the numbers of %s (%s) are used: at the end every insert fails", used, text.Clean(id.Column), id.Declared),
			Cure: "widen the column, or begin again below zero if nothing minds: DBCC CHECKIDENT with RESEED",
		},
		Evidence: []string{fmt.Sprintf("the last was %s of %s", text.Grouped(id.Last.N), text.Grouped(end))},
		Cost:     "rewrites the table under a lock on the schema; the primary key and its indexes are built anew",
	}
	if used >= tooNear {
		d.Severity = model.Bad
	}
	if id.Declared != "bigint" {
		d.Remedy = model.Remedy{Kind: model.MendWiden, Table: f.Snapshot.Mapping.Table, Columns: []string{id.Column}}
	}
	return []model.Diagnosis{d}, ""
}

// triggers on the table make what a statement captured less than the last word.
func triggers(f *DoctorFacts) ([]model.Diagnosis, string) {
	d := model.Diagnosis{}
	switch t := f.Snapshot.Caps.Triggers; {
	case t.Instead:
		d.Finding = model.Finding{
			Severity: model.Bad, Text: "a trigger runs instead of the update: what a statement reports may not have happened, so control and work are off",
			Cure: "drop or disable it",
		}
	case t.After:
		d.Finding = model.Finding{
			Severity: model.Normal, Text: "a trigger runs after the update: a receipt says applied only after a second look",
			Cure: "each claim and each completion pays for it; see that it is short and changes no row of the queue",
		}
	default:
		return nil, ""
	}
	return []model.Diagnosis{f.standing(d)}, ""
}

// standing is a finding about a trigger with the trigger itself.
func (f *DoctorFacts) standing(d model.Diagnosis) model.Diagnosis {
	table, name := f.Snapshot.Mapping.Table, f.Catalog.Trigger
	if name == "" {
		d.Evidence = []string{"the catalog has an enabled one on " + table.String()}
		return d
	}
	d.Evidence = []string{text.Clean(name) + " stands on " + table.String()}
	d.Remedy = model.Remedy{Kind: model.MendDisable, Table: table, Name: name}
	d.Cost = "a moment's lock on the schema; what it kept right is kept no longer"
	if !onServer(f) {
		d.Cost = "the trigger is gone with its text, which is to be kept first; what it kept right is kept no longer"
	}
	return d
}
