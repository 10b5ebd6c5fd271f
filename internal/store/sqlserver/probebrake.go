package sqlserver

import (
	"context"
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// brake finds out whether there is a brake, which every claim then has to read. A
// table on which a login has no right at all is not in the catalog for it, so it is
// asked for itself: "denied" tells it from "missing".
func (p *prober) brake(ctx context.Context) error {
	if p.m.Brake.IsZero() {
		p.caps.Can[model.CanBrake] = model.No(
			"the table has no row that a claim could read whether it may go on", "the shipped schema has one: `leasetop schema`")
		return nil
	}
	name := displayName(p.m.Brake)
	s, err := askBrake(p.m)
	if err != nil {
		return err
	}
	rows, err := p.ask(ctx, s, nil)
	var f *model.Fault
	switch {
	case err == nil && len(rows) > 0 && rows[0].Value("braked").IsNull():
		p.caps.Can[model.CanBrake] = model.No(name+" has lost its row", "put it back with `leasetop schema --apply`")
	case err == nil:
		p.caps.Can[model.CanBrake] = model.Yes()
	case errors.As(err, &f) && f.Class == model.FaultDenied:
		p.unbrakable = true
		p.caps.Can[model.CanBrake] = model.No("SELECT on "+name+" is missing", "ask for SELECT on "+name+": without it no claim can read the brake")
	case errors.As(err, &f) && p.missing(f):
		p.m.Brake = model.Table{}
		p.caps.Can[model.CanBrake] = model.No("there is no table "+name+" for the brake", "add it with `leasetop schema --apply`; what is there stays")
	default:
		return err
	}
	return nil
}

// missing reports whether the server said that the brake's table or a column of it
// is not there. Babelfish says so under a number of its own, which no rule knows;
// there it can mean nothing else, since the statement reads one row of one table.
// SQL Server has a number for it, so that any other is an error: what may have a
// brake must not be claimed from as if it had none.
func (p *prober) missing(f *model.Fault) bool {
	return f.Class == model.FaultReshaped || p.caps.Engine == Babelfish && f.Class == model.FaultOther && f.Code != 0
}

const askBrakeText = headCommitted + `SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       CONVERT(int, b.[Braked]) AS [braked]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN {brake} AS b
    ON b.[Id] = 1;`

// askBrake is the probe's question after the brake.
func askBrake(m *model.Mapping) (store.Stmt, error) {
	text, err := sqltext.Fill(askBrakeText, sqltext.Holes{"brake": tableName(m.Brake)}).Text()
	return store.Stmt{
		Op: "probe: brake", Texts: []string{text}, Kind: store.Watch, Within: probeDeadline,
		Right:  "SELECT on " + displayName(m.Brake),
		Locks:  "READ COMMITTED; S on the one row of the brake, none where the database keeps row versions; waits 100 ms at most",
		Proved: provedQuestion("brake"),
	}, err
}

// noBrake leaves the brake out of a statement that this login could not read it
// in, since it would cost all other figures too. A claim keeps it.
func (p *prober) noBrake() []string {
	if p.unbrakable {
		return []string{formNoBrake}
	}
	return nil
}
