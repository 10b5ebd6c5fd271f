package sqlserver

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// otherGoldens are some statements of a table whose columns others declared, for
// reading.
func otherGoldens(t *testing.T) []golden {
	t.Helper()
	m := mapping(t, profile.Bare)
	m.Keys[0] = model.Column{Name: "JobId", Type: typeOf("decimal(18, 2)"), Declared: "decimal(18, 2)"}
	m.Columns[model.RolePriority] = model.Column{Name: "Priority", Type: model.Int, Declared: "tinyint", Nullable: true}
	m.Columns[model.RolePayload] = model.Column{Name: "Payload", Type: model.GUID, Declared: "uniqueidentifier"}
	m.Columns[model.RoleWorker] = model.Column{Name: "Consumer", Type: model.GUID, Declared: "uniqueidentifier"}
	state := m.Column(model.RoleState)
	state.Nullable = true
	m.Columns[model.RoleState] = state
	var out []golden
	for op, form := range map[store.Op]string{
		store.OpPulse: "rcsi", store.OpHealth: "rcsi", store.OpInspect: "committed", store.OpPayload: "committed",
		store.OpWorkers: "rcsi", store.OpClaim: "", store.OpReclaim: "",
	} {
		s, err := Dialect{}.Statement(op, m, &model.Caps{Engine: Engine, Form: map[string]string{string(op): form}})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, golden{filepath.Join("others", string(op)+".sql"), op, form, s})
	}
	return out
}

// TestJobsWithoutAPriority holds that a job without a priority is asked for and told of
// apart where the column may be NULL: nothing is greater than NULL, and so a seek of the
// next priority would end there.
func TestJobsWithoutAPriority(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		columns, none := []string{"now", "key", "priority", "available"}, "2026-03-01T11:56:00.1234567"
		w := probed(t, facts{declared: map[string]string{"Priority": "tinyint NULL"}}, inTurn(
			tdstest.Reply{tdstest.Rows(columns, []any{clock, 7, nil, none}, []any{clock, 9, 0, clock})},
			tdstest.Reply{tdstest.Rows(columns, []any{clock, nil, nil, nil}, []any{clock, 9, 0, clock})},
			tdstest.Reply{tdstest.Rows(columns, []any{clock, 7, nil, none})},
		))
		want, err := Dialect{}.Statement(store.OpPulse, w.q.Mapping(), &model.Caps{Engine: Engine, Form: map[string]string{string(store.OpPulse): "rcsi"}})
		if err != nil {
			t.Fatal(err)
		}
		zero := model.NumberOf(0)
		for i, priorities := range [][]model.Number{{{}, zero}, {zero}, nil} {
			p, _, err := w.q.Pulse(t.Context(), model.PulseAsk{})
			if err != nil {
				t.Fatal(err)
			}
			var got []model.Number
			for _, o := range p.ByPriority {
				got = append(got, o.Priority)
			}
			if d := cmp.Diff(priorities, got); d != "" {
				t.Errorf("answer %d: %s", i, d)
			}
			if first := model.KeyOf(model.IntValue(7)); (p.Oldest.Key == first) != (i != 1) {
				t.Errorf("answer %d: the oldest of all is %s", i, p.Oldest.Key)
			}
			if d := cmp.Diff(want.Texts[0], w.sent(t)[i].Text); d != "" {
				t.Error(d)
			}
		}
	})
}

// TestNumbersWithAFraction holds that a number of digits behind the point is read and
// sent back as it is: cut to a whole one, the key of one job is that of another.
func TestNumbersWithAFraction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		job := map[string]any{"key": "1.50", "state": "W", "token": tokenA, "lease": clock, "priority": "10.00", "attempts": "2.50"}
		w := probed(t, facts{declared: map[string]string{
			"JobId": "decimal(18, 2)", "Priority": "numeric(5, 2)", "Attempts": "decimal(5, 2)", "MaxAttempts": "decimal(5, 0)",
		}}, inTurn(tdstest.Reply{row(job)}, tdstest.Reply{row(map[string]any{"key": "1.50", "new_token": tokenB})}))
		k, err := model.ParseKey(w.q.Mapping().Keys, "1.5")
		if err != nil {
			t.Fatal(err)
		}
		j, _, err := w.q.Inspect(t.Context(), k)
		if err != nil || j.Key.String() != "1.50" || j.Priority != model.NumberOf(10) || j.Attempts.Known {
			t.Fatalf("%+v, %v", j, err)
		}
		i := in(model.Reclaim)
		i.Key = j.Key
		if c, _, err := w.q.Apply(t.Context(), i); err != nil || len(c) != 1 || c[0].Key != j.Key {
			t.Errorf("%+v, %v", c, err)
		}
		for i, want := range []string{"1.5", "1.50"} {
			r := w.sent(t)[i]
			if p := r.Params[0]; p.Name != "key" || p.Value != want || !strings.Contains(r.Text, "[JobId] = CONVERT(decimal(18, 2), @key)") {
				t.Errorf("sent is %v with\n%s", p, r.Text)
			}
		}
		if k, err = model.ParseKey(w.q.Mapping().Keys, "1.505"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.q.Inspect(t.Context(), k); err == nil || !strings.Contains(err.Error(), "would round it") || len(w.sent(t)) != 2 {
			t.Errorf("what the server would round to the key of another job: %v", err)
		}
		caps, _ := w.q.Caps()
		if v := caps.Allows(model.CanHistory); v.OK || !strings.Contains(v.Why, "whole number, and the key is decimal(18, 2)") {
			t.Errorf("history: %+v", v)
		}
	})
}

// TestAStateWithAFraction is refused: its values are compared with those of a mapping.
func TestAStateWithAFraction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := dial(t, facts{declared: map[string]string{"State": "decimal(3, 1)"}}, always(nothing()))
		if _, err := w.q.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "State of dbo.QueueDemo is decimal(3, 1), which cannot play the role state") {
			t.Errorf("%v", err)
		}
	})
}

// TestStatesOfEveryNumber holds that the walk through the states begins at a value of
// the column's own type: a wider one would have the column converted, and no seek.
func TestStatesOfEveryNumber(t *testing.T) {
	for declared, want := range map[string]string{
		"bit": "CONVERT(bit, 0)", "tinyint": "CONVERT(tinyint, 0)", "int": "CONVERT(int, -2147483648)", "bigint": "CONVERT(bigint, -9223372036854775808)",
	} {
		m := mapping(t, profile.Bare)
		m.Columns[model.RoleState] = model.Column{Name: "State", Type: model.Int, Declared: declared}
		for s := range m.States {
			m.States[s] = model.IntValue(int64(s))
		}
		st, err := Dialect{}.Statement(store.OpHealth, m, &model.Caps{Engine: Engine, Form: map[string]string{string(store.OpHealth): "rcsi"}})
		if err != nil || !strings.Contains(st.Texts[0], "q.[State] >= "+want+" ORDER BY") {
			t.Errorf("%s: %v\n%v", declared, err, st.Texts)
		}
	}
}
