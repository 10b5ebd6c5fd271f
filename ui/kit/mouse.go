package kit

// Click is the left button of the mouse on a cell of the screen's area; both count
// from 0. A screen may choose what is there and does nothing else.
type Click struct{ X, Y int }

// Place is where a part of a line stands.
type Place struct {
	Index     int // of the part
	At, Width int // cells
}

// Places says where Ranks puts the parts of a line that stand at its left.
func Places(parts []Rank, width int) []Place {
	var out []Place
	at := 1
	for i, kept := range keep(parts, width-2, rankGap) {
		if !kept || parts[i].Right {
			continue
		}
		w := parts[i].Spans.Width()
		out = append(out, Place{Index: i, At: at, Width: w})
		at += w + rankGap
	}
	return out
}
