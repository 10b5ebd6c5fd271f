package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// buryText moves rows to the dead letters by one DELETE, whose OUTPUT goes into
// that table with the act's id: a dead letter proves its act, whatever became of
// the reply.
const buryText = `{head}{guard}DECLARE @at datetime2(3) = SYSUTCDATETIME();

{delete}
OUTPUT {captured},
       @at,
       CONVERT(nvarchar(2000), @reason),
       CONVERT(nvarchar(128), @actor),
       ORIGINAL_LOGIN(),
       CONVERT(uniqueidentifier, @action)
INTO {dead} ({columns}){where};

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {clock} AS [clock],
       CASE WHEN d.[ActionId] IS NULL THEN 0 ELSE 1 END AS [present],
       {keys}{alike}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n{left}
LEFT JOIN {dead} AS d
    ON d.[ActionId] = CONVERT(uniqueidentifier, @action);`

func (t rowset) buryHoles() sqltext.Holes {
	names := make([]sqltext.Part, 0, len(t.m.Keys)+5)
	for _, c := range t.m.Keys {
		names = append(names, ident(c.Name))
	}
	return sqltext.Holes{
		"head": sqltext.Raw(headControl), "guard": sqltext.Raw(guard), "dead": t.deadName(), "clock": t.clock(),
		"captured": sqltext.List(comma, t.all("deleted")...), "columns": sqltext.List(", ", append(names, burialNames("")...)...),
		"keys": t.outs("d"),
	}
}

// bury makes a dead letter of one of the rows that are equal to the one that was
// seen. Which one cannot matter, so TOP needs no order here.
func bury(t rowset) sqltext.Part {
	h := t.buryHoles()
	h["delete"] = sqltext.Fill("DELETE TOP (1) FROM {table} WITH ({hints})", sqltext.Holes{"table": t.name(), "hints": sqltext.Raw(rowHints)})
	h["where"] = sqltext.Fill("\nWHERE {same}", sqltext.Holes{"same": t.same(theRow)})
	h["alike"], h["left"] = t.alike(t.name(), t.same("q"))
	return sqltext.Fill(buryText, h)
}

// alike counts the equal rows that are left and that nobody holds.
func (t rowset) alike(table, same sqltext.Part) (column, source sqltext.Part) {
	return sqltext.Raw(",\n       a.[rows] AS [alike]"), sqltext.Fill(`
CROSS APPLY (
    SELECT COUNT_BIG(*) AS [rows]
    FROM (
        SELECT TOP (10001) 1 AS [one]
        FROM {table} AS q WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE {same}
    ) AS x
) AS a`, sqltext.Holes{"table": table, "same": same})
}

// buryOldest makes dead letters of the oldest rows that nobody holds, whatever the
// order of dequeue is.
func buryOldest(t rowset) sqltext.Part {
	h := t.buryHoles()
	order := sqltext.Part{}
	if by := t.by(); !by.IsZero() {
		order = within("q", by)
	}
	h["delete"], h["where"] = t.candidates(order), sqltext.Part{}
	h["alike"], h["left"] = sqltext.Part{}, sqltext.Part{}
	return sqltext.Fill(buryText, h)
}

const buryTakenText = `{head}{guard}DECLARE @at datetime2(3) = SYSUTCDATETIME();

INSERT INTO {dead} ({columns})
VALUES ({values});

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {clock} AS [clock],
       CASE WHEN d.[ActionId] IS NULL THEN 0 ELSE 1 END AS [present],
       {keys}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN {dead} AS d
    ON d.[ActionId] = CONVERT(uniqueidentifier, @action);`

// buryTaken makes a dead letter of a row that its worker has dequeued.
func buryTaken(t rowset) sqltext.Part { return t.taken(sqltext.Raw(guard)) }

// buryHeld is the same within the transaction that holds the row.
func buryHeld(t rowset) sqltext.Part { return t.taken(sqltext.Raw("\n")) }

func (t rowset) taken(guard sqltext.Part) sqltext.Part {
	h := t.buryHoles()
	values := make([]sqltext.Part, 0, len(t.m.Keys)+5)
	for i, name := range store.KeyNames(len(t.m.Keys)) {
		values = append(values, givenValue(t.m.Keys[i], sqltext.Arg(name)))
	}
	values = append(values, now(), reason("reason"), sqltext.Raw("CONVERT(nvarchar(128), @actor)"),
		sqltext.Raw("ORIGINAL_LOGIN()"), sqltext.Raw("CONVERT(uniqueidentifier, @action)"))
	return sqltext.Fill(buryTakenText, sqltext.Holes{
		"head": sqltext.Raw(headWork), "guard": guard, "dead": h["dead"], "columns": h["columns"],
		"values": sqltext.List(comma, values...), "clock": h["clock"], "keys": h["keys"],
	})
}

// requeueText moves a dead letter back by one DELETE, whose OUTPUT goes into the
// queue. A row of the queue carries no id of an act, so the statement's own count,
// read in the same batch, is what tells: OUTPUT INTO takes no table with a
// trigger, so nothing else can have made it.
const requeueText = `{head}{guard}DECLARE @moved int, @at {type} = {now};

DELETE TOP (1) FROM {dead} WITH (UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK)
OUTPUT {captured}
INTO {table} ({columns})
WHERE {where};
SET @moved = @@ROWCOUNT;

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {clock} AS [clock],
       CASE WHEN @moved > 0 THEN 1 ELSE 0 END AS [present],
       {keys}{alike}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n{left};`

// requeueRow puts a dead letter back, at the tail: its time is now.
func requeueRow(t rowset) sqltext.Part { return t.requeueDead(false) }

// requeueKept puts a dead letter back where its old time belongs, which may be the
// head.
func requeueKept(t rowset) sqltext.Part { return t.requeueDead(true) }

func (t rowset) requeueDead(keep bool) sqltext.Part {
	by := t.by()
	kind := by.Declared
	if by.Type != model.Time {
		kind = "datetime2(3)"
	}
	var names, captured, keys []sqltext.Part
	for i, c := range t.m.Keys {
		value := within("deleted", c)
		key := readValue(c, givenValue(c, sqltext.Arg(store.KeyNames(i + 1)[i])))
		if c.Name == by.Name && by.Type == model.Time && !keep {
			value, key = sqltext.Raw("@at"), readValue(c, sqltext.Raw("@at"))
		}
		keys = append(keys, as(key, keyAlias(i)))
		if !c.Made {
			names, captured = append(names, ident(c.Name)), append(captured, value)
		}
	}
	dead := rowset{t.table}
	m := *t.m
	m.Table = t.m.Lane.Dead
	dead.m = &m
	alike, left := t.alike(t.deadName(), sqltext.List("\n          AND ", t.same("q"), ofAct("q")))
	return sqltext.Fill(requeueText, sqltext.Holes{
		"head": sqltext.Raw(headControl), "guard": sqltext.Raw(guard), "type": sqltext.Declared(kind), "now": t.present(),
		"dead": t.deadName(), "captured": sqltext.List(comma, captured...), "table": t.name(), "columns": sqltext.List(", ", names...),
		"where": sqltext.List(and, dead.same(theRow), ofAct(t.m.Lane.Dead.Name)), "clock": t.clock(),
		"keys": sqltext.List(comma, keys...), "alike": alike, "left": left,
	})
}
