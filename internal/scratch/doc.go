// Package scratch makes queues that go when they have served: for drills and
// lessons. On the embedded engine each is a temporary file of its own, with a clock
// that its user moves; on a server, or in a file that was named, each is a pair of
// tables whose names say what they are, so that what a killed process left behind
// can be told from what matters to somebody, and is removed by the next one.
//
//	Embedded(ctx) (*Lab, error)                        // temporary files
//	On(ctx, Place) (*Lab, error)                    // tables on a server or in a named file
//	(*Lab).Make(ctx, drill.Order) (drill.Bench, error)
//	(*Lab).Sweep(ctx) (Swept, error)                // what killed processes left behind
//	(*Lab).Close() error
package scratch
