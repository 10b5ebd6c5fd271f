package sqlite_test

import (
	"fmt"
	"testing"

	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/model"
)

// TestHolesAreNotDoneRows holds that the estimate of done rows follows a purge,
// although an old dead letter keeps the first row number: it never counts the rows,
// and is to be within a fifth of the truth.
func TestHolesAreNotDoneRows(t *testing.T) {
	s, _ := (bench{}).Stand(t).(*stand)
	m, err := profile.For(profile.Lease, "", model.Table{Name: "Jobs"})
	if err != nil {
		t.Fatal(err)
	}
	db := s.Open(t)
	if err := db.MakeSchema(t.Context(), &m); err != nil {
		t.Fatal(err)
	}
	q := db.Queue(m)
	exec := func(text string) {
		t.Helper()
		if _, err := s.raw.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	exec("INSERT INTO Jobs (JobId, State, Payload) VALUES (1, 'F', 'old')")
	done := 0
	for _, step := range []struct {
		change string
		left   int
	}{
		{"INSERT INTO Jobs (State, Payload) SELECT 'D', '' FROM (WITH RECURSIVE x(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM x WHERE n < 9999) SELECT n FROM x)", 9999},
		{"DELETE FROM Jobs WHERE State = 'D' AND JobId <= 4000", 6000},
		{"DELETE FROM Jobs WHERE State = 'D' AND JobId <= 9500", 500},
		{"DELETE FROM Jobs WHERE State = 'D' AND JobId <= 9990", 10},
		{"DELETE FROM Jobs WHERE State = 'D'", 0},
	} {
		exec(step.change)
		p, _, err := q.Pulse(t.Context(), model.PulseAsk{})
		if err != nil {
			t.Fatal(err)
		}
		done = int(p.Done.N)
		slack := step.left / 5
		if step.left == 500 {
			slack = 350 // one hit of 32 is three hundred rows
		}
		if p.Done.Trust != model.Estimated || done < step.left-slack || done > step.left+slack {
			t.Errorf("%s: done %s %d, there are %d", fmt.Sprintf("%.40s", step.change), p.Done.Trust, done, step.left)
		}
	}
}
