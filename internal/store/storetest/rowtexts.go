package storetest

import (
	"slices"
	"strings"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

func rowTexts() []rowCase {
	return []rowCase{
		{name: "statements", run: rowStatements},
		{name: "the schema is made again", run: rowSchemaAgain},
	}
}

// rowStatements holds that each operation has a statement or a reason, with the
// parameters and columns that were agreed.
func rowStatements(e *rowEnv) {
	keys := store.KeyNames(len(e.q.Mapping().Keys))
	for _, spec := range store.SpecsOf(model.Destructive) {
		s, err := e.stand.Dialect().Statement(spec.Op, e.q.Mapping(), &e.caps)
		if err != nil {
			if len(strings.Fields(err.Error())) < 4 {
				e.Errorf("%s: the reason %q says nothing", spec.Op, err)
			}
			ok, _ := e.can(spec.Op)
			if ok && (spec.Op != store.OpTail || e.shape.Order != model.OrderNone) {
				e.Errorf("%s: %v", spec.Op, err)
			}
			continue
		}
		var params []string
		for _, p := range s.Params {
			if p.Value.IsNull() {
				params = append(params, p.Name)
			}
		}
		want := spec.Params
		if spec.Keyed {
			want = append(slices.Clone(keys), spec.Params...)
		}
		e.same(string(spec.Op)+": parameters", slices.Sorted(slices.Values(params)), slices.Sorted(slices.Values(want)))
		if ok, why := e.can(spec.Op); !ok {
			e.Logf("%s: columns not looked at: %s", spec.Op, why)
			continue
		}
		columns := append([]string{"now"}, spec.Columns...)
		if !slices.Contains(spec.Columns, "held") && !spec.Keyless {
			columns = append(columns, keys...)
		}
		got := e.stand.Columns(e, s)
		e.same(string(spec.Op)+": columns", slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(columns)))
	}
	for _, spec := range store.Specs() {
		if _, err := e.stand.Dialect().Statement(spec.Op, e.q.Mapping(), &e.caps); err == nil && spec.Op != store.OpCatalog && spec.Op != store.OpIndexes {
			e.Errorf("a destructive queue has a statement for %s", spec.Op)
		}
	}
	sendable, absent, err := e.q.Statements(e.ctx)
	if err != nil {
		e.Fatal(err)
	}
	e.same("listed", operations(sendable)+len(absent), len(store.SpecsOf(model.Destructive)))
}

func rowSchemaAgain(e *rowEnv) {
	e.row(0, 7, 1)
	m := e.stand.Mapping()
	if err := e.stand.Open(e).MakeSchema(e.ctx, &m); err != nil {
		e.Fatalf("schema: %v", err)
	}
	e.same("depth", e.pulse().Ready.N, 1)
}
