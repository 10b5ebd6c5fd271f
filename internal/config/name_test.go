package config_test

import (
	"strings"
	"testing"

	"github.com/leasetop/leasetop/internal/config"
)

func TestTableNames(t *testing.T) {
	for text, want := range map[string]string{
		"QueueDemo":              "QueueDemo",
		"dbo.QueueDemo":          "dbo.QueueDemo",
		"[my.table]":             "[my.table]",
		"[a]]b]":                 "[a]]b]",
		"dbo.[a b]":              "dbo.[a b]",
		"[x y].[z]":              "[x y].z",
		"dbo.[it's]":             "dbo.[it's]",
		"[a\"b].[`c;]":           "[a\"b].[`c;]",
		"a.b.c":                  "error",
		"":                       "error",
		"dbo.":                   "error",
		"[open":                  "error",
		"[a]b":                   "error",
		"a]b":                    "error",
		"a;drop":                 "error",
		"[a\nb]":                 "error",
		strings.Repeat("x", 129): "error",
	} {
		got := "error"
		if table, err := config.ParseTable(text); err == nil {
			got = table.String()
			if back, err := config.ParseTable(got); err != nil || back != table {
				t.Errorf("%q prints as %q, which reads as %v, %v", text, got, back, err)
			}
		}
		if got != want {
			t.Errorf("%q reads as %s, want %s", text, got, want)
		}
	}
}

func TestMeant(t *testing.T) {
	known := []string{"columns", "states", "lease"}
	for word, want := range map[string]string{
		"colums": `did you mean "columns"?`, "Sattes": `did you mean "states"?`, "zzz": "known are columns, states, lease",
	} {
		if got := config.Meant(word, known); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}
