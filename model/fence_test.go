package model

import (
	"strings"
	"testing"
	"time"
)

const anID = "018F0000-1122-7000-BFED-CBA987654321"

// fenceColumn is a token column of a declared type.
func fenceColumn(t Type, declared string) Column {
	return Column{Name: "Token", Type: t, Declared: declared}
}

func TestFence(t *testing.T) {
	bytes := "0x" + strings.ReplaceAll(anID, "-", "")
	for _, tc := range []struct {
		column Column
		how    Fence
		token  string
		why    string
	}{
		{fenceColumn(GUID, "uniqueidentifier"), FenceWritten, anID, ""},
		{fenceColumn(GUID, ""), FenceWritten, anID, ""},
		{fenceColumn(Binary, "varbinary(16)"), FenceWritten, bytes, ""},
		{fenceColumn(Binary, "varbinary(max)"), FenceWritten, bytes, ""},
		{fenceColumn(Binary, "binary(16)"), FenceWritten, bytes, ""},
		{fenceColumn(Binary, "BINARY(20)"), FenceWritten, bytes + "00000000", ""},
		{fenceColumn(Binary, "varbinary(8)"), FenceNone, "none", "16 bytes"},
		{fenceColumn(Binary, "timestamp"), FenceMade, "none", ""},
		{fenceColumn(Binary, "rowversion"), FenceMade, "none", ""},
		{fenceColumn(Text, "char(36)"), FenceWritten, anID, ""},
		{fenceColumn(Text, "nvarchar(max)"), FenceWritten, anID, ""},
		{fenceColumn(Text, "nvarchar(35)"), FenceNone, "none", "36 characters"},
		{fenceColumn(Text, "ntext"), FenceNone, "none", "compare"},
		{fenceColumn(Int, "bigint"), FenceWritten, "4606561922851357473", ""}, // 0x3FED_CBA9_8765_4321
		{fenceColumn(Int, "int"), FenceNone, "none", "too narrow"},
		{fenceColumn(Int, "decimal(19, 0)"), FenceNone, "none", "too narrow"},
		{fenceColumn(Time, "datetime"), FenceCleared, "none", ""},
		{fenceColumn(Time, "datetimeoffset(7)"), FenceCleared, "none", ""},
		{fenceColumn(Fraction, "float"), FenceNone, "none", "token of its own"},
		{Column{}, FenceNone, "none", ""},
	} {
		how, why := tc.column.Fence()
		if how != tc.how || !strings.Contains(why, tc.why) || (how == FenceNone) != (why != "") {
			t.Errorf("%s: fence %d %q, want %d %q", tc.column.Declared, how, why, tc.how, tc.why)
		}
		if got := tc.column.NewToken(anID).String(); got != tc.token {
			t.Errorf("%s: %s becomes %s, want %s", tc.column.Declared, anID, got, tc.token)
		}
	}
}

// TestNewTokensDiffer holds that the tokens of two acts are two, that they are none
// which a table that counts will reach, and that what is no id makes none.
func TestNewTokensDiffer(t *testing.T) {
	number := fenceColumn(Int, "bigint")
	for _, id := range []string{anID, strings.ToLower(anID), "018F0000-1122-7000-8000-000000000001"} {
		n, ok := number.NewToken(id).Values()[0].Int()
		if !ok || n <= 0 || n >= 1<<62 {
			t.Errorf("%s becomes %d", id, n)
		}
	}
	if number.NewToken(anID) == number.NewToken("018F0000-1122-7000-BFED-CBA987654320") || number.NewToken(anID) != number.NewToken(strings.ToLower(anID)) {
		t.Error("the number is not of the id")
	}
	for _, id := range []string{"", "018F", "nothing-that-is-an-id-of-any-kind-xx"} {
		if got := number.NewToken(id); !got.IsZero() {
			t.Errorf("%q becomes %s", id, got)
		}
	}
}

func TestScale(t *testing.T) {
	for declared, want := range map[string]time.Duration{
		"datetime2(3)": time.Millisecond, "datetime2(7)": 100 * time.Nanosecond, "datetime2": 100 * time.Nanosecond, "datetime2(0)": time.Second,
		"datetimeoffset(1)": 100 * time.Millisecond, "datetime": time.Second / 300, "smalldatetime": time.Minute, "INTEGER": time.Millisecond,
	} {
		if got := fenceColumn(Time, declared).Scale(); got != want {
			t.Errorf("%s tells %s, want %s", declared, got, want)
		}
	}
}

func TestExtendable(t *testing.T) {
	of := func(token, lease Column) *Mapping {
		return &Mapping{Columns: map[Role]Column{RoleToken: token, RoleLease: lease}}
	}
	until := Column{Name: "Until", Type: Time, Declared: "datetime"}
	for why, m := range map[string]*Mapping{
		"":           of(fenceColumn(GUID, "uniqueidentifier"), until),
		"in one":     of(until, until),
		"rowversion": of(fenceColumn(Binary, "timestamp"), until),
	} {
		if got := m.Extendable(); (got == "") != (why == "") || !strings.Contains(got, why) {
			t.Errorf("%q, want %q", got, why)
		}
	}
	if why := of(fenceColumn(Time, "datetime"), until).Extendable(); why != "" {
		t.Error(why)
	}
}
