package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/model"
)

// TestClocks holds what times a table may say it has, and what is no clock.
func TestClocks(t *testing.T) {
	const lease, rows = "family: fenced\ncolumns: {key: Id bigint, state: State int, token: Tok uniqueidentifier, lease: Until ", "family: destructive\norder: fifo\ncolumns: {key: [At datetime], enqueued: At datetime}\n"
	const states = "}\nstates: {ready: 0, working: 1, done: 2}\n"
	for name, tc := range map[string]struct {
		text  string
		clock model.Clock
		ahead time.Duration
		wrong string
	}{
		"nothing said":           {text: lease + "datetime" + states},
		"utc":                    {text: lease + "datetime" + states + "clock: utc", clock: model.ClockUTC},
		"local":                  {text: lease + "datetime" + states + "clock: local", clock: model.ClockLocal},
		"a constant offset":      {text: lease + "datetime" + states + "clock: \"+05:45\"", clock: model.ClockFixed, ahead: 5*time.Hour + 45*time.Minute},
		"behind":                 {text: lease + "datetime" + states + "clock: \"-03:30\"", clock: model.ClockFixed, ahead: -210 * time.Minute},
		"a zone":                 {text: lease + "datetime" + states + "clock: Europe/Berlin", wrong: `constant offset such as "+02:00"`},
		"columns that carry one": {text: lease + "datetimeoffset(3)" + states + "clock: local", wrong: "carries its own offset"},
		"offset":                 {text: lease + "datetime" + states + "clock: offset", wrong: "leave it out"},
		"a row by an offset":     {text: rows + "clock: \"+02:00\"", wrong: "a destructive queue's is utc, local or offset"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := config.ParseProfile("p.yaml", []byte(tc.text))
			if tc.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wrong) {
					t.Errorf("%v, want %q", err, tc.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			m, err := s.Mapping("p", "q", model.Table{Name: "t"})
			if err != nil || m.Clock != tc.clock || m.Ahead != tc.ahead {
				t.Errorf("%s, %s ahead, %v", m.Clock, m.Ahead, err)
			}
		})
	}
}
