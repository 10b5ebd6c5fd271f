// Package drill holds a queue to its guarantees. The invariants here are pure:
// what the workers were told (a Ledger), the rows and the history in, verdicts with
// figures out. Tests, the soak and the drill itself use the same ones.
package drill
