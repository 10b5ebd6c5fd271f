package lesson

import "fmt"

// blindReclaim: a list is old the moment that it is read.
func blindReclaim() Lesson {
	jobs := []NewJob{{What: "import file 1"}, {What: "import file 2"}}
	begin := []Step{
		{Who: WorkerA, Do: Claim, Says: "claims a job", Comes: "has job 1, token A1"},
		{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: "has job 2, token B1"},
		{Who: WorkerB, Do: Die, Says: "is killed", Comes: "gone, without a word"},
		{Who: Time, Do: Pass, Leases: 1.1, Says: "passes: both leases run out", Means: "B is dead. A only lost a heartbeat on the way."},
		{Who: Operator, Do: List, Says: "lists the leases that are over", Comes: "over: job 1, job 2", Means: "The list is right, now."},
		{Who: WorkerA, Do: Beat, Says: "sends its heartbeat again", Comes: "the lease is renewed", Means: "A is alive and holds job 1 as before. The list on the operator's screen does not change.",
			Notes: "The time between looking and pressing is seconds. A worker beats every few of them."},
	}
	alive := func(f *Facts) []string {
		var out []string
		for _, n := range f.Taken {
			out = append(out, fmt.Sprintf("job %d was taken from a live worker", n))
		}
		return append(out, once(f)...)
	}
	again := []Step{
		{Who: WorkerC, Do: Claim, Says: "claims a job", Comes: "has job 1, token C1", Means: "Two workers import the same file."},
		{Who: WorkerA, Do: Work, Says: "imports its file", Comes: "it happens"},
		{Who: WorkerC, Do: Work, Says: "imports its file", Comes: "it happens a second time"},
		{Who: WorkerC, Do: Complete, Says: "completes its job", Comes: "job 1 is done"},
		{Who: WorkerA, Do: Complete, Says: "completes its job", Comes: notMine, Means: "A did everything right."},
	}
	actors := []Actor{WorkerA, WorkerB, WorkerC, Operator}
	claim := "No job is taken from a worker that lives."
	return Lesson{
		Number: 10, Name: "blind-reclaim", Title: "The blind reclaim, and the conditional one",
		About: "An operator takes expired jobs back by hand. Between the look and the key press the world goes on.",
		Bad: Half{
			Title: "UPDATE … WHERE JobId IN (the list)", Flaw: "blind-reclaim", Actors: actors, Jobs: jobs, Claim: claim, holds: alive,
			Moral: "The list was a SELECT, the act an UPDATE: it is lesson 1 again, with an operator in the place of a worker.",
			Steps: joined(begin, []Step{
				{Who: Operator, Do: Reclaim, Job: 1, Says: "takes job 1 back by its key", Comes: "applied: job 1 is ready, taken from a live worker",
					Ask: &Question{
						Text: "The operator presses. What becomes of job 1, which A just renewed?", Choices: []string{"it is taken from A", "nothing: it is not over any more"}, Right: 0,
						Why: "The statement asks for the key and nothing else.",
					}},
				{Who: Operator, Do: Reclaim, Job: 2, Says: "takes job 2 back by its key", Comes: "applied: job 2 is ready"},
			}, again),
		},
		Good: Half{
			Title: "By key, token, and a lease that is over now", Actors: actors, Jobs: jobs, Claim: claim, holds: alive,
			Moral: "The act repeats the condition under which the operator decided, and the server judges it at the moment of the change. \"Changed\" is no failure: it is the answer.",
			Steps: joined(begin, []Step{
				{Who: Operator, Do: Reclaim, Job: 1, Says: "reclaims job 1 as it was listed", Comes: "changed: no row matched",
					Ask: &Question{
						Text: "The operator presses. What becomes of job 1, which A just renewed?", Choices: []string{"it is taken from A", "nothing: it is not over any more"}, Right: 1,
						Why: "The statement wants the token that was seen and a lease before the server's now. The lease was renewed.",
					},
					Means: "A keeps its job and never notices."},
				{Who: Operator, Do: Reclaim, Job: 2, Says: "reclaims job 2 as it was listed", Comes: "applied: job 2 is ready"},
				{Who: WorkerC, Do: Claim, Says: "claims a job", Comes: "has job 2, token C1"},
				{Who: WorkerC, Do: Work, Says: "imports its file", Comes: "it happens"},
				{Who: WorkerC, Do: Complete, Says: "completes its job", Comes: "job 2 is done"},
				{Who: WorkerA, Do: Work, Says: "imports its file", Comes: "it happens"},
				{Who: WorkerA, Do: Complete, Says: "completes its job", Comes: "job 1 is done"},
			}),
		},
	}
}
