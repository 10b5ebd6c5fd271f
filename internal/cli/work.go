package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/text"
	"github.com/leasetop/leasetop/internal/worker"
)

// workFlags are the flags of work.
type workFlags struct {
	simulate    bool
	exec        bool
	argv        []string // the command and its arguments
	workers     int
	lease, mean time.Duration
	grace       time.Duration
	fault, log  string
	seed        uint64

	chances worker.Chances
	batch   int    // of a destructive queue: rows a dequeue
	mode    string // of a destructive queue
}

// work runs workers until it is told to stop.
func (a *app) work() *cobra.Command {
	var f workFlags
	cmd := &cobra.Command{
		Use:   "work [QUEUE] (--simulate | --exec -- CMD ARG…)",
		Short: "Run workers: simulated ones, or a command of yours for each job",
		Long: "work claims jobs, holds their leases by heartbeats, and ends them. It recovers expired rows as it\n" +
			"goes. SIGTERM makes it claim no more, lets the work in hand end, and gives back what does not end in\n" +
			"time; a second signal ends it at once.\n\n" +
			execHelp + "\n\n" +
			"With --simulate the work only takes time, on a queue of ours or on a development server. Faults are\n" +
			"shares of jobs (poison, killer) or of claims (kill, stall, flaky, lose-reply, lose-beat):\n" +
			"  --fault kill=0.05,stall=0.02\n\n" +
			"On a destructive queue there are no leases. With --mode autocommit a row is gone before its work begins,\n" +
			"and a crash loses it; with --mode transaction it stays locked, on a connection of its own, until the work\n" +
			"ends, and a crash brings it back. A row whose work fails becomes a dead letter: at once by autocommit, after\n" +
			"three failures in one process in a transaction. Its payload is the row as JSON.",
		Example: "  leasetop work orders --workers 4 --exec -- ./ship-order --carrier dhl\n" +
			"  leasetop work orders --simulate --mean 500ms",
		Args: workArgs, ValidArgsFunction: a.completeQueues,
		RunE: func(cmd *cobra.Command, args []string) error {
			queue, argv := workSplit(cmd, args)
			f.argv = argv
			return a.runWork(cmd, queueOf(queue), f)
		},
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.simulate, "simulate", false, "the work is simulated")
	fs.BoolVar(&f.exec, "exec", false, "the work is the command after --, run once for each attempt")
	fs.IntVar(&f.workers, "workers", 1, "jobs at once")
	fs.DurationVar(&f.lease, "lease", 0, "lease of a claim (default: the queue's)")
	fs.DurationVar(&f.mean, "mean", 2*time.Second, "simulated: how long a job takes on average")
	fs.DurationVar(&f.grace, "grace", worker.DefaultGrace, "how long work in hand may go on after SIGTERM")
	fs.StringVar(&f.fault, "fault", "", "simulated: what goes wrong, as kill=0.05,stall=0.02")
	fs.Uint64Var(&f.seed, "seed", 1, "simulated: the same seed does the same work and goes wrong in the same places")
	fs.StringVar(&f.mode, "mode", "", "of a destructive queue: autocommit, where a crash loses the rows in work, or transaction (default: the mapping's)")
	fs.IntVar(&f.batch, "batch", 1, "of a destructive queue: rows a dequeue; they are lost or come back together")
	fs.StringVar(&f.log, "log", "", "json or plain (default: plain on a terminal)")
	return cmd
}

func (a *app) runWork(cmd *cobra.Command, name string, f workFlags) (err error) {
	if err := f.check(cmd); err != nil {
		return err
	}
	if f.workers < 1 || f.workers > maxWorkers {
		return usage("--workers cannot be %d; it is from 1 to %d", f.workers, maxWorkers)
	}
	if f.batch < 1 {
		return usage("--batch cannot be %d; one is the least", f.batch)
	}
	if err := spans(cmd, map[string]time.Duration{"lease": minLease, "mean": 0, "grace": 0}); err != nil {
		return err
	}
	chances, err := parseFaults(f.fault, f.seed)
	if err != nil {
		return err
	}
	f.chances = chances
	log, err := a.logger(f.log)
	if err != nil {
		return err
	}
	h, r, err := a.one(cmd.Context(), name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	if f.grace == 0 {
		f.grace = -1 // said on purpose: no grace at all
	}
	if r.config.Mapping.IsDestructive() {
		return a.runRowWork(cmd.Context(), r, f, log)
	}
	if cmd.Flags().Changed("mode") || cmd.Flags().Changed("batch") {
		return usage("--mode and --batch belong to a destructive queue: %s is %s", r.config.Mapping.Queue, r.config.Mapping.Family)
	}
	o := worker.Options{Workers: f.workers, Names: workerNames(f.workers), Lease: f.lease, Grace: f.grace, Events: events(log)}
	if o.Lease == 0 {
		o.Lease = r.config.Mapping.UsualLease()
	}
	if f.exec {
		return a.runExec(cmd.Context(), r, f.argv, o, log)
	}
	if err := r.ours(cmd.Context(), "work"); err != nil {
		return err
	}
	a.beginWork(r, f.workers)
	handler := worker.FaultyHandler(worker.Simulate{Seed: f.seed, Mean: f.mean, Spread: 0.4}.Handle, chances.Of)
	return worker.New(worker.Faulty(r.queue, chances.Of), handler, o).Run(cmd.Context())
}

// beginWork says to a person that workers now run, and how they are stopped.
func (a *app) beginWork(r *room, workers int) {
	a.begin("%s on %s; ctrl+c claims no more and lets the work in hand end, again ends it at once",
		text.Plural(int64(workers), "worker", "workers"), r.config.Mapping.Queue)
}

// workerNames tell this process's workers from those of any other.
func workerNames(n int) []string {
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s-%d-%02d", host, os.Getpid(), i+1)
	}
	return names
}

// parseFaults reads what goes wrong, as kill=0.05,stall=0.02.
func parseFaults(s string, seed uint64) (worker.Chances, error) {
	c := worker.Chances{Seed: seed}
	places := map[string]*float64{
		"kill": &c.Kill, "killer": &c.Killer, "stall": &c.Stall, "poison": &c.Poison, "flaky": &c.Flaky,
		"lose-reply": &c.LoseReply, "lose-beat": &c.LoseBeat,
	}
	if s == "" {
		return c, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		name, share, ok := strings.Cut(part, "=")
		place, known := places[name]
		if !known {
			return c, usage("--fault: unknown fault %q; known are kill, killer, stall, poison, flaky, lose-reply, lose-beat", name)
		}
		x, err := strconv.ParseFloat(share, 64)
		if !ok || err != nil || math.IsNaN(x) || x < 0 || x > 1 {
			return c, usage("--fault: %s needs a share from 0 to 1, as %s=0.05", name, name)
		}
		*place = x
	}
	return c, nil
}
