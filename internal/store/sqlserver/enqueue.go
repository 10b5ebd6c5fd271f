package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

const enqueueText = `{head}{guard}DECLARE @at datetime2(3) = SYSUTCDATETIME();
DECLARE @added TABLE (
    [key] {type} NOT NULL
);

INSERT INTO {table} ({names})
OUTPUT inserted.{key}
INTO @added ([key])
SELECT {values}
FROM OPENJSON(@jobs) AS a
CROSS APPLY OPENJSON(a.[value]) WITH (
    [payload] nvarchar(max) '$.payload',
    [priority] int '$.priority',
    [max_attempts] int '$.max_attempts',
    [delay_ms] bigint '$.delay_ms',
    [operation] nvarchar(max) '$.operation'
) AS j
ORDER BY CONVERT(int, a.[key]);

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {answer} AS [key]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN @added AS c
    ON 1 = 1
ORDER BY c.[key];`

// enqueue adds the jobs of a JSON array in its order: an INSERT with an ORDER BY
// hands out identity values in that order, which is how the keys are matched.
func enqueue(t table) (sqltext.Part, error) {
	if !t.m.Has(model.RolePayload) {
		return sqltext.Part{}, errors.New("the mapping names no payload column")
	}
	if len(t.m.Keys) != 1 || t.m.Keys[0].Type != model.Int {
		return sqltext.Part{}, errors.New("the key is no identity column, so nobody could tell which new job got which key")
	}
	state, due := t.state(model.Ready), now()
	if t.schedules() {
		due = sqltext.Fill("CASE WHEN j.[delay_ms] > 0 THEN {later} ELSE @at END", sqltext.Holes{
			"later": after(now(), sqltext.Raw("j.[delay_ms]")),
		})
		state = sqltext.Fill("CASE WHEN j.[delay_ms] > 0 THEN {scheduled} ELSE {ready} END", sqltext.Holes{
			"scheduled": t.state(model.Scheduled), "ready": t.state(model.Ready),
		})
	}
	var names, values []sqltext.Part
	for _, e := range []edit{
		{model.RoleState, state},
		{model.RolePriority, sqltext.Raw("COALESCE(j.[priority], 100)")},
		{model.RoleAvailable, due},
		{model.RoleEnqueued, now()},
		{model.RoleAttempts, sqltext.Raw("0")},
		{model.RoleMaxAttempts, sqltext.Raw("COALESCE(j.[max_attempts], 5)")},
		{model.RoleTotalClaims, sqltext.Raw("0")},
		{model.RoleOperation, t.operation()},
		{model.RolePayload, sqltext.Raw("j.[payload]")},
	} {
		if t.m.Has(e.role) {
			names, values = append(names, t.col(e.role)), append(values, e.to)
		}
	}
	key := t.m.Keys[0]
	return sqltext.Fill(enqueueText, sqltext.Holes{
		"head": sqltext.Raw(headWork), "guard": sqltext.Raw(guard), "table": t.name(), "type": sqltext.Declared(key.Declared),
		"key": ident(key.Name), "names": sqltext.List(", ", names...), "values": sqltext.List(comma, values...),
		"answer": read(key, sqltext.Raw("c.[key]")),
	}), nil
}

// operation is the caller's operation id, or a new one.
func (t table) operation() sqltext.Part {
	if t.m.Column(model.RoleOperation).Type == model.GUID {
		return sqltext.Raw("COALESCE(CONVERT(uniqueidentifier, j.[operation]), NEWID())")
	}
	return sqltext.Raw("COALESCE(j.[operation], CONVERT(varchar(36), NEWID()))")
}
