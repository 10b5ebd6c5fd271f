package sqlserver

import (
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const putText = `{head}{guard}DECLARE @added TABLE (
    {declare}
);

INSERT INTO {table} ({names})
OUTPUT {captured}
INTO @added ({columns})
SELECT {values}
FROM OPENJSON(@jobs) AS a
CROSS APPLY OPENJSON(a.[value]) WITH (
    {members}
) AS j
ORDER BY CONVERT(int, a.[key]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {clock} AS [clock],
       CASE WHEN c.[one] IS NULL THEN 0 ELSE 1 END AS [present],
       {keys}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN @added AS c
    ON 1 = 1;`

// put adds the rows of a JSON array, each value converted to its column's type. A
// time that is not given is the server's now; what the server makes is left to it.
func put(t rowset) sqltext.Part {
	var names, values, members []sqltext.Part
	for i, c := range t.m.Keys {
		if c.Made {
			continue
		}
		member := keyAlias(i)
		members = append(members, sqltext.Fill("{name} nvarchar(max) {path}", sqltext.Holes{"name": member, "path": jsonPath(i)}))
		v := givenValue(c, sqltext.Fill("j.{name}", sqltext.Holes{"name": member}))
		if c.Name == t.by().Name && c.Type == model.Time {
			v = sqltext.Fill("COALESCE({value}, {now})", sqltext.Holes{"value": v, "now": t.present()})
		}
		names, values = append(names, ident(c.Name)), append(values, v)
	}
	h := sqltext.Holes{
		"head": sqltext.Raw(headWork), "guard": sqltext.Raw(guard), "table": t.name(), "names": sqltext.List(", ", names...),
		"values": sqltext.List(comma, values...), "members": sqltext.List(",\n    ", members...), "clock": t.clock(),
	}
	t.variable(h, "inserted")
	return sqltext.Fill(putText, h)
}

// jsonPath is the member of a row's JSON object that holds a column's value.
func jsonPath(i int) sqltext.Part {
	return sqltext.Quoter(func(s string) string { return "'$." + s + "'" }).Ident(store.KeyNames(i + 1)[i])
}

// variable captures rows into a table variable; the column one tells a row whose
// values are all NULL from none.
func (t rowset) variable(h sqltext.Holes, side string) {
	declare, columns := []sqltext.Part{sqltext.Raw("[one] int NOT NULL")}, []sqltext.Part{ident("one")}
	captured, keys := []sqltext.Part{sqltext.Raw("1")}, make([]sqltext.Part, len(t.m.Keys))
	for i, c := range t.m.Keys {
		declare = append(declare, sqltext.Fill("{name} {type} NULL", sqltext.Holes{"name": keyAlias(i), "type": sqltext.Declared(storedAs(c.Declared))}))
		columns, captured = append(columns, keyAlias(i)), append(captured, within(side, c))
		keys[i] = as(readValue(c, sqltext.Fill("c.{name}", sqltext.Holes{"name": keyAlias(i)})), keyAlias(i))
	}
	h["declare"], h["columns"] = sqltext.List(",\n    ", declare...), sqltext.List(", ", columns...)
	h["captured"], h["keys"] = sqltext.List(comma, captured...), sqltext.List(comma, keys...)
}

const takeText = `{head}{guard}DECLARE @taken TABLE (
    {declare}
);

{delete}
OUTPUT {captured}
INTO @taken ({columns});

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {clock} AS [clock],
       CASE WHEN c.[one] IS NULL THEN 0 ELSE 1 END AS [present],
       {keys}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN @taken AS c
    ON 1 = 1{outer};`

// dequeue takes rows by deleting them, by autocommit: others' locked rows are
// skipped, and from then on they are the caller's alone.
func dequeue(t rowset) sqltext.Part { return t.take(sqltext.Raw(guard)) }

// hold is the same within the transaction of its connection, which keeps the rows
// locked until the work ends.
func hold(t rowset) sqltext.Part { return t.take(sqltext.Raw("\n")) }

func (t rowset) take(guard sqltext.Part) sqltext.Part { return t.takeBy(guard, t.orderBy("q", false)) }

func (t rowset) takeBy(guard, order sqltext.Part) sqltext.Part {
	h := sqltext.Holes{
		"head": sqltext.Raw(headWork), "guard": guard, "clock": t.clock(), "outer": sqltext.Part{},
		"delete": t.candidates(order),
	}
	t.variable(h, "deleted")
	if t.m.Lane.Order != model.OrderNone {
		for i, c := range t.m.Keys {
			if c.Name == t.by().Name {
				h["outer"] = sqltext.Fill("\nORDER BY c.{name}", sqltext.Holes{"name": keyAlias(i)})
				if t.m.Lane.Order == model.LIFO {
					h["outer"] = sqltext.Fill("\nORDER BY c.{name} DESC", sqltext.Holes{"name": keyAlias(i)})
				}
			}
		}
	}
	return sqltext.Fill(takeText, h)
}

const rowHints = "UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK"

// candidates deletes through an ordered CTE, since TOP in a DELETE has no order of
// its own. Without an order there is nothing to keep.
func (t rowset) candidates(order sqltext.Part) sqltext.Part {
	h := sqltext.Holes{"table": t.name(), "hints": sqltext.Raw(rowHints)}
	if order.IsZero() {
		return sqltext.Fill("DELETE TOP (@n) FROM {table} WITH ({hints})", h)
	}
	h["columns"], h["order"] = sqltext.List(",\n           ", t.all("q")...), order
	return sqltext.Fill(`WITH candidate AS (
    SELECT TOP (@n)
           {columns}
    FROM {table} AS q WITH ({hints})
    ORDER BY {order}
)
DELETE FROM candidate`, h)
}
