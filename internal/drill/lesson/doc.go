// Package lesson holds the lessons of the training: ten stories, each in a half
// that goes wrong and one that does not, told in steps that send real statements to
// a real scratch queue.
//
// A lesson is data: Lesson, Half, Step, Question. A Player plays one half of one
// lesson, step by step, on a queue that a drill.Lab makes, and after each step gives
// a Stage: all that a screen has to draw, as a value that nothing changes any more.
//
//	lessons := lesson.All()
//	p, err := lesson.Open(ctx, lab, lessons[0], lesson.Bad, texts) // texts may be nil
//	for !p.Stage().Over() {
//		if q := p.Stage().Question; q != nil {
//			p.Answer(q.Right)       // what the learner predicts, before the step is done
//		}
//		err = p.Next(ctx)           // does one step
//	}
//	p.Stage().Verdict               // the invariant, after the last step
//	err = p.Back(ctx)               // the stage as it was a step before
//	err = p.Restart(ctx)            // the stage before the first step
//	err = p.Close(ctx)              // drops the queue
//
// A screen keeps the Player, calls Next, Back and Restart from a command, since each
// sends statements, and draws what Stage gives. How fast it goes on by itself is its
// own affair. Stage.Lanes come in the lesson's order, a lane an actor; Stage.Table is
// the queue's rows as they are after the step; Stage.Ledger is what happened outside
// the queue, where nothing can be taken back; Stage.Now, Said, SQL and Notes belong
// to the step that was just done, Stage.Next to the one that comes.
//
// Going back plays the story anew up to the step before. That gives the same stage,
// because keys, tokens and, where the lab sets the clock, times are the story's own.
// A Player is used by one goroutine at a time.
//
// Auto plays both halves without anybody and says whether they behaved: every step
// came out as the lesson says, the bad half broke its invariant and the good one
// kept it.
package lesson
