package sqlserver

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// bareToken is the bare table with a token of a declared type.
func bareToken(t *testing.T, declared string) *model.Mapping {
	m := mapping(t, profile.Bare)
	m.Columns[model.RoleToken] = model.Column{Name: "ClaimToken", Type: typeOf(declared), Declared: declared}
	return m
}

// TestTokensOfOtherTypes holds how an act replaces a token of each type and how it
// matches the one that was seen; what cannot be replaced is refused with its reason.
func TestTokensOfOtherTypes(t *testing.T) {
	for declared, tc := range map[string]struct {
		set, match, fence string // how @fence is declared; empty: the act needs none
		refused           string
		noExtend          string
	}{
		"uniqueidentifier":  {set: "[ClaimToken] = CONVERT(uniqueidentifier, @action)", match: "[ClaimToken] = CONVERT(uniqueidentifier, @token)"},
		"varbinary(16)":     {set: "[ClaimToken] = CONVERT(varbinary(16), @fence, 1)", match: "[ClaimToken] = CONVERT(varbinary(16), @token, 1)", fence: "varchar(max)"},
		"binary(32)":        {set: "[ClaimToken] = CONVERT(binary(32), @fence, 1)", match: "[ClaimToken] = CONVERT(binary(32), @token, 1)", fence: "varchar(max)"},
		"nvarchar(40)":      {set: "[ClaimToken] = CONVERT(nvarchar(40), @fence)", match: "[ClaimToken] = CONVERT(nvarchar(40), @token)", fence: "nvarchar(max)"},
		"char(36)":          {set: "[ClaimToken] = CONVERT(char(36), @fence)", match: "[ClaimToken] = CONVERT(char(36), @token)", fence: "nvarchar(max)"},
		"bigint":            {set: "[ClaimToken] = @fence", match: "[ClaimToken] = @token", fence: "bigint"},
		"timestamp":         {set: "SET [State] = @ready,\n    [LeaseUntil] = NULL", match: "[ClaimToken] = CONVERT(binary(8), @token, 1)", noExtend: "rowversion"},
		"datetime":          {set: "[ClaimToken] = NULL", match: "[ClaimToken] = CONVERT(datetime, CONVERT(datetime2(3), @token, 126))"},
		"datetimeoffset(7)": {set: "[ClaimToken] = NULL", match: "[ClaimToken] = CONVERT(datetimeoffset(7), @token, 126)"},
		"int":               {refused: "the token column ClaimToken is int: it is too narrow"},
		"decimal(19, 0)":    {refused: "too narrow"},
		"varbinary(15)":     {refused: "16 bytes and does not fit"},
		"varchar(35)":       {refused: "36 characters and does not fit"},
		"ntext":             {refused: "cannot compare"},
		"":                  {refused: "no token and lease columns"},
	} {
		m := bareToken(t, declared)
		if declared == "" {
			delete(m.Columns, model.RoleToken)
		}
		for _, op := range []store.Op{store.OpReclaim, store.OpForce, store.OpDeadLetter, store.OpRequeue, store.OpExtend, store.OpClaim, store.OpComplete} {
			s, err := Dialect{}.Statement(op, m, &model.Caps{Engine: Engine, Form: map[string]string{}})
			want := tc.refused
			switch {
			case want != "":
			case op == store.OpExtend:
				want = tc.noExtend
			case declared != "uniqueidentifier" && store.SpecOf(op).Kind == store.Work:
				want = "type uniqueidentifier only"
			}
			if tc.refused != "" && declared != "" && store.SpecOf(op).Kind == store.Control {
				if err != nil || s.Proved != parsedOnBabelfish || !strings.Contains(s.Danger, want) || !strings.Contains(s.Danger, "the job that another one holds") {
					t.Errorf("%s with a token of %q: danger %q, %v; want %q", op, declared, s.Danger, err, want)
				}
				continue
			}
			if want != "" {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s with a token of %q: %v, want %q", op, declared, err, want)
				}
				continue
			}
			if err != nil || s.Danger != "" {
				t.Errorf("%s with a token of %q: %v, danger %q", op, declared, err, s.Danger)
				continue
			}
			if strings.Contains(s.Right, "ClaimToken") != (tc.set != "" && !strings.HasPrefix(tc.set, "SET")) && op == store.OpReclaim {
				t.Errorf("%s with a token of %q needs %s", op, declared, s.Right)
			}
			if told := s.Proved == onBabelfish; told == (m.Column(model.RoleToken).Type == model.Binary) && op != store.OpClaim {
				t.Errorf("%s with a token of %q is said to be proved: %s", op, declared, s.Proved)
			}
			if store.SpecOf(op).Kind == store.Control {
				replaces(t, s, declared, tc.set, tc.match, tc.fence)
			}
		}
	}
}

