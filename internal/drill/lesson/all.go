package lesson

// All lists the lessons in their order.
func All() []Lesson {
	return []Lesson{
		selectThenUpdate(), notStrictOrder(), killedAfterClaim(), stalledPastLease(), lostReply(),
		effectRepeats(), poisonAndKiller(), ordersOfDequeue(), destructiveCrash(), blindReclaim(),
	}
}
