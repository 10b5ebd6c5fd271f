package sqlserver

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// TestSyntaxGate puts every text that leasetop can send before the parser of a
// server: as the body of a procedure, which is parsed whole and bound to nothing.
// It shows that the text is T-SQL there; nothing is run.
func TestSyntaxGate(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server")
	}
	db := rawDB(t, dsn)
	for _, g := range goldens(t) {
		gate(t, db, g.file, g.stmt.Params, g.stmt.Texts[0], unparsed(g.op, g.form))
	}
	for name := range questions() {
		s, err := question(name, mapping(t, profile.Lease))
		if err != nil {
			t.Fatal(err)
		}
		gate(t, db, "probe "+name, s.Params, s.Texts[0], false)
	}
	s, err := askBrake(mapping(t, profile.Lease))
	if err != nil {
		t.Fatal(err)
	}
	gate(t, db, "probe brake", s.Params, s.Texts[0], false)
}

// gate asks the parser about one text, which is refused only where that is marked.
func gate(t *testing.T, db *sql.DB, name string, params []store.Param, text string, refused bool) {
	t.Helper()
	var declared []string
	for _, p := range params {
		declared = append(declared, "@"+p.Name+" "+p.Declared)
	}
	const gated = "[dbo].[leasetop gate]"
	drop := func() { db.ExecContext(context.Background(), "DROP PROCEDURE IF EXISTS "+gated) }
	drop()
	defer drop()
	_, err := db.ExecContext(t.Context(), fmt.Sprintf("CREATE PROCEDURE %s %s AS\n%s", gated, strings.Join(declared, ", "), text))
	if (err != nil) != refused {
		t.Errorf("%s: %v, want refused %v\n%s", name, err, refused, text)
	}
}

// TestTheGateSees holds that the gate refuses what is no T-SQL.
func TestTheGateSees(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server")
	}
	db := rawDB(t, dsn)
	for _, text := range []string{"SELECT TOP (1 x FROM t", "UPDATE t SET WHERE a = 1", "DECLARE @a int = ;"} {
		if _, err := db.ExecContext(t.Context(), "CREATE PROCEDURE [dbo].[leasetop gate seen] AS\n"+text); err == nil {
			t.Errorf("taken: %s", text)
			db.ExecContext(context.Background(), "DROP PROCEDURE [dbo].[leasetop gate seen]")
		}
	}
}

// TestProceduresGate makes every procedure, role and grant on the server as far as
// it goes there. Babelfish knows no CREATE OR ALTER; it is given CREATE.
func TestProceduresGate(t *testing.T) {
	dsn := os.Getenv(testDSN)
	if dsn == "" {
		t.Skip(testDSN + " names no server")
	}
	db := rawDB(t, dsn)
	m := mapping(t, profile.Lease)
	m.Table.Name = fmt.Sprintf("leasetop_%d_gate", os.Getpid())
	m.History.Name = m.Table.Name + "_History"
	m.Brake.Name = m.Table.Name + "_Control"
	s := &stand{b: &bench{dsn: dsn, raw: db, db: openDB(t, dsn)}, table: m.Table.Name}
	s.Make(t, (&bench{}).Shapes()[0])
	t.Cleanup(func() {
		for op := range procedureNames() {
			db.ExecContext(context.Background(), "DROP PROCEDURE IF EXISTS "+quoted(procedureTable(m, op)))
		}
		s.b.drop(t, s.table) // before the roles: Babelfish keeps one that has a right
		for _, r := range []string{workerRole, operatorRole, viewerRole} {
			if _, err := db.ExecContext(context.Background(), "DROP ROLE "+quote(roleName(m, r))); err != nil {
				t.Logf("a role is left behind: %v", err)
			}
		}
	})
	made, err := Dialect{}.Procedures(m, &model.Caps{Engine: Engine, Form: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range made.Make {
		text := strings.Replace(st.Texts[0], "CREATE OR ALTER", "CREATE", 1)
		text = regexp.MustCompile(`(?m)^GRANT VIEW DEFINITION.*\n`).ReplaceAllString(text, "") // a right that it does not have
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Errorf("%s: %v\n%s", st.Op, err, text)
		}
	}
}
