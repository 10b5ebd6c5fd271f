package table

import (
	"cmp"
	"slices"
	"strings"
)

// Order is how a list is sorted: by a column, named by its title, because columns
// come and go with the width. The zero Order is the order in which the list came.
type Order struct {
	Title   string
	Reverse bool
}

// Next is the order by the next of these columns, and after the last one the order
// in which the list came.
func (o Order) Next(columns []Column) Order {
	for i := range columns {
		if o.Title == "" {
			return Order{Title: columns[i].Title}
		}
		if columns[i].Title == o.Title && i+1 < len(columns) {
			return Order{Title: columns[i+1].Title}
		}
	}
	return Order{}
}

// by is the index of the order's column, -1 for none.
func (o Order) by(columns []Column) int {
	return slices.IndexFunc(columns, func(c Column) bool { return o.Title != "" && c.Title == o.Title })
}

// arrow is the way in which the rows go down the list.
func (o Order) arrow() string {
	if o.Reverse {
		return "↓"
	}
	return "↑"
}

// Pick gives the indices of the rows that a filter lets through, in an order; nil
// is all rows as they came, which costs nothing however many there are.
func Pick[K comparable](src Source[K], columns []Column, f Filter, o Order) []int {
	by := o.by(columns)
	if f.IsZero() && by < 0 {
		return nil
	}
	picked := make([]int, 0, src.Len())
	weights := make([]weight, 0, src.Len())
	var cells []Cell
	for i := range src.Len() {
		cells = src.Cells(i, cells[:0])
		if !f.Match(cells) {
			continue
		}
		picked = append(picked, i)
		if by >= 0 && by < len(cells) {
			weights = append(weights, weight{i, cells[by].Weight, strings.ToLower(cells[by].whole())})
		}
	}
	if len(weights) < len(picked) {
		return picked
	}
	slices.SortStableFunc(weights, func(a, b weight) int {
		c := cmp.Or(cmp.Compare(a.number, b.number), strings.Compare(a.text, b.text))
		if o.Reverse {
			c = -c
		}
		return c
	})
	for i, w := range weights {
		picked[i] = w.row
	}
	return picked
}

// weight is what a row is sorted by.
type weight struct {
	row    int
	number float64
	text   string
}
