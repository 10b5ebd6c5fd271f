package drill

import "slices"

// The names of the guarantees.
const (
	notShared        = "claims-not-shared"
	conserved        = "conservation"
	oneEndAJob       = "one-end-a-job"
	oneEndAClaim     = "one-end-a-claim"
	fenced           = "fence"
	truthTold        = "truth"
	boundKept        = "bound"
	replacedToken    = "replaced-token"
	killedComesBack  = "killed-comes-back"
	lateCompletes    = "late-completes"
	lateIsLost       = "late-is-lost"
	completionReply  = "completion-reply-lost"
	completionUnsent = "completion-never-arrived"
	heartbeatReply   = "heartbeat-reply-lost"
	failureReply     = "failure-reply-lost"
	releaseReply     = "release-reply-lost"
	releaseUncounted = "release-not-counted"
	poisonEnds       = "poison-ends"
	killerEnds       = "killer-ends"
	backoffKept      = "backoff"
	promotedWhenDue  = "promotion"
	actsSeen         = "acts-match-what-was-seen"
	actsRaced        = "acts-raced"
	extensionStays   = "extension-stays"
	brakeStops       = "brake-stops-claims"
	serverClock      = "server-clock"
	purgeKeeps       = "purge-under-load"
	claimCost        = "claim-cost"
	rowsNotShared    = "rows-not-shared"
	rowsInOrder      = "rows-in-order"
	rowsBatch        = "rows-lost-with-batch"
	rowsComeBack     = "rows-come-back"
	rowsConserved    = "rows-conserved"
)

// scenes lists everything that the drill plays.
func scenes() []scene { return slices.Concat(claimScenes(), queueScenes(), rowScenes()) }

// claimScenes are about a claim and its end.
func claimScenes() []scene {
	return []scene{
		{"claims", []Guarantee{
			{notShared, "Claimers at the same moment never share a job."},
		}, claimTogether},
		{"load", []Guarantee{
			{conserved, "What goes in is done or dead at the end, each job once."},
			{oneEndAJob, "Every job ends once."},
			{oneEndAClaim, "Every claim that a worker received has one end in the history."},
			{fenced, "In every job's history no token acts after it was replaced."},
			{truthTold, "What a worker is told of its claim is what happened."},
			{boundKept, "No job is claimed more often than its bound."},
		}, underLoad},
		{"fence", []Guarantee{
			{replacedToken, "A token is not honoured once it was replaced: no completion, heartbeat, failure or release."},
		}, lateSteps},
		{"leases", []Guarantee{
			{killedComesBack, "A job whose worker was killed after its claim comes back once, by recovery, as another attempt."},
			{lateCompletes, "A worker past its lease completes while nobody took its job back."},
			{lateIsLost, "A worker whose job was taken back and claimed again is told that it lost it."},
			{extensionStays, "An operator's extension outlasts the worker's next heartbeat."},
		}, leases},
		{"completions", []Guarantee{
			{completionReply, "A completion whose reply is lost is confirmed by a second look, and the job runs once."},
			{completionUnsent, "A completion that never arrived is sent again, and the job runs once."},
		}, lostCompletions},
		{"replies", []Guarantee{
			{heartbeatReply, "A heartbeat whose reply is lost costs the worker nothing."},
			{failureReply, "A failure whose reply is lost is confirmed by a second look, and counted once."},
			{releaseReply, "A release whose reply is lost is confirmed by a second look."},
		}, lostReplies},
	}
}

// queueScenes are about what a queue does with its jobs, and its operators.
func queueScenes() []scene {
	return []scene{
		{"bounds", []Guarantee{
			{releaseUncounted, "A release does not count as an attempt."},
			{poisonEnds, "A job that always fails is a dead letter with its diagnostic after exactly its bound."},
			{killerEnds, "A job that kills its worker is a dead letter with its diagnostic after exactly its bound."},
		}, bounds},
		{"due", []Guarantee{
			{backoffKept, "A failed or recovered job is not claimed before its back-off is over, which doubles."},
			{promotedWhenDue, "A scheduled job is claimed when it is due and not before."},
		}, due},
		{"acts", []Guarantee{
			{actsSeen, "An operator's act applies to the claim that he saw, or to nothing."},
			{actsRaced, "Reclaims and dead letters beside live workers leave every job with one end and every claim with one fate."},
		}, acts},
		{"brake", []Guarantee{
			{brakeStops, "After the receipt of the brake no claim begins, and what is held can be ended."},
		}, braked},
		{"clock", []Guarantee{
			{serverClock, "Leases and due times go by the server's clock, whatever the clients' clocks say."},
		}, clocks},
		{"purge", []Guarantee{
			{purgeKeeps, "A purge beside running workers removes what ended before its time, and nothing else."},
		}, purged},
		{"cost", []Guarantee{
			{claimCost, "A claim costs at most twice as much with scheduled rows ahead of it."},
		}, cost},
	}
}

// rowScenes are about a destructive queue.
func rowScenes() []scene {
	return []scene{
		{"rows", []Guarantee{
			{rowsNotShared, "A destructive queue gives each row to one consumer, in every order."},
			{rowsInOrder, "Each consumer gets the rows of a destructive queue in its order."},
		}, rowsTogether},
		{"crash", []Guarantee{
			{rowsBatch, "A consumer that is killed after a dequeue by autocommit loses its batch, and no other row."},
			{rowsComeBack, "A consumer that is killed in its transaction loses nothing: its rows come back, first."},
		}, rowsCrash},
		{"rowload", []Guarantee{
			{rowsConserved, "Every row that went into a destructive queue is done, dead or there."},
		}, rowsUnderLoad},
	}
}
