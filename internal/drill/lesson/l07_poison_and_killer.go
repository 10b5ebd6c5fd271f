package lesson

import (
	"fmt"

	"github.com/leasetop/leasetop/model"
)

// poisonAndKiller: what always fails must come to an end.
func poisonAndKiller() Lesson {
	const bound = 3
	jobs := []NewJob{
		{What: "article 4711, which does not exist", Bound: bound, Priority: 1},
		{What: "a picture that crashes the worker", Bound: bound, Priority: 2},
		{What: "order 1003"},
	}
	poison := func(n int, means string) []Step {
		comes := "job 1 waits for another attempt"
		if means == "" {
			comes = "job 1 is a dead letter"
			means = "The third attempt was the last. The row is failed, with its diagnostic, and out of everybody's way."
		}
		return []Step{
			{Who: WorkerA, Do: Claim, Says: "claims a job", Comes: fmt.Sprintf("has job 1, token A%d", n)},
			{Who: WorkerA, Do: Fail, Says: "finds that the article does not exist", Comes: comes, Means: means},
		}
	}
	killer := func(n int, comes string) []Step {
		return []Step{
			{Who: WorkerB, Do: Claim, Says: "claims a job", Comes: fmt.Sprintf("has job 2, token B%d", n)},
			{Who: Time, Do: Pass, Leases: 1.1, Says: "passes: worker B crashed, its lease runs out"},
			{Who: Recovery, Do: Recover, Says: "takes back what is over", Comes: comes},
		}
	}
	promote := Step{Who: Recovery, Do: Recover, Says: "makes ready what is due", Comes: "job 1 is ready"}
	return Lesson{
		Number: 7, Name: "poison-and-killer", Title: "Poison and killer",
		About: "One job always fails. Another kills its worker each time, so that it leaves no word at all. Both have a better priority than the honest third.",
		Bad:   poisonForEver(jobs, promote),
		Good: Half{
			Title: "With a bound of three", Actors: []Actor{WorkerA, WorkerB, WorkerC, Recovery, Operator}, Jobs: jobs,
			Claim: "What always fails is a dead letter after exactly its bound, with a diagnostic, and every other job is done.", holds: boundKept(bound),
			Moral: "The claim counts, fail and recover decide. Exactly three claims each; the killer's diagnostic says that no word came. After the fix an operator requeues, and the count of all claims goes on: 4.",
			Steps: joined(
				poison(1, "Attempt 1 of 3."), []Step{promote}, poison(3, "Attempt 2 of 3."), []Step{promote}, poison(5, ""),
				killer(1, "took back: job 2 waits for another attempt; job 2 is ready"), killer(2, "took back: job 2 waits for another attempt; job 2 is ready"),
				killer(3, "took back: job 2 is a dead letter"),
				[]Step{
					{Who: WorkerC, Do: Claim, Says: "claims a job", Comes: "has job 3, token C1",
						Ask: &Question{
							Text: "What does C get?", Choices: []string{"job 1 again", "job 3", "nothing"}, Right: 1,
							Why: "Jobs 1 and 2 are dead letters. What is behind them is first now.",
						}},
					{Who: WorkerC, Do: Work, Says: "does the work", Comes: "it happens"},
					{Who: WorkerC, Do: Complete, Says: "completes its job", Comes: "job 3 is done"},
					{Who: Operator, Do: Requeue, Job: 1, Says: "adds the article and requeues the dead letter", Comes: "applied: job 1 is ready", Means: "Attempts start anew, the total does not."},
					{Who: WorkerC, Do: Claim, Says: "claims a job", Comes: "has job 1, token C2"},
					{Who: WorkerC, Do: Work, Says: "does the work", Comes: "it happens"},
					{Who: WorkerC, Do: Complete, Says: "completes its job", Comes: "job 1 is done"},
				},
			),
		},
	}
}

// poisonForEver is the telling in which nothing is ever given up.
func poisonForEver(jobs []NewJob, promote Step) Half {
	var steps []Step
	for n := range 4 {
		steps = append(steps,
			Step{Who: WorkerA, Do: Claim, Says: "claims a job", Comes: fmt.Sprintf("has job 1, token A%d", 2*n+1)},
			Step{Who: WorkerA, Do: Fail, Says: "finds that the article does not exist", Comes: "job 1 waits for another attempt",
				Means: fmt.Sprintf("Attempt %d of a job that can never succeed. Order 1003 waits.", n+1)},
			promote)
	}
	steps = append(steps, Step{Who: WorkerA, Do: Claim, Says: "claims a job", Comes: "has job 1, token A9",
		Ask: &Question{
			Text: "And the fifth time?", Choices: []string{"job 3, at last", "job 1"}, Right: 1,
			Why: "It is ready and it is first. Nothing in the queue knows that it is hopeless.",
		},
		Means: "Throughput reads zero, the workers are busy, and the oldest ready job gets older."})
	return Half{
		Title: "Without a bound", Flaw: "no-bound", Actors: []Actor{WorkerA, Recovery}, Jobs: jobs,
		Claim: "What always fails is a dead letter after exactly its bound, with a diagnostic, and every other job is done.", holds: boundKept(3),
		Moral: "One bad job at the head is enough: it eats every worker that comes by, for ever.",
		Steps: steps,
	}
}

// boundKept: the killer is a dead letter after its bound, the others are done.
func boundKept(bound int64) func(*Facts) []string {
	return func(f *Facts) []string {
		var out []string
		for i, j := range f.Rows {
			switch {
			case j.TotalClaims.N > bound+1:
				out = append(out, fmt.Sprintf("job %d was claimed %d times with a bound of %d", i+1, j.TotalClaims.N, bound))
			case j.State == model.Failed && (j.Attempts.N != bound || j.Error == ""):
				out = append(out, fmt.Sprintf("job %d is a dead letter after %d attempts, with the diagnostic %q", i+1, j.Attempts.N, j.Error))
			case j.State != model.Failed && j.State != model.Done:
				out = append(out, fmt.Sprintf("job %d is still %s", i+1, j.State))
			}
		}
		return out
	}
}

func joined(parts ...[]Step) []Step {
	var out []Step
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}
