package sqlserver

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/tdstest"
	"github.com/leasetop/leasetop/model"
)

// procedureScript is the procedures of a table that is as its profile says.
func procedureScript(t *testing.T, m *model.Mapping) store.Script {
	t.Helper()
	s, err := Dialect{}.Procedures(m, &model.Caps{Engine: Engine, Form: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// goldenProcedures are those that are kept as files: how one looks, and who may
// call which. The others differ by their statements, which are kept already.
func goldenProcedures(t *testing.T) map[string]string {
	out := map[string]string{}
	s := procedureScript(t, mapping(t, profile.Lease))
	for _, st := range append(s.Make, s.Print...) {
		name := strings.TrimPrefix(string(st.Op), "procedure: ")
		switch name {
		case "a job of SQL Server Agent, printed and never run":
			name = "agent"
		case "reclaim", "claim", "roles", "grants":
		default:
			continue
		}
		out[filepath.Join("procedure", name+".sql")] = st.Texts[0] + "\n"
	}
	return out
}

// TestProceduresAreTheStatements holds that a procedure cannot drift: its body is
// the statement that is sent, to the letter, and what callers may not choose stands
// before it.
func TestProceduresAreTheStatements(t *testing.T) {
	for _, name := range []string{profile.Lease, profile.Bare} {
		m := mapping(t, name)
		bodies := map[store.Op]string{}
		for _, s := range procedureScript(t, m).Make {
			bodies[s.Op] = s.Texts[0]
		}
		for op := range procedureNames() {
			caps := &model.Caps{Engine: Engine, Form: map[string]string{}}
			s, err := Dialect{}.Statement(op, m, caps)
			body, made := bodies[procedureOp(op)]
			if made != (err == nil) {
				t.Errorf("%s %s: made %v, %v", name, op, made, err)
			}
			if err != nil {
				continue
			}
			head, ok := strings.CutSuffix(body, s.Texts[0])
			if !ok {
				t.Errorf("%s %s: its body is not the statement:\n%s", name, op, body)
			}
			for _, p := range s.Params {
				if decl := "DECLARE @" + p.Name + " " + p.Declared + " = "; p.Value.IsNull() == strings.Contains(head, decl) {
					t.Errorf("%s %s: @%s stands wrong in\n%s", name, op, p.Name, head)
				}
				if !strings.Contains(head, "@"+p.Name+" "+p.Declared) {
					t.Errorf("%s %s: @%s is not declared in\n%s", name, op, p.Name, head)
				}
			}
		}
	}
}

// TestRolesAreTheLeast holds that the grants are the procedures and the reading of
// what is no payload, and that nobody is granted a table.
func TestRolesAreTheLeast(t *testing.T) {
	s := procedureScript(t, mapping(t, profile.Lease))
	grants := s.Make[len(s.Make)-1]
	var executes int
	for line := range strings.Lines(grants.Texts[0]) {
		switch {
		case strings.HasPrefix(line, "--"):
		case strings.HasPrefix(line, "GRANT EXECUTE ON [dbo].[QueueDemo_"):
			executes++
		case strings.HasPrefix(line, "GRANT SELECT ON [dbo].[QueueDemo] (") && !strings.Contains(line, "[Payload]"):
		case line == "GRANT VIEW DEFINITION ON [dbo].[QueueDemo] TO [QueueDemo_Viewer];\n":
		case line == "GRANT SELECT ON [dbo].[QueueDemo_History] TO [QueueDemo_Viewer];\n":
		case line == "GRANT SELECT ON [dbo].[QueueDemo_Control] TO [QueueDemo_Viewer];\n":
		default:
			t.Errorf("granted: %s", line)
		}
	}
	if executes != len(procedureNames()) {
		t.Errorf("%d procedures are granted, of %d", executes, len(procedureNames()))
	}
}

// TestAProcedureNeedsAName holds that a table whose name leaves no room is refused
// with the reason.
func TestAProcedureNeedsAName(t *testing.T) {
	m := mapping(t, profile.Lease)
	m.Table.Name = strings.Repeat("Q", 120)
	s := procedureScript(t, m)
	if len(s.Absent) == 0 || !strings.Contains(s.Absent[0].Texts[0], "128 characters") {
		t.Errorf("%+v", s.Absent)
	}
}

// operator is a login that may look and call the acts' procedures, as the shipped
// role gives it.
func operator() facts {
	f := facts{noInsert: true, noEnqueue: true, callable: operatorOps(), unread: []string{"Payload"}}
	m, _ := profile.For(profile.Lease, "", model.Table{Name: "QueueDemo"})
	for _, r := range model.Roles() {
		f.unwritten = append(f.unwritten, m.Column(r).Name)
	}
	return f
}

// TestWhoMayOnlyCallCallsProcedures holds that a login with the operator's role
// acts, and sends no statement on the table.
func TestWhoMayOnlyCallCallsProcedures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := dial(t, operator(), always(row(changed())))
		c, err := w.q.Probe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for f, want := range map[model.Feature]bool{
			model.CanControl: true, model.CanHistory: true, model.CanWork: false, canMake: false, model.CanPayload: false,
		} {
			if v := c.Allows(f); v.OK != want || v.OK == (v.Why != "") {
				t.Errorf("%s: %+v, want %v", f, v, want)
			}
		}
		if _, _, err := w.q.Apply(t.Context(), in(model.Reclaim)); err != nil {
			t.Fatal(err)
		}
		got := w.sent(t)
		want := "EXEC [dbo].[QueueDemo_Reclaim]\n    @key = @key,\n    @token = @token,\n    @action = @action,\n    @actor = @actor,\n    @reason = @reason;"
		if len(got) != 1 || got[0].Text != want || !slices.Equal(got[0].Params, []tdstest.Param{theKey, theToken, theAction, theActor, theReason}) {
			t.Errorf("sent %+v, want\n%s", got, want)
		}
	})
}

