package sqlserver

import (
	"errors"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/model"
)

// unbrakedText is what a claim asks of the brake. The hint keeps the lock on the
// row that was read until the claim's own statement has committed, also where the
// database reads row versions otherwise: the statement that puts the brake needs
// that row for itself, so it waits for every claim that read "off", and every claim
// that comes later waits for it. When its receipt arrives, no claim that did not
// see it is under way. Claims do not wait for each other: their locks are shared.
//
// The row is found by its key alone and judged when it has been read: an engine may
// let go of the lock on a row that a condition of the search itself rules out. A
// table without the row stops nobody.
const unbrakedText = `ISNULL((SELECT b.[Braked] FROM {brake} AS b WITH (REPEATABLEREAD, ROWLOCK) WHERE b.[Id] = 1), 0) = 0`

// unbraked is the condition that the brake is off, absent where there is none.
func (t table) unbraked() sqltext.Part {
	if t.m.Brake.IsZero() {
		return sqltext.Part{}
	}
	return sqltext.Fill(unbrakedText, sqltext.Holes{"brake": tableName(t.m.Brake)})
}

// brakeColumns are the brake as the row source b has it, NULL where it is not read.
func brakeColumns(read bool) sqltext.Part {
	if !read {
		return sqltext.Raw(`NULL AS [braked],
       NULL AS [brake_at],
       NULL AS [brake_actor],
       NULL AS [brake_login],
       NULL AS [brake_reason]`)
	}
	return sqltext.Raw(`CONVERT(int, b.[Braked]) AS [braked],
       CONVERT(varchar(33), b.[At], 126) AS [brake_at],
       b.[Actor] AS [brake_actor],
       b.[Login] AS [brake_login],
       b.[Reason] AS [brake_reason]`)
}

// besideBrake joins the brake's row, which is one at the most.
func (t table) besideBrake() sqltext.Part {
	if t.m.Brake.IsZero() || t.f.noBrake {
		return sqltext.Part{}
	}
	return sqltext.Fill("\nLEFT JOIN {brake} AS b\n    ON b.[Id] = 1", sqltext.Holes{"brake": tableName(t.m.Brake)})
}

const brakeStateText = `{head}SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {columns}
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n{brake}
{option}`

// brakeState reads the brake.
func brakeState(t table) (sqltext.Part, error) {
	return sqltext.Fill(brakeStateText, sqltext.Holes{
		"head": t.f.watch(), "columns": brakeColumns(true), "brake": t.besideBrake(), "option": t.f.option(),
	}), nil
}

const brakeText = `{head}{guard}DECLARE @at datetime2(3) = SYSUTCDATETIME();

UPDATE {brake} WITH (ROWLOCK)
SET [Braked] = {on},
    [At] = @at,
    [Actor] = CONVERT(nvarchar(128), @actor),
    [Login] = ORIGINAL_LOGIN(),
    [Reason] = CONVERT(nvarchar(2000), @reason),
    [ActionId] = CONVERT(uniqueidentifier, @action)
OUTPUT inserted.[At],
       {kind},
       0,
       inserted.[ActionId],
       inserted.[Actor],
       inserted.[Login],
       inserted.[Reason]
INTO {history} ([At], [Kind], [JobId], [ActionId], [Actor], [Login], [Reason])
WHERE {own}.[Id] = 1
  AND {own}.[Braked] = {off};

SELECT CONVERT(varchar(33), n.[now], 126) AS [now],
       {columns},
       CASE WHEN h.[Seq] IS NULL THEN 0 ELSE 1 END AS [mine]
FROM (SELECT SYSUTCDATETIME() AS [now]) AS n
LEFT JOIN {brake} AS b
    ON b.[Id] = 1
LEFT JOIN {history} AS h
    ON h.[JobId] = 0
   AND h.[At] = @at
   AND h.[ActionId] = CONVERT(uniqueidentifier, @action);`

// putBrake stops the claims of the queue. It matches only a brake that is off, and
// its row in the history is written by the same statement.
func putBrake(t table) (sqltext.Part, error) {
	return t.setBrake(sqltext.Raw("1"), sqltext.Raw("0"), sqltext.Raw("'braked'")), nil
}

// freeBrake lets claims go on.
func freeBrake(t table) (sqltext.Part, error) {
	return t.setBrake(sqltext.Raw("0"), sqltext.Raw("1"), sqltext.Raw("'brake-released'")), nil
}

func (t table) setBrake(on, off, kind sqltext.Part) sqltext.Part {
	return sqltext.Fill(brakeText, sqltext.Holes{
		"head": sqltext.Raw(headControl), "guard": sqltext.Raw(guard), "brake": tableName(t.m.Brake), "own": ident(t.m.Brake.Name),
		"on": on, "off": off, "kind": kind, "history": t.historyName(), "columns": brakeColumns(true),
	})
}

// brakes refuses the acts on a brake that this table does not have.
func (t table) brakes(op store.Op) error {
	if t.m.Brake.IsZero() {
		if err := t.lacks(model.CanBrake); err != nil {
			return err
		}
		return errors.New("the mapping names no table for the brake: workers that claim by a statement of their own could not be stopped by it")
	}
	if op != store.OpBrakeState && !t.recorded() {
		return errors.New("the table has no history, so nothing would tell who put the brake")
	}
	return nil
}
