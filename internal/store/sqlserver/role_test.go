package sqlserver

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/microsoft/go-mssqldb/msdsn"

	"github.com/leasetop/leasetop/internal/dsn"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/storetest"
	"github.com/leasetop/leasetop/model"
)

// TestAnOperatorsRole acts on a real server with a login that has the operator's
// role: it may not write the table, and its act is applied by a call. Babelfish chains
// no owners: there it is refused, although it may call.
func TestAnOperatorsRole(t *testing.T) {
	text := os.Getenv(testDSN)
	if text == "" {
		t.Skip(testDSN + " names no server")
	}
	b := newBench(t, text)
	db := b.raw
	s := &stand{b: b, table: fmt.Sprintf("leasetop_%d_role", os.Getpid())}
	m := s.Make(t, b.Shapes()[0])
	q := b.db.Queue(m)
	login := fmt.Sprintf("leasetop_%d", os.Getpid())
	run := func(text string) {
		if _, err := db.ExecContext(context.Background(), text); err != nil {
			t.Logf("%s: %v", text, err)
		}
	}
	t.Cleanup(func() {
		run("DROP USER " + quote(login))
		run("DROP LOGIN " + quote(login))
		b.drop(t, s.table) // before the roles: Babelfish keeps one that has a right
		for op := range procedureNames() {
			run("DROP PROCEDURE IF EXISTS " + quoted(procedureTable(&m, op)))
		}
		for _, r := range []string{workerRole, operatorRole, viewerRole} {
			run("DROP ROLE " + quote(roleName(&m, r)))
		}
	})
	if _, err := q.MakeProcedures(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b.caps.Engine == Babelfish { // it hides a table of which only columns are granted
		run("GRANT SELECT ON " + quoted(m.Table) + " TO " + quote(roleName(&m, viewerRole)))
	}
	const password = "leasetop-Role1"
	for _, text := range []string{
		"CREATE LOGIN " + quote(login) + " WITH PASSWORD = '" + password + "'",
		"CREATE USER " + quote(login) + " FOR LOGIN " + quote(login),
		"ALTER ROLE " + quote(roleName(&m, operatorRole)) + " ADD MEMBER " + quote(login),
	} {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Skipf("this login cannot make another: %v", err)
		}
	}
	d, err := dsn.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	own := openDB(t, d.With(msdsn.UserID, login).With(msdsn.Password, password).Text()).Queue(m)
	caps, err := own.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	chains := b.caps.Engine != Babelfish
	if caps.Allows(model.CanControl).OK != chains || (caps.Form[string(store.OpReclaim)] == formProcedure) != chains {
		t.Errorf("%+v, %v", caps.Can, caps.Form)
	}
	if !chains {
		return
	}
	late := -time.Minute
	k := s.Insert(t, &m, storetest.Seed{State: model.Working, Token: tokenA, Lease: &late, Payload: "{}"})
	changes, _, err := own.Apply(t.Context(), model.Intent{
		Action: model.Reclaim, Queue: "orders", Key: k, Seen: model.Seen{State: model.Working, Token: token()},
		ActionID: tokenB, Actor: "ops@jump", Reason: "role",
	})
	if err != nil || len(changes) != 1 || changes[0].NewToken.String() != tokenB {
		t.Errorf("%+v, %v", changes, err)
	}
	job, _, err := own.Inspect(t.Context(), k)
	if err != nil || job == nil || job.State != model.Ready {
		t.Errorf("%+v, %v", job, err)
	}
}
