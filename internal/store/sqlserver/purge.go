package sqlserver

import (
	"errors"
	"fmt"
	"time"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// doomedText is one batch of rows that are over, oldest first: others' locked ones
// are passed over, and far fewer are locked than would make the engine lock the
// table instead.
const doomedText = `WITH doomed AS (
    SELECT TOP (@n)
           {raw}
    FROM {table} AS q WITH (FORCESEEK, UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
    WHERE {where}
    ORDER BY {order}
)
DELETE FROM doomed`

const purgeText = `{head}{guard}DECLARE @gone TABLE (
    [key] bigint NULL
);

{doomed}
OUTPUT deleted.{key}
INTO @gone ([key]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       g.[rows] AS [deleted],
       NULL AS [last],
       CASE WHEN g.[rows] >= @n THEN 1 ELSE 0 END AS [more]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
CROSS APPLY (SELECT COUNT_BIG(*) AS [rows] FROM @gone AS x) AS g;`

// purge renders a batch of one of the purges.
func purge(op store.Op) func(table) (sqltext.Part, error) {
	return func(t table) (sqltext.Part, error) {
		doomed, key := t.doomed(op)
		return sqltext.Fill(purgeText, sqltext.Holes{
			"head": sqltext.Raw(headControl), "guard": sqltext.Raw(guard), "doomed": doomed, "key": key,
		}), nil
	}
}

// doomed is what a purge takes. Done and failed rows are found by the index on the
// state and the time at which a row was last due, which is never later than its
// end; the end itself is what decides.
func (t table) doomed(op store.Op) (doomed, key sqltext.Part) {
	until := sqltext.Raw("CONVERT(datetime2(3), @until, 126)")
	if op == store.OpPurgeHistory {
		return sqltext.Fill(doomedText, sqltext.Holes{
			"raw": sqltext.Raw("q.[Seq]"), "table": t.historyName(),
			"where": sqltext.Fill("q.[At] < {until}", sqltext.Holes{"until": until}), "order": sqltext.Raw("q.[At], q.[Seq]"),
		}), ident("Seq")
	}
	state := model.Done
	if op == store.OpPurgeFailed {
		state = model.Failed
	}
	before := func(r model.Role) sqltext.Part {
		return sqltext.Fill("{column} < {until}", sqltext.Holes{"column": t.of("q", r), "until": until})
	}
	where, order := []sqltext.Part{t.is("q", state), before(model.RoleAvailable), before(model.RoleEnded)}, []sqltext.Part{t.of("q", model.RoleAvailable)}
	raw := t.raw("q", model.RoleState, model.RoleAvailable, model.RoleEnded)
	if op == store.OpPurgeKeys {
		where = []sqltext.Part{t.is("q", state), sqltext.Fill("{key} <= @upto", sqltext.Holes{"key": within("q", t.m.Keys[0])})}
		order, raw = nil, t.raw("q", model.RoleState)
	}
	return sqltext.Fill(doomedText, sqltext.Holes{
		"raw": sqltext.List(",\n           ", raw...), "table": t.name(), "where": sqltext.List("\n      AND ", where...),
		"order": sqltext.List(", ", append(order, t.keys("q")...)...),
	}), ident(t.m.Keys[0].Name)
}

// canPurge and its like are what a probe finds out: the index that a purge needs.
const (
	canPurge        model.Feature = "purge"
	canPurgeHistory model.Feature = "purge-history"
	canPurgeKeys    model.Feature = "purge-keys"
)

// purging says which purges an index serves, and which one is missing.
func (p *prober) purging() {
	p.forgetting()
	state, table := p.m.Column(model.RoleState).Name, quoted(p.m.Table)
	say := func(f model.Feature, have bool, why, index string) {
		p.caps.Can[f] = model.Yes()
		if !have {
			p.caps.Can[f] = model.No(why, "CREATE INDEX "+index)
		}
	}
	available := p.m.Column(model.RoleAvailable).Name
	if available != "" {
		say(canPurge, leads(p.indexes, state, available),
			"no index of "+displayName(p.m.Table)+" leads on "+state+" and "+available+": each batch would read every done row",
			"[IX_Due] ON "+table+" ("+quote(state)+", "+quote(available)+")")
	}
	say(canPurgeHistory, leads(p.events, "At"), "no index of "+displayName(p.m.History)+" leads on At: each batch would read it whole",
		"[IX_At] ON "+quoted(p.m.History)+" ([At]) INCLUDE ([Kind])")
	if available != "" { // purged by the time at which jobs ended
		return
	}
	key := p.m.Keys[0].Name
	say(canPurgeKeys, leads(p.indexes, state, key), "no index of "+displayName(p.m.Table)+" leads on "+state+" and "+key,
		"[IX_Ready] ON "+table+" ("+quote(state)+", "+quote(key)+")")
}

// forgetting says what the login may remove.
func (p *prober) forgetting() {
	right := func(f model.Feature, may bool, of model.Table) {
		p.caps.Can[f] = model.Yes()
		if !may {
			p.caps.Can[f] = model.No("DELETE on "+displayName(of)+" is missing", "GRANT DELETE ON "+quoted(of)+" TO "+quote(p.caps.Login))
		}
	}
	right(mayDelete, p.mayDelete, p.m.Table)
	right(mayForget, p.mayForget, p.m.History)
}

// What this login may remove. A script for the agent is somebody else's to run and
// asks for neither.
const (
	mayDelete model.Feature = "delete"
	mayForget model.Feature = "delete-history"
)

// mayPurge refuses a purge for which the login has no right.
func (t table) mayPurge(op store.Op) error {
	if err := t.purges(op); err != nil {
		return err
	}
	if op == store.OpPurgeHistory {
		return t.lacks(mayForget)
	}
	return t.lacks(mayDelete)
}

// purges refuses a purge that the table cannot have.
func (t table) purges(op store.Op) error {
	switch {
	case t.c.Engine == Babelfish:
		return errors.New("Babelfish refuses DELETE through an ordered CTE and ignores lock hints")
	case op == store.OpPurgeHistory && !t.recorded():
		return errors.New("not recorded: the table has no history table")
	case op == store.OpPurgeHistory:
		return t.lacks(canPurgeHistory)
	case len(t.m.Keys) != 1 || t.m.Keys[0].Type != model.Int:
		return errors.New("the key is no single whole number, so batches have no order")
	case op == store.OpPurgeKeys && t.m.Has(model.RoleAvailable):
		return errors.New("the table records when jobs ended: purge it by that time")
	case op == store.OpPurgeKeys && t.has(model.Done):
		return t.lacks(canPurgeKeys)
	case op != store.OpPurgeKeys && (!t.m.Has(model.RoleEnded) || !t.m.Has(model.RoleAvailable)):
		return errors.New("the table does not record when a job ended: purge it by key")
	case op != store.OpPurgeFailed && !t.has(model.Done):
		return errors.New("the mapping names no value for the done state")
	case op == store.OpPurgeFailed && !t.has(model.Failed):
		return errors.New("the mapping names no value for the failed state")
	}
	return t.lacks(canPurge)
}

const loopText = `SET NOCOUNT ON;
SET XACT_ABORT ON;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET LOCK_TIMEOUT 3000;
SET DEADLOCK_PRIORITY LOW;

{declares}
DECLARE @deleted bigint = @n;

WHILE @deleted >= @n
BEGIN
    {doomed};
    SET @deleted = @@ROWCOUNT;
    IF @deleted >= @n
        WAITFOR DELAY {pace};
END;
`

// PurgeLoop is a whole purge as one batch for SQL Server Agent: in autocommit, one
// small statement after another, with a pause between them.
func (d Dialect) PurgeLoop(p store.PurgeAsk, days int, pace time.Duration, m *model.Mapping, c *model.Caps) (string, error) {
	t := table{m: m, c: c}
	if err := t.purges(p.Op); err != nil {
		return "", err
	}
	doomed, _ := t.doomed(p.Op)
	doomed = inClock(m, doomed)
	text, err := doomed.Text()
	if err != nil {
		return "", err
	}
	declares := []sqltext.Part{sqltext.Fill("DECLARE @n bigint = {n};", sqltext.Holes{"n": sqltext.Number(int64(p.N))})}
	if p.Op == store.OpPurgeKeys {
		declares = append(declares, sqltext.Fill("DECLARE @upto bigint = {n};", sqltext.Holes{"n": sqltext.Number(p.UpTo)}))
	} else {
		declares = append(declares, sqltext.Fill("DECLARE @until varchar(33) = CONVERT(varchar(33), DATEADD(day, {n}, SYSUTCDATETIME()), 126);",
			sqltext.Holes{"n": sqltext.Number(int64(-days))}))
	}
	for _, s := range model.States() {
		if v := m.States[s]; !v.IsNull() && uses(text, s.String()) {
			declares = append(declares, sqltext.Fill("DECLARE {name} {type} = {value};", sqltext.Holes{
				"name": sqltext.Arg(s.String()), "type": sqltext.Declared(codeOf(m.Column(model.RoleState), v)), "value": code(v),
			}))
		}
	}
	delay := fmt.Sprintf("%02d:%02d:%02d.%03d", int(pace.Hours()), int(pace.Minutes())%60, int(pace.Seconds())%60, pace.Milliseconds()%1000)
	return sqltext.Fill(loopText, sqltext.Holes{
		"declares": sqltext.List("\n", declares...), "doomed": indented(doomed), "pace": sqltext.Speller(spell).Literal(delay),
	}).Text()
}

// indented is the statement as it stands within the loop, after a semicolon that a
// CTE wants before it.
func indented(p sqltext.Part) sqltext.Part {
	return sqltext.Fill(";{statement}", sqltext.Holes{"statement": p})
}
