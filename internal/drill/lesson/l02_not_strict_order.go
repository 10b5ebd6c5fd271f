package lesson

// notStrictOrder: READPAST passes over what is locked, and empty is not the end.
func notStrictOrder() Lesson {
	jobs := []NewJob{{What: "price list, part 1"}, {What: "price list, part 2"}, {What: "price list, part 3"}}
	lock := Step{Who: Session, Do: Lock, Job: 1, Says: "touches job 1 in a transaction and leaves it open", Comes: "job 1 is locked",
		Means: "Somebody corrects a row by hand and goes for coffee.", Notes: "On the embedded engine the lock is played: the claims choose as READPAST would."}
	second := Step{Who: WorkerA, Do: Claim, Says: "claims a job", Comes: "has job 2, token A1",
		Ask: &Question{
			Text: "Jobs 1, 2 and 3 are ready, 1 is locked. Which one does A get?", Choices: []string{"job 1, when the lock is gone", "job 2", "an error"}, Right: 1,
			Why: "The order is that of the choice among rows that nobody has locked. It is no promise about rows that somebody has.",
		},
		Means: "Job 1 was passed over, without a word."}
	third := Step{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: "has job 3, token B1", Means: "Passed over a second time."}
	empty := Step{Who: WorkerC, Do: Claim, Says: "claims a job", Comes: nothing,
		Ask: &Question{
			Text: "C gets nothing. Is the queue empty?", Choices: []string{"yes", "no: job 1 is still ready"}, Right: 1,
			Why: "An empty answer says that this attempt found no free row. Job 1 stands there as ready.",
		},
		Means: "Nothing for C now. Look at the table."}
	work := []Step{
		{Who: WorkerA, Do: Work, Says: "does the work", Comes: "it happens"},
		{Who: WorkerA, Do: Complete, Says: "completes its job", Comes: "job 2 is done"},
		{Who: WorkerB, Do: Work, Says: "does the work", Comes: "it happens"},
		{Who: WorkerB, Do: Complete, Says: "completes its job", Comes: "job 3 is done"},
	}
	unlock := Step{Who: Session, Do: Unlock, Job: 1, Says: "ends its transaction", Comes: "job 1 is free", Means: "The coffee is drunk."}
	actors := []Actor{WorkerA, WorkerB, WorkerC, Session}
	begin := append([]Step{lock, second, third, empty}, work...)
	return Lesson{
		Number: 2, Name: "not-strict-order", Title: "READPAST is not strict first-in-first-out",
		About: "Three jobs in order. Another session holds the first one locked. Claims pass over locked rows instead of waiting.",
		Bad: Half{
			Title: "A dispatcher that takes an empty answer for the end", Flaw: "select-then-update", Actors: actors, Jobs: jobs,
			Claim: "When the workers go home, every job is over.", holds: ended,
			Moral: "The worker asked once, was told \"nothing\", and stopped. Job 1 is ready and nobody will ever ask for it.",
			Steps: append(append([]Step{}, begin...),
				Step{Who: WorkerC, Do: Die, Says: "takes the queue for empty and stops for good", Comes: "gone, without a word", Means: "A and B do the same when they are done."},
				unlock,
				Step{Who: Time, Do: Pass, Leases: 2, Says: "passes: two leases", Means: "Nobody asks any more."},
			),
		},
		Good: Half{
			Title: "Workers that ask again", Flaw: "select-then-update", Actors: actors, Jobs: jobs,
			Claim: "When the workers go home, every job is over.", holds: ended,
			Moral: "The order was 2, 3, 1. If the parts must arrive in order, the queue is the wrong tool: number them and let the receiver sort.",
			Steps: append(append([]Step{}, begin...),
				unlock,
				Step{Who: WorkerC, Do: Claim, Says: "asks again", Comes: "has job 1, token C1", Means: "The oldest job came last."},
				Step{Who: WorkerC, Do: Work, Says: "does the work", Comes: "it happens"},
				Step{Who: WorkerC, Do: Complete, Says: "completes its job", Comes: "job 1 is done"},
			),
		},
	}
}
