package lesson

// stalledPastLease: the fence is the token and not the clock.
func stalledPastLease() Lesson {
	stall := []Step{
		{Who: WorkerA, Do: Claim, Says: "claims a job", Comes: "has job 1, token A1"},
		{Who: WorkerA, Do: Stall, Says: "stands still: a paused machine, a long collection of garbage", Comes: "stands still",
			Means: "A sends no heartbeat. It does not know that time passes."},
		{Who: Time, Do: Pass, Leases: 1.1, Says: "passes: the lease runs out"},
		{Who: Recovery, Do: Recover, Says: "takes back what is over", Comes: "took back: job 1 waits for another attempt; job 1 is ready"},
		{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: "has job 1, token B1", Means: "B is at work on it now. A is about to wake up."},
	}
	jobs := []NewJob{{What: "transfer 500 to account 7", Priority: 1}, {What: "transfer 20 to account 9"}}
	claim := "Only the worker that holds a job ends it."
	return Lesson{
		Number: 4, Name: "stalled-past-lease", Title: "Stalled past the lease: not recovered, and recovered",
		About: "A worker stands still for longer than its lease and then goes on as if nothing had been.",
		Bad: Half{
			Title: "Completion by the key alone", Flaw: "completion-by-key", Actors: []Actor{WorkerA, WorkerB, Recovery}, Jobs: jobs[:1],
			Claim: claim, holds: byHolder,
			Moral: "WHERE JobId = 1 AND State = 'W' is true for whoever asks. A ended B's attempt: had B failed, nobody would ever know.",
			Steps: append(append([]Step{}, stall...),
				Step{Who: WorkerA, Do: Complete, Says: "wakes up and completes the job", Comes: "job 1 is done",
					Ask: &Question{
						Text: "The completion names the key and no token. What does it do?", Choices: []string{"nothing: the lease is over", "it ends the job that B works on"}, Right: 1,
						Why: "The row is in work and has that key. Nothing in the statement asks whose work it is.",
					},
					Means: "The row is done, by somebody who had lost it."},
				Step{Who: WorkerB, Do: Work, Says: "makes the transfer", Comes: "it happens", Means: "B is still in the midst of it."},
				Step{Who: WorkerB, Do: Complete, Says: "completes its job", Comes: notMine, Means: "B did the work and is told that it lost."},
			),
		},
		Good: Half{
			Title: "Completion by key and token", Actors: []Actor{WorkerA, WorkerB, Recovery}, Jobs: jobs,
			Claim: claim, holds: all(byHolder, ended),
			Moral: "Expiry is not refusal. A late worker whose row nobody took back ends it rightly; one whose row was taken back matches nothing. The clock decides when a row may be taken, the token decides whose it is.",
			Steps: append(append([]Step{}, stall...),
				Step{Who: WorkerA, Do: Beat, Says: "wakes up and sends a heartbeat", Comes: "no row: not mine any more", Means: "Its token was replaced. A stops at once and ends nothing."},
				Step{Who: WorkerA, Do: Complete, Says: "completes the job all the same", Comes: notMine, Means: "A worker that does not listen does no harm either: no row matches."},
				Step{Who: WorkerB, Do: Work, Says: "makes the transfer", Comes: "it happens"},
				Step{Who: WorkerB, Do: Complete, Says: "completes its job", Comes: "job 1 is done"},
				Step{Who: WorkerA, Do: Claim, Says: "claims the next job", Comes: "has job 2, token A2"},
				Step{Who: WorkerA, Do: Stall, Says: "stands still again", Comes: "stands still"},
				Step{Who: Time, Do: Pass, Leases: 2, Says: "passes: two leases, and nobody recovers"},
				Step{Who: WorkerA, Do: Work, Says: "wakes up and makes the transfer", Comes: "it happens"},
				Step{Who: WorkerA, Do: Complete, Says: "completes its job, one lease late", Comes: "job 2 is done",
					Ask: &Question{
						Text: "Nobody took job 2 back. Is the late completion accepted?", Choices: []string{"no: the lease is over", "yes: its token stands"}, Right: 1,
						Why: "Nobody else was given the job, so nobody is hurt. To refuse it would only throw the work away.",
					}},
			),
		},
	}
}
