package lesson

// selectThenUpdate: two statements are no claim.
func selectThenUpdate() Lesson {
	jobs := []NewJob{{What: "ship order 1001"}, {What: "ship order 1002"}}
	claim := "Every job has one owner, and happens once."
	return Lesson{
		Number: 1, Name: "select-then-update", Title: "Select, then update",
		About: "Two workers want the next job. Each first looks which one is ready, and then marks it as its own.",
		Bad: Half{
			Title: "In two statements", Flaw: "select-then-update", Actors: []Actor{WorkerA, WorkerB}, Jobs: jobs,
			Claim: claim, holds: all(unshared, once),
			Moral: "Between the SELECT and the UPDATE anybody may pass. Nothing failed, no error was raised, and order 1001 left the house twice.",
			Steps: []Step{
				{Who: WorkerA, Do: Read, Says: "reads the first ready job", Comes: "job 1 is ready", Means: "A knows a number. The row does not know about A."},
				{Who: WorkerB, Do: Read, Says: "reads the first ready job", Comes: "job 1 is ready",
					Ask: &Question{
						Text: "Worker B looks now. What does it see?", Choices: []string{"job 1", "job 2", "nothing, it waits for A"}, Right: 0,
						Why: "A has only read. A read leaves no mark and, under row versions, no lock.",
					},
					Means: "Both think of the same job.", Notes: "Let the room say how often this happens on their own queue: as often as two workers are idle at once."},
				{Who: WorkerA, Do: Take, Says: "updates the row of the job that it read", Comes: "has job 1, token A1", Means: "One row was updated. A goes to work."},
				{Who: WorkerB, Do: Take, Says: "updates the row of the job that it read", Comes: "has job 1, token B1",
					Means: "One row was updated here as well: its key is still 1. A's token is overwritten, and A does not know."},
				{Who: WorkerA, Do: Work, Says: "ships the order", Comes: "it happens", Means: "The first parcel leaves."},
				{Who: WorkerB, Do: Work, Says: "ships the order", Comes: "it happens a second time", Means: "The second parcel leaves. No statement can call it back."},
				{Who: WorkerA, Do: Complete, Says: "completes its job", Comes: notMine, Means: "Only now does A learn that it was not the owner. It is too late to matter."},
				{Who: WorkerB, Do: Complete, Says: "completes its job", Comes: "job 1 is done", Means: "The table looks perfect: one job done, one ready."},
			},
		},
		Good: Half{
			Title: "In one statement", Actors: []Actor{WorkerA, WorkerB, WorkerC}, Jobs: jobs, Claim: claim, holds: all(unshared, once),
			Moral: "Choosing, marking and telling are one statement, so there is no between. An empty answer is an answer too.",
			Steps: []Step{
				{Who: WorkerA, Do: Claim, Says: "claims a job", Comes: "has job 1, token A1", Means: "The statement locks the first ready row, marks it, and gives back what it marked."},
				{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: "has job 2, token B1",
					Ask: &Question{
						Text: "B claims at the same moment. What does it get?", Choices: []string{"job 1", "job 2", "it waits until A is done"}, Right: 1,
						Why: "READPAST passes over the row that A has locked, and the state takes it out of the next choice for good.",
					},
					Means: "Nobody waits for anybody."},
				{Who: WorkerC, Do: Claim, Says: "claims a job", Comes: nothing, Means: "Two jobs, two owners. C gets nothing, and that is no error."},
				{Who: WorkerA, Do: Work, Says: "ships the order", Comes: "it happens"},
				{Who: WorkerB, Do: Work, Says: "ships the order", Comes: "it happens"},
				{Who: WorkerA, Do: Complete, Says: "completes its job", Comes: "job 1 is done"},
				{Who: WorkerB, Do: Complete, Says: "completes its job", Comes: "job 2 is done", Means: "Claims, jobs and tokens are as many: two."},
			},
		},
	}
}
