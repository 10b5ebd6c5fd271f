package lesson

import "github.com/leasetop/leasetop/model"

// destructiveCrash: what a crash takes with it.
func destructiveCrash() Lesson {
	feed := make([]NewJob, 8)
	claim := "What went in is done, or it is there."
	return Lesson{
		Number: 9, Name: "destructive-crash", Title: "A destructive crash, two ways, and the batch",
		About: "Eight orders in a destructive queue. A consumer takes some and is killed before it has shipped them.",
		Bad: Half{
			Title: "By autocommit: deleted before the work begins", Actors: []Actor{WorkerA, WorkerB, WorkerC},
			Lines: []LineUp{{model.FIFO, []Actor{WorkerA, WorkerB, WorkerC}}}, Jobs: feed, Claim: claim, holds: all(served, eachOnce),
			Moral: "At most once. The rows were gone with the DELETE, and the only copy died with the process. The batch is the size of the hole: one row, or five.",
			Steps: []Step{
				{Who: WorkerA, Do: Dequeue, N: 1, Says: "dequeues one row", Comes: "has row 1", Means: "The row is deleted. Its only copy is in A's memory."},
				{Who: WorkerA, Do: Die, Says: "is killed before it ships", Comes: "gone, without a word", Means: "Nothing is locked, nothing is expired, nothing shows."},
				{Who: WorkerB, Do: Dequeue, N: 5, Says: "dequeues five rows at once", Comes: "has rows 2, 3, 4, 5, 6", Means: "One round trip instead of five."},
				{Who: WorkerB, Do: Die, Says: "is killed before it ships", Comes: "gone, without a word",
					Ask: &Question{
						Text: "B is killed with five rows in hand. What becomes of them?", Choices: []string{"they come back", "they are gone", "they are dead letters"}, Right: 1,
						Why: "They were deleted and committed. No table knows them any more.",
					},
					Means: "Look at the sum."},
				{Who: WorkerC, Do: Dequeue, N: 5, Says: "dequeues five rows at once", Comes: "has rows 7, 8", Means: "All that is left."},
				{Who: WorkerC, Do: Work, Says: "ships the orders", Comes: "it happens"},
				{Who: WorkerC, Do: Dequeue, N: 5, Says: "dequeues again", Comes: nothing, Means: "The queue is empty and everything looks done."},
			},
		},
		Good: Half{
			Title: "In a transaction: locked until the work is done", Actors: []Actor{WorkerA, WorkerC},
			Lines: []LineUp{{model.FIFO, []Actor{WorkerA, WorkerC}}}, Jobs: feed, Claim: claim, holds: all(served, eachOnce, overtaken),
			Moral: "The crash gave everything back. The price: a transaction as long as the work, its rows locked and its log held; and a worker that dies after the effect and before the commit has it repeated. It is at least once now.",
			Steps: []Step{
				{Who: WorkerA, Do: Hold, N: 5, Says: "begins a transaction and dequeues five rows", Comes: "has rows 1, 2, 3, 4, 5", Means: "Deleted and not committed: locked. Others pass over them.", Notes: "On the embedded engine a lock table stands in for the row locks."},
				{Who: WorkerC, Do: Hold, N: 1, Says: "does the same with one row", Comes: "has row 6"},
				{Who: WorkerC, Do: Work, Says: "ships the order", Comes: "it happens"},
				{Who: WorkerC, Do: Commit, Says: "commits", Comes: "deleted for good"},
				{Who: WorkerA, Do: Die, Says: "is killed before it ships", Comes: "gone, without a word"},
				{Who: Time, Do: Pass, Says: "passes: the server notices that the connection is gone", Means: "It rolls the transaction back."},
				{Who: WorkerC, Do: Hold, N: 5, Says: "dequeues five rows at once", Comes: "has rows 1, 2, 3, 4, 5",
					Ask: &Question{
						Text: "Which rows come?", Choices: []string{"rows 7 and 8", "rows 1 to 5"}, Right: 1, Why: "They are back, and they are the oldest.",
					}},
				{Who: WorkerC, Do: Work, Says: "ships the orders", Comes: "it happens"},
				{Who: WorkerC, Do: Commit, Says: "commits", Comes: "deleted for good"},
				{Who: WorkerC, Do: Hold, N: 5, Says: "dequeues again", Comes: "has rows 7, 8"},
				{Who: WorkerC, Do: Work, Says: "ships the orders", Comes: "it happens"},
				{Who: WorkerC, Do: Commit, Says: "commits", Comes: "deleted for good"},
			},
		},
	}
}
