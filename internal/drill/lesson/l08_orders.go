package lesson

import "github.com/leasetop/leasetop/model"

// ordersOfDequeue: first-in, last-in, and no order at all.
func ordersOfDequeue() Lesson {
	feed := []NewJob{{What: "order 1"}, {What: "order 2"}, {What: "order 3"}}
	claim := "No row waits while younger ones are served one after the other."
	take := func(who Actor, comes, means string) []Step {
		return []Step{
			{Who: who, Do: Dequeue, N: 1, Says: "dequeues a row", Comes: comes, Means: means},
			{Who: who, Do: Work, Says: "ships the order", Comes: "it happens"},
		}
	}
	two := Step{Who: Time, Do: Arrive, N: 2, Says: "passes: two orders come in", Means: "They arrive about as fast as they are served."}
	ask := func(steps []Step, q *Question) []Step { steps[0].Ask = q; return steps }
	return Lesson{
		Number: 8, Name: "orders", Title: "First-in, last-in, unordered",
		About: "A destructive queue: a dequeue deletes rows and gives them to one consumer. Which rows come first is the order of its statement, and nothing else.",
		Bad: Half{
			Title: "Last in, first out", Actors: []Actor{WorkerB}, Lines: []LineUp{{model.LIFO, []Actor{WorkerB}}}, Jobs: feed, Claim: claim, holds: overtaken,
			Moral: "Throughput was fine at every moment, and the first order will wait for as long as new ones come. Watch the age of the oldest row, not the number of rows a second.",
			Steps: joined(
				take(WorkerB, "has row 3", "The newest first: a dashboard that shows what was just served looks splendid."),
				[]Step{two},
				ask(take(WorkerB, "has row 5", "Row 1 is a little older now."), &Question{
					Text: "Rows 1, 2, 4 and 5 are there. Which one comes?", Choices: []string{"row 1", "row 4", "row 5"}, Right: 2, Why: "The newest. Whatever came in last is served next.",
				}),
				take(WorkerB, "has row 4", ""),
				[]Step{{Who: Time, Do: Arrive, N: 2, Says: "passes: two orders come in"}},
				take(WorkerB, "has row 7", "Four rows were taken by now, all younger than the first."),
			),
		},
		Good: Half{
			Title: "First in, first out; and beside it without an order", Actors: []Actor{WorkerA, WorkerC},
			Lines: []LineUp{{model.FIFO, []Actor{WorkerA}}, {model.OrderNone, []Actor{WorkerC}}}, Jobs: feed, Claim: claim, holds: all(overtaken, eachOnce),
			Moral: "The order stands in the statement: an ordered CTE, since TOP in a DELETE has none of its own and an index is no promise. Without an order every row comes once, in whichever order is cheapest; rows of one time have no order in any case.",
			Steps: joined(
				take(WorkerA, "has row 1", "The oldest first."),
				take(WorkerC, "has 1 of them", "Unordered: one of the three. Nothing says which."),
				[]Step{two},
				ask(take(WorkerA, "has row 2", ""), &Question{
					Text: "A works first-in, first-out. Which row comes?", Choices: []string{"row 2", "row 5"}, Right: 0, Why: "The oldest that is there.",
				}),
				take(WorkerA, "has row 3", "No row waits for longer than those before it take."),
				[]Step{
					{Who: WorkerC, Do: Dequeue, N: 10, Says: "dequeues ten rows at once", Comes: "has 4 of them", Means: "The rest, each once."},
					{Who: WorkerC, Do: Work, Says: "ships the orders", Comes: "it happens"},
				},
			),
		},
	}
}
