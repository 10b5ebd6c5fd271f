package model

import "testing"

func rowColumns() []Column {
	return []Column{
		{Name: "QDateTime", Type: Time}, {Name: "CustomerID", Type: Int}, {Name: "Note", Type: Text},
		{Name: "Price", Type: Fraction}, {Name: "Raw", Type: Binary},
	}
}

func TestARowIsReadAsItIsWritten(t *testing.T) {
	for _, values := range [][]Value{
		{TimeValue("2026-03-01T12:00:00.123"), IntValue(17), TextValue("plain"), {Fraction, "1.50"}, {Binary, "0x00FF"}},
		{{}, {}, {}, {}, {}},
		{TimeValue("x"), IntValue(-1), TextValue("NULL"), {Fraction, "-0.1"}, {Binary, "0x"}},
		{TimeValue("x"), IntValue(0), TextValue(`a=b,c\,=\`), {Fraction, "0"}, {}},
		{TimeValue("x"), IntValue(0), TextValue(""), {Fraction, "0"}, {}},
	} {
		k := KeyOf(values...)
		text := RowText(rowColumns(), k)
		got, err := ParseRow(rowColumns(), text)
		if err != nil || got != k {
			t.Errorf("%s is read as %v, %v", text, got.Values(), err)
		}
	}
}

func TestARowIsNamedByAllItsValues(t *testing.T) {
	for text, want := range map[string]string{
		"QDateTime=x,CustomerID=1,Note=a,Price=1":         `row "QDateTime=x,CustomerID=1,Note=a,Price=1": the column Raw is missing; a row is all its values`,
		"QDateTime=x,CustomerID=1,Note,Price=1,Raw=0x":    `row "QDateTime=x,CustomerID=1,Note,Price=1,Raw=0x": "Note" is no name=value`,
		"qdatetime=x,customerid=a,note=a,price=1,raw=0x":  `row "qdatetime=x,customerid=a,note=a,price=1,raw=0x": CustomerID: not a whole number`,
		"QDateTime=,CustomerID=1,Note=,Price=1,Raw=0x,X=": `row "QDateTime=,CustomerID=1,Note=,Price=1,Raw=0x,X=": the table has no column x`,
		"QDateTime=x,CustomerID=1,customerid=2":           `row "QDateTime=x,CustomerID=1,customerid=2": the column customerid is there twice`,
	} {
		if _, err := ParseRow(rowColumns(), text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestADeadLetterIsARowAndItsAct(t *testing.T) {
	m := &Mapping{Family: Destructive, Keys: rowColumns()}
	row := []Value{{}, IntValue(1), {}, {}, {}}
	dead := RowKeyOf(row, GUIDValue("0e5e70b5-0000-4000-8000-00000000000a"))
	if dead == RowKeyOf(row, Value{}) {
		t.Error("a dead letter is the row that it was")
	}
	values, action := m.CutRow(dead)
	if KeyOf(values...) != KeyOf(row...) || action.Text != "0E5E70B5-0000-4000-8000-00000000000A" {
		t.Errorf("%v by %v", values, action)
	}
	if _, action := m.CutRow(KeyOf(row...)); !action.IsNull() {
		t.Errorf("a row of the queue was made by %v", action)
	}
	if v := m.Comparable(); !v.OK {
		t.Error(v.Why)
	}
	m.Keys[2] = Column{Name: "Note", Type: Opaque, Declared: "xml"}
	if v := m.Comparable(); v.OK || v.Why != "rows cannot be told apart: Note is xml, which cannot be compared" {
		t.Errorf("%+v", v)
	}
}