// replaces holds one act to how it sets and matches the token.
func replaces(t *testing.T, s store.Stmt, declared, set, match, fence string) {
	t.Helper()
	text := s.Texts[0]
	if !strings.Contains(text, match) {
		t.Errorf("%s with a token of %s: no %q in\n%s", s.Op, declared, match, text)
	}
	if s.Op == store.OpExtend {
		return
	}
	if s.Op == store.OpReclaim && !strings.Contains(text, set) {
		t.Errorf("%s with a token of %s: no %q in\n%s", s.Op, declared, set, text)
	}
	i := slices.IndexFunc(s.Params, func(p store.Param) bool { return p.Name == "fence" })
	if fence == "" && i >= 0 || fence != "" && (i < 0 || s.Params[i].Declared != fence) {
		t.Errorf("%s with a token of %s: parameters %v, want fence %q", s.Op, declared, s.Params, fence)
	}
}

// TestATokenThatIsTheLeaseIsWrittenOnce holds that a column in two roles is set once,
// and that nothing offers a later lease there.
func TestATokenThatIsTheLeaseIsWrittenOnce(t *testing.T) {
	m := bareToken(t, "datetime2(3)")
	m.Columns[model.RoleLease] = m.Columns[model.RoleToken]
	c := &model.Caps{Engine: Engine, Form: map[string]string{}}
	s, err := Dialect{}.Statement(store.OpReclaim, m, c)
	if err != nil || !strings.Contains(s.Texts[0], "SET [State] = @ready,\n    [ClaimToken] = NULL\nOUTPUT") {
		t.Errorf("%v\n%s", err, s.Texts)
	}
	if _, err := (Dialect{}).Statement(store.OpExtend, m, c); err == nil || !strings.Contains(err.Error(), "lease and the token in one") {
		t.Error(err)
	}
}

// TestTheHistoryTakesTheToken holds that the history of a table records tokens in the
// table's own type, and is told apart from one that cannot.
func TestTheHistoryTakesTheToken(t *testing.T) {
	m := mapping(t, profile.Lease)
	m.Columns[model.RoleToken] = model.Column{Name: "Version", Type: model.Binary, Declared: "timestamp"}
	s, err := Dialect{}.Statement(store.OpReclaim, m, &model.Caps{Engine: Engine, Form: map[string]string{}})
	if err != nil || !strings.Contains(s.Texts[0], "CONVERT(varchar(max), h.[NewToken], 1) AS [new_token]") || strings.Contains(s.Texts[0], "fence") {
		t.Errorf("%v\n%s", err, s.Texts)
	}
	for declared, told := range map[string]struct {
		has string
		fit bool
	}{"timestamp": {"binary", true}, "bigint": {"bigint", true}, "int": {"uniqueidentifier", false}, "uniqueidentifier": {"", true}, "varbinary(16)": {"uniqueidentifier", false}} {
		m := mapping(t, profile.Lease)
		m.Columns[model.RoleToken] = model.Column{Name: "Token", Type: typeOf(declared), Declared: declared}
		p := &prober{m: m, caps: model.Caps{Can: map[model.Feature]model.Verdict{model.CanHistory: model.Yes()}}, historyToken: told.has}
		p.tokens()
		if p.m.History.IsZero() == told.fit || p.caps.Can[model.CanHistory].OK != told.fit {
			t.Errorf("a token of %s and a history of %q: %+v", declared, told.has, p.caps.Can[model.CanHistory])
		}
	}
}

