// Package cli is the command line: one file a command, which reads its arguments,
// calls the rooms that do the work, and prints. It holds no rule about queues and
// no SQL.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/text"
)

// World is what a run of the program touches outside itself.
type World struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
}

// Process is the world of a real process.
func Process() World {
	return World{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}
}

// Run runs one command line, without the program's name, and gives its exit code:
// 0, 2 for a mistake of usage or configuration, 1 for other failures, and what a
// command documents beyond that. The first SIGINT or SIGTERM ends the context, so
// that the command can finish what it has in hand; the second ends the process.
func Run(ctx context.Context, w World, args []string) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)
	// A reader that went away is an error of the write and not the end of the
	// process, which has files to remove. A child does not inherit this.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	a := &app{World: w}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(w.In)
	root.SetOut(w.Out)
	root.SetErr(w.Err)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE):
		return exitCode(err) // nobody reads on: nothing is left to say
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w.Err, "leasetop: %s\n", text.Clean(strings.TrimRight(line, "\n"))) // it may quote a file or a database
	}
	return exitCode(err)
}

// negative is what is said of a number below zero where a flag may stand.
var negative = regexp.MustCompile(`^unknown shorthand flag: '[0-9]'`)

// app is one run of the program.
type app struct {
	World
	flags   config.Flags
	poll    string
	noMouse bool
	record  string // the file that a recording goes to; empty: none
}

// root is the command without a word: the dashboard.
func (a *app) root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "leasetop",
		Short: "Watch the leases of work queues in SQL Server tables",
		Long: "leasetop is a top for work queues kept in SQL Server tables. It watches leases, says why a\n" +
			"row is not moving, and lets an operator reclaim, extend, dead-letter or requeue it with one\n" +
			"statement whose receipt is true.\n\n" +
			"Without a word it opens the configured queues. With nothing configured it opens a training\n" +
			"queue on this machine, with simulated workers.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usage("unknown command %q; %s", args[0], config.Meant(args[0], words(cmd)))
		},
		RunE:          func(cmd *cobra.Command, _ []string) error { return a.dashboard(cmd.Context()) },
		SilenceErrors: true, SilenceUsage: true,
	}
	cmd.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		hint := ""
		if negative.MatchString(err.Error()) {
			hint = "a key that begins with - goes to the end, behind --; "
		}
		return usage("%s; %s%s --help lists the flags", err, hint, cmd.CommandPath())
	})
	a.commonFlags(cmd)
	a.screenFlags(cmd)
	a.recordFlag(cmd)
	a.scanFlag(cmd)
	cmd.AddCommand(a.snapshot(), a.check(), a.config(), a.reclaim(), a.extend(), a.deadLetter(), a.requeue(), a.grant(), a.training(), a.work(), a.enqueue(), a.recover(), a.drill(), a.replay(), a.keys(), a.schema(), a.sql(), a.version())
	cmd.AddCommand(a.resume(), a.doctor())
	cmd.AddCommand(a.brake(), a.releaseBrake(), a.purge())
	return cmd
}

// screenFlags are the flags of what opens a screen, or says what it would be like.
func (a *app) screenFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.poll, "poll", "", "look at each queue this often (default "+config.DefaultPoll.String()+")")
	a.lookFlags(cmd)
}

// lookFlags are the flags of how a screen looks.
func (a *app) lookFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.flags.Theme, "theme", "", "colours: "+themeNames())
	cmd.Flags().BoolVar(&a.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	cmd.Flags().BoolVar(&a.flags.ASCII, "ascii", false, "draw with ASCII only")
}

// scanFlag is the flag of what counts by state.
func (a *app) scanFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.flags.AllowScan, "allow-scan", false, "read the whole table where no index leads on the state column")
}

func (a *app) recordFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.record, "record", "", "record what is seen to this new file, for replay; without payloads")
	cmd.Flags().BoolVar(&a.flags.Payloads, "record-payloads", false, "keep the payloads that v reads on a job's page, for --record, :save and looking back")
}

// words are the commands that can be meant.
func words(cmd *cobra.Command) []string {
	var out []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			out = append(out, c.Name())
		}
	}
	return out
}

// commonFlags are the flags of every command: which queues are meant.
func (a *app) commonFlags(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&a.flags.Config, "config", "", "configuration file (default "+defaultFile()+")")
	f.StringVar(&a.flags.DSN, "dsn", "", "server, as sqlserver://user@host?database=name, ADO or odbc settings, or sqlite:PATH (also "+config.EnvDSN+")")
	f.StringArrayVar(&a.flags.Tables, "table", nil, "table that is the queue; may be given again")
	f.StringVar(&a.flags.Profile, "profile", "", "its mapping: "+profileNames()+" (default "+config.DefaultProfile+")")
	f.BoolVar(&a.flags.Control, "control", false, "allow operators' acts on a remote server")
	f.BoolVar(&a.flags.Print, "print-only", false, "show what acts would send, for somebody else to run, and send nothing")
	f.BoolVar(&a.flags.Dev, "dev", false, "the server is no production: fewer confirmations, simulated work allowed")
}
