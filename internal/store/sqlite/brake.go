package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqltext"
	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/model"
)

const brakeTable = `CREATE TABLE IF NOT EXISTS {brake} (
  Id       INTEGER PRIMARY KEY,
  Braked   INTEGER NOT NULL DEFAULT 0,
  At       INTEGER,
  Actor    TEXT,
  Login    TEXT,
  Reason   TEXT,
  ActionId TEXT
) STRICT`

// brakeTable is the brake of the shipped queue: one row, which every claim reads.
func (t table) brakeTable() sqltext.Part {
	return sqltext.Fill(brakeTable, sqltext.Holes{"brake": t.brakeName()})
}

func (t table) brakeRow() sqltext.Part {
	return sqltext.Fill("INSERT OR IGNORE INTO {brake} (Id) VALUES (1)", sqltext.Holes{"brake": t.brakeName()})
}

func (t table) brakeName() sqltext.Part { return ident(t.m.Brake.Schema, t.m.Brake.Name) }

// unbraked is the condition that the brake is off, absent where there is none. A
// claim has the file's write lock when it reads it, as the act that puts the brake
// has: one of them comes first, and a claim that comes second sees it.
func (t table) unbraked() sqltext.Part {
	if t.m.Brake.IsZero() {
		return sqltext.Part{}
	}
	return sqltext.Fill("NOT EXISTS (SELECT 1 FROM {brake} WHERE Id = 1 AND Braked = 1)", sqltext.Holes{"brake": t.brakeName()})
}

// brakeColumns are the brake as the row source brake has it, NULL where there is
// none.
func brakeColumns(there bool) sqltext.Part {
	if !there {
		return sqltext.Raw(`NULL AS braked, NULL AS brake_at, NULL AS brake_actor, NULL AS brake_login, NULL AS brake_reason`)
	}
	return sqltext.Raw(`brake.Braked AS braked, brake.At AS brake_at, brake.Actor AS brake_actor,
       brake.Login AS brake_login, brake.Reason AS brake_reason`)
}

func (t table) besideBrake() sqltext.Part {
	if t.m.Brake.IsZero() {
		return sqltext.Part{}
	}
	return sqltext.Fill("\nLEFT JOIN {brake} AS brake ON brake.Id = 1", sqltext.Holes{"brake": t.brakeName()})
}

// brakeState reads the brake.
func brakeState(t table) (store.Stmt, error) {
	return stmt(sqltext.Fill(`SELECT @now AS now, {columns}
FROM (SELECT 1) AS always{brake}`, sqltext.Holes{"columns": brakeColumns(true), "brake": t.besideBrake()}))
}

// putBrake stops the claims of the queue; freeBrake lets them go on. Each matches
// only a brake that is the other way round.
func putBrake(t table) (store.Stmt, error) {
	return t.setBrake(sqltext.Raw("1"), sqltext.Raw("0"), sqltext.Raw("'braked'"))
}

func freeBrake(t table) (store.Stmt, error) {
	return t.setBrake(sqltext.Raw("0"), sqltext.Raw("1"), sqltext.Raw("'brake-released'"))
}

// setBrake writes the history first and then the row, by the same condition; the
// answer is read last, so that it is not the first text.
func (t table) setBrake(on, off, kind sqltext.Part) (store.Stmt, error) {
	h := sqltext.Holes{"brake": t.brakeName(), "history": t.historyName(), "off": off}
	recorded, set, answer := sqltext.Holes{"kind": kind}, sqltext.Holes{"on": on}, sqltext.Holes{"columns": brakeColumns(true)}
	for k, v := range h {
		recorded[k], set[k], answer[k] = v, v, v
	}
	delete(set, "history")
	delete(answer, "off")
	s, err := stmt(
		sqltext.Fill(`INSERT INTO {history}
  (At, Kind, JobId, ActionId, Actor, Reason)
  SELECT @now, {kind}, 0, @action, @actor, @reason
  FROM {brake}
  WHERE Id = 1 AND Braked = {off}`, recorded),
		sqltext.Fill(`UPDATE {brake}
SET Braked = {on},
    At = @now,
    Actor = @actor,
    Login = NULL,
    Reason = @reason,
    ActionId = @action
WHERE Id = 1 AND Braked = {off}`, set),
		sqltext.Fill(`SELECT @now AS now, {columns},
       EXISTS (SELECT 1 FROM {history} WHERE JobId = 0 AND ActionId = @action) AS mine
FROM (SELECT 1) AS always
LEFT JOIN {brake} AS brake ON brake.Id = 1`, answer))
	s.Answer = len(s.Texts) - 1
	return s, err
}

// brakes refuses the acts on a brake that this table does not have.
func (t table) brakes() error {
	switch {
	case t.m.Brake.IsZero() && t.lacks(model.CanBrake) != nil:
		return t.lacks(model.CanBrake)
	case t.m.Brake.IsZero():
		return errors.New("the mapping names no table for the brake: workers that claim by a statement of their own could not be stopped by it")
	case t.m.History.IsZero():
		return errors.New("the table has no history, so nothing would tell who put the brake")
	}
	return nil
}

// brake finds out whether there is a brake, which every claim then has to read.
func (p *probe) brake(ctx context.Context) error {
	if p.m.Brake.IsZero() {
		p.caps.Can[model.CanBrake] = model.No(
			"the table has no row that a claim could read whether it may go on", "the shipped schema has one: leasetop schema")
		return nil
	}
	columns, err := p.columns(ctx, p.m.Brake.Name)
	if err != nil {
		return err
	}
	if missing := absent([]string{"Id", "Braked", "At", "Actor", "Login", "Reason", "ActionId"}, columns); len(missing) > 0 {
		p.caps.Can[model.CanBrake] = model.No(text.Clean(fmt.Sprintf("there is no table %s for the brake", p.m.Brake)),
			"leasetop schema --apply adds it; what is there stays")
		p.m.Brake = model.Table{}
		return nil
	}
	rows, err := p.query(ctx, sqltext.Fill("SELECT Braked AS braked FROM {brake} WHERE Id = 1", sqltext.Holes{"brake": ident(p.m.Brake.Schema, p.m.Brake.Name)}), "")
	if err != nil {
		return err
	}
	p.caps.Can[model.CanBrake] = model.Yes()
	if len(rows) == 0 {
		p.caps.Can[model.CanBrake] = model.No(text.Clean(fmt.Sprintf("%s has lost its row", p.m.Brake)), "leasetop schema --apply puts it back")
	}
	return nil
}