// TestStatesByCollation holds that a state is read as its column compares it.
func TestStatesByCollation(t *testing.T) {
	m := mapping(t, profile.Bare)
	if m.StateOf(model.TextValue("w")) != model.StateUnknown {
		t.Error("a state is read without regard to case where the column has it")
	}
	c := m.Columns[model.RoleState]
	c.Folds = true
	m.Columns[model.RoleState] = c
	if m.StateOf(model.TextValue("w ")) != model.Working {
		t.Error("a state is not read as its collation compares it")
	}
	if _, _, ok := m.Ambiguous(); ok {
		t.Error("states of different letters are said to be the same")
	}
	m.States[model.Done] = model.TextValue("r")
	if a, b, ok := m.Ambiguous(); !ok || a == b {
		t.Error("r and R are told apart by a collation that does not")
	}
}

// TestTokensPassTheGate puts the acts on tokens of types that Babelfish can hold in no
// table of its own before its parser.
func TestTokensPassTheGate(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server")
	}
	db := rawDB(t, dsn)
	for _, declared := range []string{"varbinary(16)", "binary(32)", "timestamp", "int", ""} {
		m := bareToken(t, declared)
		if declared == "" {
			delete(m.Columns, model.RoleToken)
			m.Family = model.Unfenced
		}
		for _, op := range []store.Op{store.OpReclaim, store.OpExtend, store.OpDeadLetter, store.OpDeadLetterUnclaimed, store.OpRequeueUnclaimed, store.OpWorking} {
			if why := m.Extendable(); op == store.OpExtend && why != "" {
				continue
			}
			s, err := Dialect{}.Statement(op, m, &model.Caps{Engine: Engine, Form: map[string]string{}})
			if err != nil {
				t.Fatal(err)
			}
			gate(t, db, declared+" "+string(op), s.Params, s.Texts[0], false)
		}
	}
}

// TestUnfencedActsAreOnlyPrinted holds what is printed for a queue whose completion names
// no token: it matches the lease where no token tells the claim, no procedure is made of
// it, and no worker of ours runs on it.
func TestUnfencedActsAreOnlyPrinted(t *testing.T) {
	c := &model.Caps{Engine: Engine, Form: map[string]string{}}
	for declared, want := range map[string]struct{ match, none, set string }{
		"": {
			match: "[LeaseUntil] = CONVERT(datetime2(3), @lease, 126)", none: "[LeaseUntil] IS NULL", set: "SET [State] = @ready,\n    [LeaseUntil] = NULL",
		},
		"ntext": {
			match: "[LeaseUntil] = CONVERT(datetime2(3), @lease, 126)", none: "[LeaseUntil] IS NULL", set: "SET [State] = @ready,\n    [LeaseUntil] = NULL",
		},
		"datetimeoffset(7)": {
			match: "[ClaimToken] = CONVERT(datetimeoffset(7), @token, 126)", none: "[ClaimToken] IS NULL", set: "SET [State] = @ready,\n    [ClaimToken] = NULL,\n    [LeaseUntil] = NULL",
		},
	} {
		m := bareToken(t, declared)
		m.Family = model.Unfenced
		if declared == "" {
			delete(m.Columns, model.RoleToken)
		}
		for op, match := range map[store.Op]string{
			store.OpReclaim: want.match, store.OpForce: want.match, store.OpExtend: want.match, store.OpDeadLetter: want.match,
			store.OpDeadLetterUnclaimed: want.none, store.OpRequeueUnclaimed: want.none,
		} {
			s, err := Dialect{}.Statement(op, m, c)
			if err != nil || !strings.Contains(s.Danger, "unfenced") || !strings.Contains(s.Texts[0], match) {
				t.Errorf("%s with a token of %q: %v, danger %q, no %q in\n%s", op, declared, err, s.Danger, match, s.Texts)
			}
			if op == store.OpReclaim && !strings.Contains(s.Texts[0], want.set) {
				t.Errorf("%s with a token of %q: no %q in\n%s", op, declared, want.set, s.Texts[0])
			}
		}
		for _, op := range []store.Op{store.OpWorking, store.OpPulse, store.OpReady, store.OpHealth} {
			if s, err := (Dialect{}).Statement(op, m, c); err != nil || s.Danger != "" {
				t.Errorf("%s with a token of %q: %v, danger %q", op, declared, err, s.Danger)
			}
		}
		if _, err := (Dialect{}).Statement(store.OpClaim, m, c); err == nil {
			t.Error("workers of ours would run on an unfenced queue")
		}
		if script, err := (Dialect{}).Procedures(m, c); err == nil {
			t.Errorf("procedures are made of what is only printed: %v", script.Make)
		}
	}
}
