package lesson

// effectRepeats: at least once, and what makes that harmless.
func effectRepeats() Lesson {
	jobs := []NewJob{{What: "mail to customer 12"}}
	steps := func(second, means string) []Step {
		return []Step{
			{Who: WorkerA, Do: Claim, Says: "claims the job", Comes: "has job 1, token A1"},
			{Who: WorkerA, Do: Work, Says: "sends the mail", Comes: "it happens", Means: "The mail is out. The row does not know it yet."},
			{Who: WorkerA, Do: Die, Says: "is killed before it completes", Comes: "gone, without a word", Means: "Between the effect and its record there is always a gap. A died in it."},
			{Who: Time, Do: Pass, Leases: 1.1, Says: "passes: the lease runs out"},
			{Who: Recovery, Do: Recover, Says: "takes back what is over", Comes: "took back: job 1 waits for another attempt; job 1 is ready",
				Means: "Recovery cannot know about the mail either. It does the right thing."},
			{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: "has job 1, token B1", Means: "Another token, the same operation id."},
			{Who: WorkerB, Do: Work, Says: "sends the mail", Comes: second, Means: means,
				Ask: &Question{
					Text: "B does the job. Does the customer get a second mail?", Choices: []string{"yes", "no"}, Right: map[bool]int{true: 0, false: 1}[second == "it happens a second time"],
					Why: map[bool]string{
						true:  "Everything on the queue's side was right, and the mail went out twice.",
						false: "The operation id is the same at every attempt, and the mail server keeps the ids that it has seen.",
					}[second == "it happens a second time"],
				}},
			{Who: WorkerB, Do: Complete, Says: "completes its job", Comes: "job 1 is done"},
		}
	}
	return Lesson{
		Number: 6, Name: "effect-repeats", Title: "The effect repeats, without and with the operation id",
		About: "No lease, token or transaction of the queue reaches into the world outside: a job runs at least once.",
		Bad: Half{
			Title: "Without the operation id", Actors: []Actor{WorkerA, WorkerB, Recovery}, Jobs: jobs, Claim: "The customer gets one mail.", holds: once,
			Moral: "Exactly once cannot be had from the queue alone. It has to be made at the other end.",
			Steps: steps("it happens a second time", "Two attempts, two mails."),
		},
		Good: Half{
			Title: "With the operation id", Dedup: true, Actors: []Actor{WorkerA, WorkerB, Recovery}, Jobs: jobs, Claim: "The customer gets one mail.", holds: all(once, ended),
			Moral: "Still two attempts. The id belongs to the job and not to the attempt: hand it on as the idempotency key of whatever the job does.",
			Steps: steps("known already by its operation id: nothing happens", "Two attempts, one mail."),
		},
	}
}