// TestAWorkerMayOnlyCall holds the same for the worker's role, whose claim brings
// the payload that it may not read.
func TestAWorkerMayOnlyCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := operator()
		f.callable = workerOps()
		w := dial(t, f, always(nothing()))
		c, err := w.q.Probe(t.Context())
		if err != nil || !c.Allows(model.CanWork).OK || !c.Allows(canMake).OK || c.Allows(model.CanControl).OK {
			t.Fatalf("%v, %+v", err, c.Can)
		}
		if _, err := w.q.Claim(t.Context(), tokenA, "pick-01", 1, time.Minute); err != nil {
			t.Fatal(err)
		}
		if got := w.sent(t)[0].Text; !strings.HasPrefix(got, "EXEC [dbo].[QueueDemo_Claim]\n") {
			t.Errorf("sent %s", got)
		}
	})
}

// TestOneProcedureTooFew holds that a role which lacks one of them is told the right
// that the table's own statements want.
func TestOneProcedureTooFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := operator()
		f.callable = f.callable[1:]
		w := dial(t, f, always(nothing()))
		c, err := w.q.Probe(t.Context())
		if v := c.Allows(model.CanControl); err != nil || v.OK || v.Fix == "" {
			t.Errorf("%v, %+v", err, v)
		}
	})
}

// TestAnErrorWithinAProcedure holds that only an error from before the change is a
// refusal: the lines of a procedure are not ours to count.
func TestAnErrorWithinAProcedure(t *testing.T) {
	for code, unsure := range map[int32]bool{229: false, 2812: false, 50000: false, 1222: false, 3609: true, 8152: true, 547: true} {
		synctest.Test(t, func(t *testing.T) {
			w := probed(t, operator(), always(tdstest.Error{Number: code, Message: "no", Line: 1}))
			_, _, err := w.q.Apply(t.Context(), in(model.Reclaim))
			if f := faultOf(t, err); f.Unsure != unsure {
				t.Errorf("%d: %+v, want unsure %v", code, f, unsure)
			}
		})
	}
}

// TestWhatIsPrintedIsWhole holds that each statement of the probe, of the schema and
// of the procedures says its right, its locks and where it was proved.
func TestWhatIsPrintedIsWhole(t *testing.T) {
	m := mapping(t, profile.Lease)
	schema, err := Dialect{}.Schema(m)
	if err != nil {
		t.Fatal(err)
	}
	list := append(Dialect{}.Questions(m, &model.Caps{}), schema)
	list = append(list, procedureScript(t, m).Make...)
	if len(list) < len(questions())+1+len(procedureNames()) {
		t.Errorf("%d statements", len(list))
	}
	for _, s := range list {
		if s.Right == "" || s.Locks == "" || s.Proved == "" {
			t.Errorf("%s: right %q, locks %q, proved %q", s.Op, s.Right, s.Locks, s.Proved)
		}
	}
}

// TestBabelfishCallsNoProcedure holds that there what a login may not write it may not
// change through procedures either: they have its own rights.
func TestBabelfishCallsNoProcedure(t *testing.T) {
	for babelfish, can := range map[string]bool{"": true, "4.3.0": false} {
		synctest.Test(t, func(t *testing.T) {
			w := probed(t, facts{babelfish: babelfish, noInsert: true, callable: operatorOps()}, always(nothing()))
			caps, _ := w.q.Caps()
			if v := caps.Allows(model.CanControl); v.OK != can || !can && !strings.Contains(v.Why, "INSERT on dbo.QueueDemo_History") {
				t.Errorf("control on %q: %+v", babelfish, v)
			}
			if v := caps.Allows(model.CanHistory); !v.OK {
				t.Errorf("what may be read is not: %+v", v)
			}
		})
	}
}
