package lesson

// killedAfterClaim: a lease that runs out does nothing by itself.
func killedAfterClaim() Lesson {
	jobs := []NewJob{{What: "invoice 88"}}
	begin := []Step{
		{Who: WorkerA, Do: Claim, Says: "claims the job", Comes: "has job 1, token A1", Means: "The row is in work now, with a lease: A promises to be heard of before it ends."},
		{Who: WorkerA, Do: Die, Says: "is killed", Comes: "gone, without a word",
			Means: "A deploy, an out-of-memory kill, a power cut: it makes no difference. Nobody tells the table.", Notes: "This is kill -9. A worker that is asked to stop gives its job back; this one cannot."},
		{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: nothing, Means: "The row is in work. While the lease runs that is right: A might be alive."},
		{Who: Time, Do: Pass, Leases: 1.1, Says: "passes: the lease runs out", Means: "The lease is over. Look at the table."},
	}
	return Lesson{
		Number: 3, Name: "killed-after-claim", Title: "Killed after the claim, and nobody recovers",
		About: "A worker claims a job and is killed. Its lease says how long it is to be waited for.",
		Bad: Half{
			Title: "Nobody recovers", Actors: []Actor{WorkerA, WorkerB}, Jobs: jobs,
			Claim: "Every job comes to its end.", holds: ended,
			Moral: "An expired lease is a fact and no act. Claims look for ready rows, and this one is in work. It lies there until somebody takes it back.",
			Steps: append(append([]Step{}, begin...),
				Step{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: nothing,
					Ask: &Question{
						Text: "The lease is over and B asks for work. What does it get?", Choices: []string{"job 1: its lease is over", "nothing"}, Right: 1,
						Why: "The claim chooses among ready rows. That the lease is over changes no column.",
					},
					Means: "The job is nobody's, and nobody gets it."},
				Step{Who: Time, Do: Pass, Leases: 10, Says: "passes: ten leases more", Means: "Nothing comes back by itself. A dashboard shows it as expired, redder every minute."},
				Step{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: nothing, Means: "B idles beside it."},
			),
		},
		Good: Half{
			Title: "Somebody recovers", Actors: []Actor{WorkerA, WorkerB, Recovery}, Jobs: jobs,
			Claim: "Every job comes to its end.", holds: ended,
			Moral: "Recovery is a statement that somebody has to send: every worker does, or leasetop recover, or a scheduled procedure. It gave the row a new token, so that A could not end it any more even if it came back.",
			Steps: append(append([]Step{}, begin...),
				Step{Who: Recovery, Do: Recover, Says: "takes back what is over", Comes: "took back: job 1 waits for another attempt; job 1 is ready",
					Means: "One conditional statement: in work, and its lease before the server's now. The token is replaced, not cleared."},
				Step{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: "has job 1, token B1",
					Ask: &Question{
						Text: "Which attempt is it for B?", Choices: []string{"the first: A did nothing", "the second"}, Right: 1,
						Why: "The claim counts, whatever came of it. Otherwise a job that kills its worker would be tried for ever.",
					},
					Means: "Attempt 2 of 5."},
				Step{Who: WorkerB, Do: Work, Says: "writes the invoice", Comes: "it happens"},
				Step{Who: WorkerB, Do: Complete, Says: "completes its job", Comes: "job 1 is done", Means: "The history says expired, then completed."},
			),
		},
	}
}
