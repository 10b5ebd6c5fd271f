package lesson

import (
	"fmt"
	"slices"

	"github.com/leasetop/leasetop/internal/drill"
	"github.com/leasetop/leasetop/model"
)

func numbersOf(claims []model.Claim) []int {
	out := make([]int, len(claims))
	for i, c := range claims {
		out[i] = drill.RowNumber(c)
	}
	return out
}

// sum is the conservation of a half's first line in one line: each of its rows is
// in one place, and what a consumer holds is in its hand until it is ended.
func (f *Facts) sum() string {
	var left, done []int
	if len(f.Left) > 0 {
		left = slices.Clone(f.Left[0]) // a row that is held is locked and still there
	}
	left = slices.DeleteFunc(left, func(n int) bool { return slices.Contains(f.InHand, n) })
	for _, n := range f.doneOn(0) {
		if !slices.Contains(f.InHand, n) && !slices.Contains(left, n) && !slices.Contains(done, n) {
			done = append(done, n)
		}
	}
	hand := ""
	if len(f.InHand) > 0 {
		hand = fmt.Sprintf(" + %d in hand", len(f.InHand))
	}
	return fmt.Sprintf("%d in = %d done%s + %d there + %d lost", f.In, len(done), hand, len(left), len(f.Lost))
}

// doneOn are the rows of a line that took effect.
func (f *Facts) doneOn(line int) []int {
	var out []int
	for _, e := range f.Ledger {
		if line < len(f.Lines) && slices.Contains(f.Lines[line].Actors, e.Who) {
			out = append(out, e.Job)
		}
	}
	return out
}

// served: nothing is lost.
func served(f *Facts) []string {
	if len(f.Lost) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: neither done nor in the table, and nobody was told", rowsNamed(f.Lost))}
}

// overtaken: no row of a line with an order waits while more than one younger row
// was served.
func overtaken(f *Facts) []string {
	var out []string
	for i, l := range f.Lines {
		if l.Order == model.OrderNone || len(f.Left[i]) == 0 {
			continue
		}
		oldest, younger := slices.Min(f.Left[i]), 0
		for _, n := range f.doneOn(i) {
			if n > oldest {
				younger++
			}
		}
		if younger > 1 {
			out = append(out, fmt.Sprintf("%s: row %d still waits, and %d younger ones are done", lineName(l.Order), oldest, younger))
		}
	}
	return out
}

// eachOnce: no row took effect twice on one line.
func eachOnce(f *Facts) []string {
	var out []string
	for _, e := range f.Ledger {
		if e.Again {
			out = append(out, fmt.Sprintf("row %d took effect again", e.Job))
		}
	}
	return out
}
