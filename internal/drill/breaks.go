package drill

import (
	"fmt"
	"slices"
	"strings"
)

// Break is a known mistake that a drill can run with, to show that it finds it.
type Break struct {
	Name    string
	Says    string   // what a queue does that makes it, in one sentence
	Flaw    string   // of its statements, as a Lab knows it; empty: the mistake is the caller's
	RowFlaw string   // the same of a destructive queue's statements
	Fails   []string // the guarantees that it breaks at the least

	wrap     func(q Queue, r *round) Queue // the caller's mistake; nil: none
	wrapRows func(q RowQueue) RowQueue     // the same on a destructive queue
}

// Breaks lists the known mistakes.
func Breaks() []Break {
	return slices.Concat(tokenBreaks(), leaseBreaks(), attemptBreaks(), rowBreaks())
}

// tokenBreaks are the mistakes about who holds a job.
func tokenBreaks() []Break {
	return []Break{
		{
			Name: "select-then-update", Flaw: "select-then-update", Says: "a claim reads the first ready row and then updates it by its key",
			Fails: []string{notShared, oneEndAClaim}, wrap: selectThenUpdate,
		},
		{
			Name: "completion-by-key", Flaw: "completion-by-key", Says: "complete names the key and no token",
			Fails: []string{replacedToken, lateIsLost},
		},
		{
			Name: "heartbeat-by-key", Flaw: "heartbeat-by-key", Says: "heartbeat names the key and no token",
			Fails: []string{replacedToken, lateIsLost},
		},
		{
			Name: "failure-by-key", Flaw: "failure-by-key", Says: "fail names the key and no token",
			Fails: []string{replacedToken},
		},
		{
			Name: "release-by-key", Flaw: "release-by-key", Says: "release names the key and no token",
			Fails: []string{replacedToken},
		},
		{
			Name: "token-cleared", Flaw: "token-cleared", Says: "fail, release and recover clear the token instead of replacing it",
			Fails: []string{failureReply, releaseReply, killedComesBack},
		},
		{
			Name: "completion-clears-token", Flaw: "completion-clears-token", Says: "a done row forgets the token that completed it",
			Fails: []string{completionReply, truthTold},
		},
	}
}

// leaseBreaks are the mistakes about time, and about what is not known.
func leaseBreaks() []Break {
	return []Break{
		{
			Name: "unconditional-recovery", Flaw: "unconditional-recovery", Says: "recover takes back what is in work, whatever its lease",
			Fails: []string{serverClock},
		},
		{
			Name: "client-clock-lease", Says: "recover compares leases with the caller's own clock, which is a day ahead",
			Fails: []string{serverClock}, wrap: clientClock,
		},
		{
			Name: "purge-by-client-clock", Says: "a purge reckons its time by the caller's own clock, which is a day ahead",
			Fails: []string{purgeKeeps}, wrap: purgeAhead,
		},
		{
			Name: "retry-lost-completion", Says: "a worker whose completion was not answered does the job again",
			Fails: []string{completionReply, completionUnsent}, wrap: retryLost,
		},
		{
			Name: "heartbeat-gives-up", Says: "a worker whose heartbeat was not answered gives the job up for lost",
			Fails: []string{heartbeatReply}, wrap: givesUp,
		},
	}
}

// attemptBreaks are the mistakes about what is counted, when a job comes again, and
// what its turn costs.
func attemptBreaks() []Break {
	return []Break{
		{
			Name: "no-bound", Flaw: "no-bound", Says: "claim, fail and recover know no bound of attempts",
			Fails: []string{poisonEnds, killerEnds, boundKept, conserved, oneEndAJob},
		},
		{
			Name: "recover-counts-attempt", Flaw: "recover-counts-attempt", Says: "recover adds to the attempts, which the claim has counted already",
			Fails: []string{killerEnds, killedComesBack},
		},
		{
			Name: "release-counts-attempt", Flaw: "release-counts-attempt", Says: "release does not take its attempt back",
			Fails: []string{releaseUncounted},
		},
		{
			Name: "expiry-refuses", Flaw: "expiry-refuses", Says: "complete wants the lease to be running, as if the clock were the fence",
			Fails: []string{lateCompletes},
		},
		{
			Name: "heartbeat-shortens", Flaw: "heartbeat-shortens", Says: "a heartbeat sets the lease whatever it was, and undoes an operator's extension",
			Fails: []string{extensionStays},
		},
		{
			Name: "blind-reclaim", Flaw: "blind-reclaim", Says: "a reclaim updates by key what a list showed as expired a moment ago",
			Fails: []string{actsSeen, actsRaced},
		},
		{
			Name: "brake-ignored", Flaw: "brake-ignored", Says: "claims do not read the brake",
			Fails: []string{brakeStops},
		},
		{
			Name: "early-promotion", Flaw: "early-promotion", Says: "promote does not look at the time",
			Fails: []string{promotedWhenDue, backoffKept},
		},
		{
			Name: "no-backoff", Says: "a failed or recovered job is due again at once",
			Fails: []string{backoffKept}, wrap: noBackoff,
		},
		{
			Name: "scheduled-as-ready", Flaw: "scheduled-as-ready", Says: "rows that are not due lie among the ready ones, and a claim walks over them",
			Fails: []string{claimCost},
		},
	}
}

// rowBreaks are the mistakes with a destructive queue.
func rowBreaks() []Break {
	return []Break{
		{
			Name: "select-then-delete", Says: "a dequeue reads the head and then deletes what it read",
			Fails: []string{rowsNotShared}, wrapRows: selectThenDelete,
		},
		{
			Name: "dequeue-without-order", RowFlaw: "dequeue-without-order", Says: "a dequeue deletes TOP (n) and trusts an index for the order",
			Fails: []string{rowsInOrder},
		},
		{
			Name: "delete-later", Says: "a dequeue reads, and deletes what it read when it comes for more",
			Fails: []string{rowsBatch}, wrapRows: deleteLater,
		},
		{
			Name: "commit-first", Says: "a consumer ends its transaction before it does the work",
			Fails: []string{rowsComeBack, rowsConserved}, wrapRows: commitFirst,
		},
	}
}

func breakNamed(name string) (Break, error) {
	if name == "" {
		return Break{}, nil
	}
	var names []string
	for _, b := range Breaks() {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	return Break{}, fmt.Errorf("the drill knows no mistake %q; known are %s", name, strings.Join(names, ", "))
}
