// Package drill holds a queue to its guarantees.
//
// The invariants are pure: what the workers were told (a Ledger), the rows and the
// history in, verdicts with figures out (Check). Tests, the soak and the drill use
// the same ones.
//
// The drill itself is Run: it plays scenes on scratch queues that a Lab makes and
// drops, and gives a Verdict for each Guarantee. With a Break the same scenes run
// on a queue that makes a known mistake; a drill that stays green then would prove
// nothing. What it needs of a queue it declares as an interface; who keeps the
// queue, and where, is the Lab's business.
package drill
