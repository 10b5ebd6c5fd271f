package lesson

// lostReply: a reply that does not come says nothing.
func lostReply() Lesson {
	jobs := []NewJob{{What: "charge card 4711"}}
	begin := []Step{
		{Who: WorkerA, Do: Claim, Says: "claims the job", Comes: "has job 1, token A1"},
		{Who: WorkerA, Do: Work, Says: "charges the card", Comes: "it happens"},
		{Who: WorkerA, Do: LoseDone, Says: "completes its job; the line breaks before the reply", Comes: "no reply",
			Means: "Was it applied? The reply that would say so is lost. The table knows, and A does not.", Notes: "Ask the room: try again, assume that it failed, or look?"},
	}
	claim := "The card is charged once."
	return Lesson{
		Number: 5, Name: "lost-reply", Title: "The lost reply",
		About: "The completion arrives and is applied. Its reply is lost on the way back.",
		Bad: Half{
			Title: "No reply is taken for a failure", Actors: []Actor{WorkerA}, Jobs: jobs, Claim: claim, holds: once,
			Moral: "\"No answer\" is not \"no\". Whoever starts over on silence does everything twice that the network is slow to confirm.",
			Steps: append(append([]Step{}, begin...),
				Step{Who: WorkerA, Do: Fail, Says: "assumes that it failed, and says so", Comes: notMine, Means: "Nothing changes: the row is done. The statement asks for a row in work."},
				Step{Who: WorkerA, Do: Work, Says: "does the job again, to be sure", Comes: "it happens a second time", Means: "The customer calls tomorrow."},
			),
		},
		Good: Half{
			Title: "A second look", Actors: []Actor{WorkerA}, Jobs: jobs, Claim: claim, holds: all(once, ended),
			Moral: "The done row keeps the token that completed it: that is why a completion must not clear it. Done with my token can only mean that it was me.",
			Steps: append(append([]Step{}, begin...),
				Step{Who: WorkerA, Do: Reread, Says: "reads its row again", Comes: "done, with my token: confirmed",
					Ask: &Question{
						Text: "A reads the row of job 1. What does it find?", Choices: []string{"in work, with its token", "done, with its token", "done, without a token"}, Right: 1,
						Why: "The completion was applied, and it left the token where it was.",
					},
					Means: "Confirmed. Nothing is done again."},
			),
		},
	}
}
